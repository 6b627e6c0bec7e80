/** Random secrets and their digests. The secrets have 256 bits, so a plain SHA-256 protects them. */
import { createHash, hash, randomFillSync, timingSafeEqual } from 'node:crypto'
import type { Digest, Random } from '../model/ids.ts'
import { equalTags } from './hmac.ts'

/** SHA-256, base64url without padding (43 characters). */
export const digest = (text: string): Digest => hash('sha256', text, 'base64url') as Digest

/** The left half of a hash, base64url: `at_hash` and `c_hash` (OpenID Connect Core section 3.1.3.6). */
export const hashHalf = (text: string, algorithm: 'sha256' | 'sha512'): string => {
  const whole = hash(algorithm, text, 'buffer')
  return whole.subarray(0, whole.length / 2).toString('base64url')
}

/** SHA-256 over a text that comes piece by piece, in hexadecimal digits, as `sha256sum` writes it. */
export const startDigest = () => {
  const hash = createHash('sha256')
  return {
    add: (text: string): void => void hash.update(text),
    end: (): string => hash.digest('hex'),
  }
}

/** A digest to compare with if nothing is known, so that the time is the same. */
export const noDigest = digest('')

/** Compares texts of the same length in constant time. */
export const equalTexts = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

/** A digest has the length of a tag. */
export const equalDigests: (a: Digest, b: Digest) => boolean = equalTags

/** A new secret of 256 bits: the prefix and 43 characters of base64url. */
export const makeSecret = (prefix: 'lk_cs_' | 'lk_reg_' | '', random: Random): string =>
  prefix + Buffer.from(random(32)).toString('base64url')

/** A new salt of 128 bits. */
export const makeSalt = (random: Random): string => Buffer.from(random(16)).toString('base64url')

const pool = new Uint8Array(8192)
let used = pool.length

/** Random bytes out of a pool that is filled in bulk: asking the kernel each time costs far more. */
export const drawRandom: Random = (bytes) => {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.slice(used - bytes, used)
}
