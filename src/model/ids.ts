/** Identifiers: strings of different kinds that the compiler does not let anyone mix up. */

declare const kind: unique symbol
type Branded<Kind extends string> = string & { readonly [kind]: Kind }

/** The id of a client: `client_id`. */
export type ClientId = Branded<'ClientId'>
/** The id of an owner. It never changes. */
export type OwnerId = Branded<'OwnerId'>
/** The id of an authorization. */
export type AuthorizationId = Branded<'AuthorizationId'>
/** A family has the id of its code: one redemption, one family. */
export type FamilyId = Branded<'FamilyId'>
/** The digest of a session cookie: the store never sees the cookie itself. */
export type SessionId = Branded<'SessionId'>
/** What a session is called on pages: it leads nowhere without a login of the same owner. */
export type SessionHandle = Branded<'SessionHandle'>
/** The id of an item. */
export type ItemId = Branded<'ItemId'>
/** The id of an event. */
export type EventId = Branded<'EventId'>
/** The credential id of a passkey, which its device chose (base64url). */
export type PasskeyId = Branded<'PasskeyId'>

/** SHA-256 of a secret, base64url (43 characters). The store takes digests where others take secrets. */
export type Digest = Branded<'Digest'>

/** Crockford's base32, lower case: sorts as text in the order of the numbers. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Every pair of letters, by the ten bits that it stands for. */
const pairs = Array.from(
  { length: 1024 },
  (_, bits) => `${alphabet[bits >> 5]}${alphabet[bits & 31]}`,
)

/** Four letters for twenty bits. */
const four = (bits: number): string => `${pairs[bits >> 10]}${pairs[bits & 1023]}`

/** Eight letters for five bytes. */
const eight = (bytes: Uint8Array, at: number): string => {
  const byte = (i: number): number => bytes[at + i] ?? 0
  return (
    four((byte(0) << 12) | (byte(1) << 4) | (byte(2) >> 4)) +
    four(((byte(2) & 15) << 16) | (byte(3) << 8) | byte(4))
  )
}

let latest = { milliseconds: -1, letters: '' }

/** Ten letters for 48 bits of milliseconds; many ids are made in the same one. */
const timeOf = (milliseconds: number): string => {
  if (milliseconds !== latest.milliseconds) {
    const upper = Math.floor(milliseconds / 2 ** 20)
    const letters = `${pairs[upper >> 20]}${four(upper & 0xfffff)}${four(milliseconds % 2 ** 20)}`
    latest = { milliseconds, letters }
  }
  return latest.letters
}

/**
 * A new time-ordered id: 26 characters, 48 bits of milliseconds and then 80 random bits.
 * Rows keyed by it are appended, which a random key would scatter over the whole table.
 *
 * @param milliseconds unix time
 * @param random at least 10 random bytes
 */
export const newId = (milliseconds: number, random: Uint8Array): string =>
  timeOf(milliseconds) + eight(random, 0) + eight(random, 5)

/** What ids of a moment (unix milliseconds) begin with: it sorts before all of them, and after all earlier ones. */
export const firstIdAt = (milliseconds: number): string => timeOf(milliseconds)

/**
 * Another id of the same moment, which sorts just before a given one: for an event beside another.
 * One in a million overflows and sorts after it.
 *
 * @param steps from 1 on; each leads to another id
 */
export const idBefore = <Id extends string>(id: Id, steps: number): Id => {
  const last = [...id.slice(-4)].reduce((bits, letter) => bits * 32 + alphabet.indexOf(letter), 0)
  return `${id.slice(0, -4)}${four((last - steps) & 0xfffff)}` as Id
}

/** Whether text has the form of an id made by `newId`. */
export const isId = (text: string): boolean => /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)
