/** PBKDF2 (RFC 8018 section 5.2): `$pbkdf2-sha256$i=27500,l=64$salt$hash`. */
import { pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { hashLimits } from '../limits.ts'
import { type HashAlgorithm, type PhcHash, parsePhc } from './phc.ts'

const digests = {
  'pbkdf2-sha1': { digest: 'sha1', bytes: 20 },
  'pbkdf2-sha256': { digest: 'sha256', bytes: 32 },
  'pbkdf2-sha512': { digest: 'sha512', bytes: 64 },
} as const

export const isPbkdf2Name = (name: string): name is keyof typeof digests =>
  Object.hasOwn(digests, name)

const derive = promisify(pbkdf2)

const problem = ({ name, version, parameters, hash }: PhcHash): string | null => {
  const { i = 0, l, ...others } = parameters
  const isForm = version === null && l === hash.length && Object.keys(others).length === 0
  if (!isPbkdf2Name(name) || !isForm || i < 1) return 'it is not complete'
  // A key longer than the digest takes all iterations once more.
  const work = i * Math.ceil(hash.length / digests[name].bytes)
  const most = hashLimits.cost.pbkdf2Iterations
  return work > most ? `it takes ${work} iterations, and ${most} are the most` : null
}

export const pbkdf2Hashes: HashAlgorithm = {
  owns: (stored) => stored.startsWith('$pbkdf2-'),
  problem(stored) {
    const parsed = parsePhc(stored)
    return parsed === null ? 'it is not complete' : problem(parsed)
  },
  async verify(stored, password) {
    const parsed = parsePhc(stored)
    if (parsed === null || !isPbkdf2Name(parsed.name)) return false
    const { name, parameters, salt, hash } = parsed
    const { digest } = digests[name]
    const key = await derive(password, salt, parameters.i ?? 1, hash.length, digest)
    return timingSafeEqual(key, hash)
  },
}
