/** Argon2 (RFC 9106) with any cost and of any type: `$argon2i$v=19$m=4096,t=3,p=1$salt$hash`. */
import { verify } from '@node-rs/argon2'
import { hashLimits } from '../limits.ts'
import { type HashAlgorithm, type PhcHash, parsePhc } from './phc.ts'

const problem = ({ version, parameters, salt }: PhcHash): string | null => {
  const { m = 0, t = 0, p = 0, ...others } = parameters
  const isForm = (version === 16 || version === 19) && Object.keys(others).length === 0
  const isPossible = p >= 1 && t >= 1 && m >= 8 * p && salt.length >= 8 && salt.length <= 48
  if (!isForm || !isPossible) return 'it is not complete'
  const { memoryBytes, argon2Bytes, argon2Lanes } = hashLimits.cost
  const bytes = m * 1024
  const isCheap = bytes <= memoryBytes && bytes * t <= argon2Bytes && p <= argon2Lanes
  return isCheap ? null : `its cost (m=${m},t=${t},p=${p}) is too high`
}

export const argon2Hashes: HashAlgorithm = {
  owns: (stored) => /^\$argon2(?:i|d|id)\$/.test(stored),
  problem(stored) {
    const parsed = parsePhc(stored)
    return parsed === null ? 'it is not complete' : problem(parsed)
  },
  verify: (stored, password) => verify(stored, password),
}
