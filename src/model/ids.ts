/** Identifiers: strings of different kinds that the compiler does not let anyone mix up. */

declare const kind: unique symbol
type Branded<Kind extends string> = string & { readonly [kind]: Kind }

export type ClientId = Branded<'ClientId'>
export type OwnerId = Branded<'OwnerId'>
export type AuthorizationId = Branded<'AuthorizationId'>
/** A family is what one redemption earned; its id is the id that the code carried. */
export type FamilyId = Branded<'FamilyId'>
/** The digest of a session cookie: the store never sees the cookie itself. */
export type SessionId = Branded<'SessionId'>
export type ItemId = Branded<'ItemId'>
export type EventId = Branded<'EventId'>

/** SHA-256 of a secret, base64url (43 characters). The store takes digests where others take secrets. */
export type Digest = Branded<'Digest'>

/** Crockford's base32, lower case: sorts as text in the order of the numbers. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A new time-ordered id: 26 characters, 48 bits of milliseconds and then 80 random bits.
 * Rows keyed by it are appended, which a random key would scatter over the whole table.
 *
 * @param milliseconds unix time
 * @param random at least 10 random bytes
 */
export const newId = (milliseconds: number, random: Uint8Array): string => {
  let time = ''
  for (let rest = milliseconds, i = 0; i < 10; i++) {
    time = alphabet[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  let tail = ''
  let bits = 0
  let held = 0
  for (let i = 0; i < 10; i++) {
    held = (held << 8) | (random[i] ?? 0)
    bits += 8
    while (bits >= 5) {
      bits -= 5
      tail += alphabet[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return time + tail
}

/** Whether text has the form of an id made by `newId`. */
export const isId = (text: string): boolean => /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)
