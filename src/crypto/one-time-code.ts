/** One-time codes by the clock: RFC 6238 over RFC 4226, with what every application for it supports. */
import { createHmac } from 'node:crypto'
import { equalTexts } from './digest.ts'

const stepSeconds = 30
export const oneTimeCodeDigits = 6

/** Twenty bytes, as the digest is long (RFC 4226 section 4, R6). */
export const secretBytes = 20

/** The code of one time step (RFC 4226 section 5.3). */
export const makeCode = (secret: Uint8Array, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** oneTimeCodeDigits
  return String(number).padStart(oneTimeCodeDigits, '0')
}

/**
 * The step of a code, or null. The step is the present one, or one to either side of it, for clocks that
 * differ and slow typing (RFC 6238 section 5.2). All are compared, in constant time.
 *
 * @param at unix seconds
 */
export const stepOf = (secret: Uint8Array, code: string, at: number): number | null => {
  const now = Math.floor(at / stepSeconds)
  const steps = [now - 1, now, now + 1].filter((step) => equalTexts(makeCode(secret, step), code))
  return steps[0] ?? null
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Null where the text is not base32 (RFC 4648 section 6), with or without padding. */
export const decodeBase32 = (text: string): Uint8Array | null => {
  const letters = text.toUpperCase().replace(/=+$/, '')
  if (!/^[A-Z2-7]+$/.test(letters)) return null
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of letters) {
    held = ((held << 5) | alphabet.indexOf(letter)) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 0xff)
    }
  }
  return Uint8Array.from(bytes)
}

/** Base32 without padding (RFC 4648 section 6), in which applications take a secret. */
export const encodeBase32 = (bytes: Uint8Array): string => {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31]
}
