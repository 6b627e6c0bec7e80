/** Identifiers: strings of different kinds that the compiler does not let anyone mix up. */

/** Unix time in milliseconds. */
export type Clock = () => number

/** So many random bytes. */
export type Random = (bytes: number) => Uint8Array

/** What an id is made of. */
export interface Given {
  readonly clock: Clock
  readonly random: Random
}

declare const kind: unique symbol
type Branded<Kind extends string> = string & { readonly [kind]: Kind }

/** The id of a client: `client_id`. */
export type ClientId = Branded<'ClientId'>
/** The id of an owner. The handle never changes. */
export type OwnerId = Branded<'OwnerId'>
/** The id of an authorization. */
export type AuthorizationId = Branded<'AuthorizationId'>
/** A family has the id of its code: one redemption, one family. */
export type FamilyId = Branded<'FamilyId'>
/** The digest of a session cookie: the store never sees the cookie itself. */
export type SessionId = Branded<'SessionId'>
/** What a session is called on pages: it leads nowhere without a login of the same owner. */
export type SessionHandle = Branded<'SessionHandle'>
/** A login session as one client knows it (`sid`). Each client knows it by another. */
export type ClientSession = Branded<'ClientSession'>
/** The id of a group of owners. */
export type GroupId = Branded<'GroupId'>
/** The id of an item. */
export type ItemId = Branded<'ItemId'>
/** The id of a mail in the queue. */
export type MailId = Branded<'MailId'>
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
const encodeFour = (bits: number): string => `${pairs[bits >> 10]}${pairs[bits & 1023]}`

let latest = { milliseconds: -1, letters: '' }

