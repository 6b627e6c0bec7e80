/** HMAC-SHA-256 (RFC 2104 section 2) out of two plain digests, at half the cost of Node's `Hmac` object. */
import { hash, timingSafeEqual } from 'node:crypto'

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

/** Compares two tags in constant time. Each character keeps its two bytes, so only equal texts are equal. */
export const equalTags = (a: string, b: string): boolean => {
  if (a.length !== tagLength || b.length !== tagLength) return false
  left.write(a, 'utf16le')
  right.write(b, 'utf16le')
  return timingSafeEqual(left, right)
}
