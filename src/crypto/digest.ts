/**
 * Random secrets and their digests, and HMAC-SHA-256 (RFC 2104 section 2) out of two plain digests, at half
 * the cost of Node's `Hmac` object. The secrets have 256 bits, so a plain SHA-256 protects them.
 */
import { createHash, hash, randomFillSync, timingSafeEqual } from 'node:crypto'
import type { Digest, Random } from '../model/ids.ts'

/** SHA-256, base64url without padding (43 characters). */
export const hashText = (text: string): Digest => hash('sha256', text, 'base64url') as Digest

/** The left half of a hash, base64url: `at_hash` and `c_hash` (OpenID Connect Core section 3.1.3.6). */
export const hashHalf = (text: string, algorithm: 'sha256' | 'sha512' | 'shake256'): string => {
  // SHAKE256 is as long as one wants.
  const options = algorithm === 'shake256' ? { outputLength: 64 } : {}
  const whole = createHash(algorithm, options).update(text).digest()
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
export const noDigest = hashText('')

/** Compares texts of the same length in constant time. */
export const equalTexts = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

/** A key as HMAC uses it: a block of 64 bytes mixed with each of its two constants. */
export interface HmacKey {
  readonly inner: Uint8Array
  readonly outer: Uint8Array
}

const blockBytes = 64

/** @param key at most 64 bytes; fewer are filled up with zeros */
export const makeHmacKey = (key: Uint8Array): HmacKey => {
  if (key.length > blockBytes) throw new Error(`expected at most ${blockBytes} bytes of key`)
  const mixed = (constant: number): Uint8Array => {
    const block = Buffer.alloc(blockBytes, constant)
    for (const [i, byte] of key.entries()) block[i] = byte ^ constant
    return block
  }
  return { inner: mixed(0x36), outer: mixed(0x5c) }
}

/** A buffer for the digests: a block and the text behind it, a block and the digest of that. */
let first = Buffer.alloc(4096)
const second = Buffer.alloc(blockBytes + 32)

/**
 * The tag of a text: 43 characters of base64url.
 *
 * @param text of ASCII alone, which stands for itself
 */
export const computeHmac = ({ inner, outer }: HmacKey, text: string): string => {
  const end = blockBytes + text.length
  if (end > first.length) first = Buffer.alloc(2 * end)
  first.set(inner)
  first.write(text, blockBytes, 'latin1')
  second.set(outer)
  second.write(hash('sha256', first.subarray(0, end), 'latin1'), blockBytes, 'latin1')
  return hash('sha256', second, 'base64url')
}

export const tagLength = 43

const left = Buffer.alloc(2 * tagLength)
const right = Buffer.alloc(2 * tagLength)

/**
 * Compares two digests, or two tags, in constant time. Each character keeps its two bytes, so only equal
 * texts are equal.
 */
export const equalDigests = (a: string, b: string): boolean => {
  if (a.length !== tagLength || b.length !== tagLength) return false
  left.write(a, 'utf16le')
  right.write(b, 'utf16le')
  return timingSafeEqual(left, right)
}

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

/** Access tokens, and as many secrets of clients. */
export const verifiedRemembered = 4000

/**
 * A bounded cache of two halves. A full half becomes the older one, and the older one is dropped. What
 * is found there moves on, so a credential in use stays. Callers keep right credentials only:
 * otherwise strangers could fill it.
 */
export class Verified<Found> {
  #newer = new Map<Digest, Found>()
  #older = new Map<Digest, Found>()

  find(id: Digest): Found | undefined {
    const found = this.#newer.get(id)
    if (found !== undefined) return found
    const earlier = this.#older.get(id)
    if (earlier !== undefined) this.keep(id, earlier)
    return earlier
  }

  keep(id: Digest, found: Found): void {
    if (this.#newer.size >= verifiedRemembered / 2) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(id, found)
  }
}
