/** HMAC-SHA-256 (RFC 2104 section 2) out of two plain digests, at half the cost of Node's `Hmac` object. */
import { hash } from 'node:crypto'

/** A key as HMAC uses it: a block of 64 bytes mixed with each of its two constants, a character for a byte. */
export interface HmacKey {
  readonly inner: string
  readonly outer: string
}

const blockBytes = 64

/** @param key at most 64 bytes; fewer are filled up with zeros */
export const hmacKey = (key: Uint8Array): HmacKey => {
  if (key.length > blockBytes) throw new Error(`expected at most ${blockBytes} bytes of key`)
  const mixed = (constant: number): string => {
    const block = Buffer.alloc(blockBytes, constant)
    for (const [i, byte] of key.entries()) block[i] = byte ^ constant
    return block.toString('latin1')
  }
  return { inner: mixed(0x36), outer: mixed(0x5c) }
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

/**
 * The tag of a text: 43 characters of base64url.
 *
 * @param text of ASCII alone, which stands for itself
 */
export const hmac = ({ inner, outer }: HmacKey, text: string): string =>
  hash('sha256', bytes(outer + hash('sha256', bytes(inner + text), 'latin1')), 'base64url')
