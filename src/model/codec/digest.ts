/** Digests as bytes: the 43 characters of a SHA-256 in base64url. In a loop, it takes half the time of `Buffer`. */

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const values = Int8Array.from({ length: 128 }, (_, code) =>
  digits.indexOf(String.fromCharCode(code)),
)

export const digestBytes = 32

/** Ten times four characters, and three: the last of them stands for four bits and two zeros. */
const wholeGroups = 10
const characters = 4 * wholeGroups + 3

/** The 24 bits of four characters; negative if one of them is no digit. */
const bitsAt = (text: string, at: number): number => {
  const value = (i: number): number => values[text.charCodeAt(at + i)] ?? -1
  return (value(0) << 18) | (value(1) << 12) | (value(2) << 6) | value(3)
}

/**
 * Writes the bytes of a digest.
 *
 * @returns false for any other text or spelling; ignore the bytes then
 */
export const packDigest = (text: string, to: Uint8Array, at: number): boolean => {
  if (text.length !== characters) return false
  let place = at
  for (let i = 0; i < wholeGroups; i++) {
    const bits = bitsAt(text, 4 * i)
    if (bits < 0) return false
    to[place++] = bits >> 16
    to[place++] = bits >> 8
    to[place++] = bits
  }
  const last = bitsAt(`${text.slice(-3)}A`, 0)
  if (last < 0 || (last & 255) !== 0) return false
  to[place++] = last >> 16
  to[place] = last >> 8
  return true
}
