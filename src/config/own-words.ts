/** The setting `claims`: words of a scope that tell claims from the attributes of owners. */
import { isObject } from '../model/json.ts'
import type { Text } from '../model/language.ts'
import {
  findClaimWord,
  isClientPermission,
  isStandardWord,
  type OwnClaims,
  type OwnWord,
} from '../model/scope-word.ts'
import { catchFault, MemberFault } from './members.ts'
import { resourceLimits } from './resource-words.ts'
import { adminNames } from './resources.ts'
import { parseText, textForm } from './texts.ts'
import { findRepeated, type Parsed } from './values.ts'

const textCharacters = 2048
const mostWords = 10
const mostClaims = 20

/** Claims of the protocol: an attribute must never look like one. */
const protocolClaims = new Set(
  'iss sub aud azp exp nbf iat jti auth_time nonce acr amr sid at_hash c_hash s_hash act cnf events scope client_id username active token_type'.split(
    ' ',
  ),
)

const parseName = (name: string): OwnWord => {
  if (!/^[a-z][a-z0-9_-]*$/.test(name) || name.length > resourceLimits.nameCharacters) {
    const said = `lower-case letters, digits, "-" and "_", at most ${resourceLimits.nameCharacters}`
    throw new MemberFault(`a word has other characters than ${said}`)
  }
  if (isStandardWord(name)) throw new MemberFault(`"${name}" is a word already`)
  if (isClientPermission(name)) throw new MemberFault(`"${name}" is a permission of clients`)
  if (adminNames.has(name)) throw new MemberFault(`the admin API uses the name "${name}"`)
  return name as OwnWord
}

const parseClaims = (word: string, given: unknown): readonly string[] => {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= mostClaims
  if (!isList || !given.every((name) => typeof name === 'string' && claimName.test(name))) {
    throw new MemberFault(`"${word}" needs a list of up to ${mostClaims} claims`)
  }
  const taken = given.find((name) => protocolClaims.has(name) || findClaimWord(name, []) !== null)
  if (taken !== undefined) throw new MemberFault(`"${word}" names the reserved claim "${taken}"`)
  return [...new Set<string>(given)]
}

const claimName = /^[A-Za-z0-9_.:/-]{1,100}$/

const parseWords = (word: string, member: string, given: unknown): Text => {
  const text = parseText(given)
  if (text !== null && Object.values(text).every((one) => one.length <= textCharacters)) {
    return text
  }
  throw new MemberFault(`"${word}" needs for "${member}" ${textForm}`)
}

const parseWord = ([name, given]: [string, unknown]): OwnClaims => {
  const word = parseName(name)
  const members = Array.isArray(given) ? { claims: given } : given
  if (!isObject(members)) {
    throw new MemberFault(`"${word}" needs a list of claims, or an object`)
  }
  const { claims, title: givenTitle, text, ...others } = members
  if (Object.keys(others).length > 0) {
    throw new MemberFault(`"${word}" has other members than "claims", "title" and "text"`)
  }
  const title = givenTitle === undefined ? { en: word } : parseWords(word, 'title', givenTitle)
  return {
    word,
    claims: parseClaims(word, claims),
    title,
    text: text === undefined ? null : parseWords(word, 'text', text),
  }
}

export const parseOwnWords = (given: unknown): Parsed<readonly OwnClaims[]> => {
  const expected = 'an object with words of a scope, and the claims of each'
  if (!isObject(given)) return { expected }
  const entries = Object.entries(given)
  if (entries.length > mostWords) {
    return { expected: `${expected}, at most ${mostWords}` }
  }
  return catchFault(`${expected}, but`, () => {
    const words = entries.map(parseWord)
    // A claim belongs to one word, so that the owner decides about it in one row.
    const twice = findRepeated(words.flatMap((one) => one.claims))
    if (twice !== undefined) throw new MemberFault(`two words name the claim "${twice}"`)
    return words
  })
}
