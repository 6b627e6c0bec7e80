/** The algorithms of password hashes that come from elsewhere. A new one is one file and one row. */
import { hashLimits } from '../limits.ts'
import { argon2Hashes } from './argon2.ts'
import { bcryptHashes } from './bcrypt.ts'
import { pbkdf2Hashes } from './pbkdf2.ts'
import { type HashAlgorithm, parsePhc } from './phc.ts'
import { scryptHashes } from './scrypt.ts'

const algorithms: readonly HashAlgorithm[] = [
  argon2Hashes,
  bcryptHashes,
  pbkdf2Hashes,
  scryptHashes,
]

/** Short hashes are refused: one byte would fit every two hundredth password. */
const hasLengths = (stored: string): boolean => {
  const parsed = parsePhc(stored)
  if (parsed === null) return true
  const { least, most } = hashLimits.hashBytes
  const { hash, salt } = parsed
  return hash.length >= least && hash.length <= most && salt.length <= hashLimits.saltBytes
}

/** Why a hash is not taken, in words for the operator; null = it is. */
export const problemOfHash = (stored: string): string | null => {
  const algorithm = algorithms.find(({ owns }) => owns(stored))
  if (algorithm === undefined) return 'its algorithm is unknown'
  return algorithm.problem(stored) ?? (hasLengths(stored) ? null : 'its length is unusual')
}

/** @throws for a text with a problem */
export const verifyStrictly = async (stored: string, password: string): Promise<boolean> =>
  (await algorithms.find(({ owns }) => owns(stored))?.verify(stored, password)) === true

/**
 * The empty password is wrong, whatever other servers took. A fault makes a wrong try: each hash is
 * computed for every name, so one bad hash must not end the logins of others.
 */
export const verifyImported = async (stored: string, password: string): Promise<boolean> => {
  const isRight = await verifyStrictly(stored, password).catch(() => false)
  return isRight && password !== ''
}