/** Ten letters for 48 bits of milliseconds; many ids are made in the same one. */
const timeOf = (milliseconds: number): string => {
  if (milliseconds !== latest.milliseconds) {
    const upper = Math.floor(milliseconds / 2 ** 20)
    const letters = `${pairs[upper >> 20]}${encodeFour(upper & 0xfffff)}${encodeFour(milliseconds % 2 ** 20)}`
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
export const createId = (milliseconds: number, random: Uint8Array): string => {
  let text = timeOf(milliseconds)
  let bits = 0
  let waiting = 0
  for (let i = 0; i < 10; i++) {
    bits = (bits << 8) | (random[i] ?? 0)
    waiting += 8
    if (waiting < 10) continue
    waiting -= 10
    text += pairs[(bits >> waiting) & 1023]
  }
  return text
}

/** A new time-ordered id of whatever kind is wanted. */
export const makeId = <Id extends string>({ clock, random }: Given): Id =>
  createId(clock(), random(10)) as Id

/** The 12 bits behind the time of an id; null for a text of another form. */
export const readIdKey = (id: string): number | null => {
  const [first, second, third] = [10, 11, 12].map((at) => alphabet.indexOf(id[at] ?? ' '))
  if (first === undefined || second === undefined || third === undefined) return null
  return Math.min(first, second, third) < 0 ? null : (first << 7) | (second << 2) | (third >> 3)
}

/** The same id with these 12 bits behind the time. @param bits from 0 to 4095 */
export const writeIdKey = <Id extends string>(id: Id, bits: number): Id => {
  const third = ((bits & 3) << 3) | (alphabet.indexOf(id[12] ?? '') & 7)
  return `${id.slice(0, 10)}${pairs[bits >> 2]}${alphabet[third]}${id.slice(13)}` as Id
}

/** What ids of a moment (unix milliseconds) begin with: it sorts before all of them, and after all earlier ones. */
export const getFirstId = (milliseconds: number): string => timeOf(milliseconds)

/**
 * Another id of the same moment, which sorts just before a given one: for an event beside another.
 * One in a million overflows and sorts after it.
 *
 * @param steps from 1 on; each leads to another id
 */
export const idBefore = <Id extends string>(id: Id, steps: number): Id => {
  const last = [...id.slice(-4)].reduce((bits, letter) => bits * 32 + alphabet.indexOf(letter), 0)
  return `${id.slice(0, -4)}${encodeFour((last - steps) & 0xfffff)}` as Id
}

/** Whether text has the form of an id made by `createId`. */
export const isId = (text: string): boolean => /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)

/** The moment at which an id was made, in unix milliseconds. @param id in the form of `createId` */
export const timeOfId = (id: string): number =>
  [...id.slice(0, 10)].reduce((time, letter) => time * 32 + alphabet.indexOf(letter), 0)

/**
 * Who keeps an item. The prefix tells clients from owners, whatever an id holds (RFC 9700 section 4.15).
 */
export type Holder = `owner:${OwnerId}` | `client:${ClientId}`

/** The holder of the items of an owner. */
export const holderOfOwner = (id: OwnerId): Holder => `owner:${id}`
export const makeClientHolder = (id: ClientId): Holder => `client:${id}`

/** The longest id of an owner. */
const subjectCharacters = 128

/**
 * Whether text can be the id of an owner, which is the public `sub` as well. One from another server has
 * any form (decision 62). A URL could be the id of a client.
 */
export const isOwnerId = (text: string): boolean =>
  text.length <= subjectCharacters && /^(?!https?:)[A-Za-z0-9][\w.~:@|=,+/?#%-]*$/.test(text)

/** The length of a packed id. */
export const idBytes = 16

/** The value of each letter, by its character code; -1 for any other character. */
const letterValues = Int8Array.from({ length: 128 }, (_, code) =>
  alphabet.indexOf(String.fromCharCode(code)),
)

/**
 * Writes the 128 bits of an id. The first letter has three of them, and each other one five.
 *
 * @returns false if the text is not an id; ignore the bytes then
 */
export const packId = (text: string, to: Uint8Array, at: number): boolean => {
  if (text.length !== 26 || text >= '8') return false
  let bits = 0
  let waiting = -2
  let place = at
  for (let i = 0; i < 26; i++) {
    const value = letterValues[text.charCodeAt(i)] ?? -1
    if (value < 0) return false
    bits = (bits << 5) | value
    waiting += 5
    if (waiting < 8) continue
    waiting -= 8
    to[place++] = bits >> waiting
  }
  return true
}

const letterCodes = Buffer.from(alphabet)
const letters = Buffer.alloc(26)

/** The id that was packed there. */
export const unpackId = (bytes: Uint8Array, at: number): string => {
  let bits = 0
  let waiting = 2
  let from = at
  for (let place = 0; place < 26; place++) {
    if (waiting < 5) {
      bits = (bits << 8) | (bytes[from++] ?? 0)
      waiting += 8
    }
    waiting -= 5
    letters[place] = letterCodes[(bits >> waiting) & 31] ?? 0
  }
  return letters.toString('latin1')
}

/**
 * Characters of a client id at most: of a URL, and of a word. RFC 6749 section 2.2 leaves its form to
 * the server.
 */
export const clientIdCharacters = { url: 2048, word: 200 } as const

/** `.` and `..` mean something else in a path. */
const word = new RegExp(`^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,${clientIdCharacters.word}}$`)

/** Over plain http, only a document on this machine, which only the demo fetches. */
const url = /^(https:\/\/|http:\/\/(127\.0\.0\.1|\[::1\]|localhost)[:/])[\x21-\x7e]+$/

/** Whether a text can be a client id: a word, or a URL. */
export const isClientId = (text: string): text is ClientId =>
  word.test(text) || (text.length <= clientIdCharacters.url && url.test(text))

/**
 * Whether a client id can be the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document-02
 * section 3).
 */
export const isDocumentId = (text: string, { demo }: { readonly demo: boolean }): boolean => {
  if (!isClientId(text) || !(text.startsWith('https:') || (demo && text.startsWith('http:')))) {
    return false
  }
  // In its normal form, with a path. So it has no dot segment, and one spelling.
  const at = URL.parse(text)
  return at?.href === text && at.username === '' && at.password === '' && !text.includes('#')
}

/**
 * Whether a client id is a URL in its normal form. Ids are compared as text, so two spellings of a URL
 * would be two clients.
 */
export const isUrlClientId = (text: string): boolean => isDocumentId(text, { demo: false })

/** Whether an operator may choose it. The form of generated ids could be that of an owner or of a later client. */
export const isChosenClientId = (text: string): boolean =>
  word.test(text) ? !isId(text) : isUrlClientId(text)
