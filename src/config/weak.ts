/** Values of settings that work and protect nobody. The start warns of them, and so does the doctor. */
import { isIP } from 'node:net'

/** Different characters of a root secret that nobody made up. */
const secretCharacters = 12

/** How many bits of an address a range leaves open. @param range checked by the settings */
export const freeBits = (range: string): number => {
  const [address = '', prefix] = range.split('/')
  const bits = isIP(address) === 6 ? 128 : 32
  return bits - Number(prefix ?? bits)
}

/** Whether a range is wider than any private one: 10.0.0.0/8 and fc00::/7 are the widest. */
export const isAlmostAll = (range: string): boolean =>
  freeBits(range) > (range.includes(':') ? 121 : 24)

/** Whether a secret has few different characters. */
export const isGuessable = (secret: string): boolean => new Set(secret).size < secretCharacters
