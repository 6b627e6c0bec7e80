/** The codes of a device: the device keeps one, and people type the other (RFC 8628 section 6.1). */
import type { EncryptedStatement } from '../../crypto/encrypted-statement.ts'
import { text } from '../../model/codec/types.ts'
import type { FamilyId, Random } from '../../model/ids.ts'
import type { Subjects } from '../../owners/pairwise-secret.ts'
import { makePollCode } from '../../tokens/polled-request.ts'
import { deviceLimits } from './limits.ts'

export const deviceCodePrefix = 'lk_dc_'

export const makeDeviceCode = (id: FamilyId, random: Random) =>
  makePollCode(deviceCodePrefix, id, random)

/** Without vowels, so that no code is a word, and without letters that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const userCodeLetters = 8

/** Each code is as likely as any other: bytes beyond a multiple of the letters are not used. */
export const makeUserCode = (random: Random): string => {
  const most = 256 - (256 % letters.length)
  let code = ''
  while (code.length < userCodeLetters) {
    for (const byte of random(userCodeLetters)) {
      if (byte < most && code.length < userCodeLetters) code += letters[byte % letters.length]
    }
  }
  return code
}

/** What somebody typed, as the code is stored. Case, spaces and dashes do not matter. Null if it is no code. */
export const parseUserCode = (typed: string): string | null => {
  if (typed.length > deviceLimits.typedCharacters) return null
  const code = typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase()
  return code.length === userCodeLetters && [...code].every((one) => letters.includes(one))
    ? code
    : null
}

/** As it is shown: `WDJB-MJHT`. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** As it is stored. */
export const hideUserCode = (code: string, subjects: Subjects): Promise<string> =>
  subjects.hide('user code', code)

/** As a journey carries it: whoever sees the URL of a page reads no code. */
export const userCodeStatement: EncryptedStatement<string> = { kind: 'user code', says: text() }
