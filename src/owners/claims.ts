/** The claims about an owner that words of a scope ask for (OpenID Connect Core sections 5.1 and 5.4). */
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Owner } from '../model/owner.ts'
import {
  claimNames,
  isScopeWord,
  isStandardWord,
  type OwnClaims,
  type ScopeWord,
} from '../model/scope-word.ts'
import type { Terms } from '../model/terms.ts'

const collectClaims = (
  { username, name, email, emailVerified, claims, attributes, updatedAt }: Owner,
  own: readonly OwnClaims[],
  groups: readonly string[],
): Readonly<Record<string, JsonValue | undefined>> => ({
  ...Object.fromEntries(
    own.flatMap((word) => word.claims.map((claim) => [claim, findMember(attributes, claim)])),
  ),
  ...(claims as JsonObject),
  groups,
  name,
  preferred_username: username,
  updated_at: updatedAt,
  ...(email === '' ? {} : { email, email_verified: emailVerified }),
})

/** Null is no value: nothing is told of it. */
const findMember = (attributes: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(attributes, name) ? (attributes[name] ?? undefined) : undefined

/** The named claims, without unknown ones (section 5.3.2). @param groups that the client may be told */
export const pickClaims = (
  owner: Owner,
  names: readonly string[],
  own: readonly OwnClaims[],
  groups: readonly string[],
): JsonObject => {
  const all = collectClaims(owner, own, groups)
  const told: Record<string, JsonValue> = {}
  for (const name of names) {
    const value = all[name]
    if (value !== undefined && value !== '') told[name] = value
  }
  return told
}

type ToldTerms = Pick<Terms, 'permissions' | 'claims'>

const listNames = (
  { permissions, claims }: ToldTerms,
  from: 'userinfo' | 'idToken',
  isOfScope: boolean,
  own: readonly OwnClaims[],
): readonly string[] => {
  const names = (words: readonly ScopeWord[]) => words.flatMap((word) => claimNames(word, own))
  const words = permissions.filter(isScopeWord)
  // A word that only a single claim asked for is not in the scope.
  const scope = isOfScope ? words.filter((word) => !claims?.alone.includes(word)) : []
  // Single claims, as far as the owner still allows their words.
  const single = names(words).filter((name) => claims?.[from].includes(name))
  return [...new Set([...names(scope), ...single])]
}

/** The names of the claims that `/userinfo` tells (sections 5.4 and 5.5). */
export const listUserinfoNames = (terms: ToldTerms, own: readonly OwnClaims[]): readonly string[] =>
  listNames(terms, 'userinfo', true, own)

/**
 * The names of the claims that an ID token tells.
 *
 * @param isAlone no access token comes with it, so nothing else can tell the claims of the scope
 */
export const listIdTokenNames = (
  terms: ToldTerms,
  isAlone: boolean,
  own: readonly OwnClaims[],
): readonly string[] => listNames(terms, 'idToken', isAlone, own)

const isText = (value: unknown): value is string => typeof value === 'string'

/** A claim of the operator's own may be any JSON. */
const listTexts = (value: JsonValue): readonly string[] => {
  if (Array.isArray(value) && value.every(isText)) return value
  return [isText(value) ? value : JSON.stringify(value)]
}

/** The claims of a word for their owner, without `updated_at` and flags. */
export const listShownValues = (
  owner: Owner,
  word: ScopeWord,
  own: readonly OwnClaims[],
  groups: readonly string[],
): readonly { readonly claim: string; readonly value: string }[] => {
  const names = claimNames(word, own).filter((name) => name !== 'updated_at' && name !== 'address')
  const told = pickClaims(owner, names, own, groups)
  const { address } = owner.claims
  const shown = Object.entries(told).map(([claim, value]) => {
    const isPlain = isStandardWord(word) && word !== 'groups'
    const texts = isPlain ? [value].filter(isText) : listTexts(value)
    return { claim, value: texts.join(', ') }
  })
  if (word === 'address' && address !== undefined) {
    const { formatted, ...parts } = address
    const lines = formatted === undefined ? Object.values(parts) : formatted.split('\n')
    shown.push({ claim: 'address', value: lines.join(', ') })
  }
  return shown.filter(({ value }) => value !== '')
}
