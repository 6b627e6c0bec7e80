/**
 * Rules for a new password (NIST SP 800-63B section 3.1.1.2): long enough, not common, and not made
 * of obvious names. The kinds of characters are the owner's choice.
 */
import type { Settings } from '../config/settings.ts'
import type { Owner } from '../model/owner.ts'
import { Refusal } from '../protocol/refusal.ts'
import { ownerLimits } from './limits.ts'

/** Whose password it is to be. */
export type PasswordOf = Pick<Owner, 'username' | 'name' | 'email'>

type Named = Pick<Settings, 'passwordCharacters' | 'operatorName' | 'issuer'>

/** Why a password cannot be chosen. */
export type PasswordFault = 'length' | 'common' | 'names'

/** Upper and lower case, and other spellings, of one password are tried together. */
const foldCase = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Each Unicode character counts as one. The bytes leave room for 64 of any script. */
const isOfLength = (password: string, leastCharacters: number): boolean =>
  password.isWellFormed() &&
  Buffer.byteLength(password) <= ownerLimits.passwordBytes &&
  [...password.slice(0, ownerLimits.passwordBytes)].length >= leastCharacters

/** A short piece again and again, such as `aaaaaaaa` or `abcabcabc`. */
const isRepetition = (text: string): boolean => /^(.{1,4})\1+$/su.test(text)

/** Neighbours in the character table, upwards or downwards, such as `23456789` or `hgfedcba`. */
const isSequence = (text: string): boolean => {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, i) => code - (codes[i] ?? 0))
  return steps.every((step) => step === 1) || steps.every((step) => step === -1)
}

let listed: ReadonlySet<string> | null = null

/** Read when the first password is chosen: most starts of the service never need it. */
const readCommonPasswords = async (): Promise<ReadonlySet<string>> => {
  if (listed === null) {
    const { default: list } = await import('./common-passwords.json', { with: { type: 'json' } })
    listed = new Set(list.passwords.split(' '))
  }
  return listed
}

/** The names, and the words that they are made of, the longest first. */
const listWords = (names: readonly string[]): readonly string[] =>
  names
    .map(foldCase)
    .flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 2 && /\p{L}/u.test(word))
    .sort((a, b) => b.length - a.length)

/** So much beside a name, such as a year and a mark, does not make it another password. */
const mostBeside = 6

/** Whether nothing but names is left, and a few digits or marks. */
const isMadeOf = (text: string, words: readonly string[]): boolean => {
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), text)
  return rest !== text && rest.length <= mostBeside && !/\p{L}/u.test(rest)
}

/** Whether this owner cannot choose it, and why. */
export const findPasswordFault = async (
  password: string,
  { username, name, email }: PasswordOf,
  { passwordCharacters, operatorName, issuer }: Named,
): Promise<PasswordFault | null> => {
  if (!isOfLength(password, passwordCharacters)) return 'length'
  const text = foldCase(password)
  if (isRepetition(text) || isSequence(text)) return 'common'
  if ((await readCommonPasswords()).has(text)) return 'common'
  const service = [...Object.values(operatorName), new URL(issuer).hostname, 'latchkey']
  const words = listWords([username, name, email, ...service])
  return isMadeOf(text, words) ? 'names' : null
}

/** The reason of a refusal, and its description. */
const refusals: Readonly<Record<PasswordFault, (least: number) => readonly [string, string]>> = {
  length: (least) => [
    'bad_password',
    `password has to be text of at least ${least} characters and at most ${ownerLimits.passwordBytes} bytes`,
  ],
  common: () => [
    'common_password',
    'password is one that many people choose, a repetition or a sequence: choose another',
  ],
  names: () => [
    'password_of_names',
    'password is made of the name or email address of the owner or the name of this service: choose another',
  ],
}

/**
 * @returns the password
 * @throws Refusal `invalid_request`
 */
export const requirePassword = async (
  given: unknown,
  of: PasswordOf,
  settings: Named,
): Promise<string> => {
  const password = typeof given === 'string' ? given : ''
  const fault = await findPasswordFault(password, of, settings)
  if (fault === null) return password
  throw new Refusal('invalid_request', ...refusals[fault](settings.passwordCharacters))
}
