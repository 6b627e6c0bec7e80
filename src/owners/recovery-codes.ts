/**
 * Recovery codes: written down by an owner for the day on which every other factor is out of reach.
 */
import { digest } from '../crypto/digest.ts'
import type { Digest, Random } from '../model/ids.ts'
import { ownerLimits } from './limits.ts'

/** Crockford's base32: no letter that is taken for another, or for a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const groups = 5
const groupCharacters = 5

/** 125 random bits, so that a plain digest is enough to keep: `k3f9w-2m8xq-...`. */
const newCode = ({ random }: { readonly random: Random }): string => {
  const letters = [...random(groups * groupCharacters)].map((byte) => alphabet[byte & 31]).join('')
  return (letters.match(new RegExp(`.{${groupCharacters}}`, 'g')) ?? []).join('-')
}

export const newRecoveryCodes = (parts: { readonly random: Random }): readonly string[] =>
  Array.from({ length: ownerLimits.recoveryCodes }, () => newCode(parts))

/** However it is typed: in capitals, without dashes, O for 0, I or L for 1. */
export const recoveryDigest = (code: string): Digest =>
  digest(
    code
      .toLowerCase()
      .replaceAll(/[^a-z\d]/g, '')
      .replaceAll('o', '0')
      .replaceAll(/[il]/g, '1'),
  )
