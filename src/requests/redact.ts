/**
 * Values of a request as they may be kept and shown. In place of a secret stands its kind and its
 * length.
 */
import { findNearest } from '../config/nearest.ts'
import { isId } from '../model/ids.ts'
import { findKind } from '../protocol/kinds.ts'
import { keptLimits } from './limits.ts'

/** In place of a secret. @param what it was sent as, such as `an authorization code` */
export const formatWithheld = (what: string, text: string): string => {
  const kind = findKind(text) ?? (/^eyJ[\w-]*\./.test(text) ? 'a JWT' : what)
  return `${kind} of ${text.length} characters`
}

const formatShort = (what: string, text: string): string => `[${formatWithheld(what, text)}]`

/** What our own secrets look like, also as a part of something else. */
const ownSecret = /lk_[a-z]{2,4}_[\w.~+/=-]*/g
const webToken = /eyJ[\w-]{8,}(?:\.[\w-]*){1,4}/g

/** Long enough for a secret, and neither a word nor a number. */
const mayBeSecret = (run: string): boolean =>
  /\d/.test(run) && /[A-Za-z]/.test(run) && new Set(run).size > 8

/** @param runs of characters that a secret may consist of */
const stripSecrets = (text: string, runs: RegExp): string =>
  text
    .replace(ownSecret, (found) => formatShort('a secret', found))
    .replace(webToken, (found) => formatShort('a JWT', found))
    .replace(runs, (found) => (mayBeSecret(found) ? formatShort('a text', found) : found))

/** One line of printable ASCII: a terminal or a log must not obey it. */
const makePrintable = (text: string): string =>
  text.slice(0, keptLimits.valueCharacters).replace(/[^\x20-\x7e]/g, '?')

/** A sentence of our own, which may quote the request. */
export const redactSentence = (text: string, most: number): string =>
  stripSecrets(text.slice(0, most), /[A-Za-z0-9_~+=-]{24,}/g).replace(/[^\x20-\x7e]/g, '?')

/** The query of a URI: names tell something, and values may be secrets. */
const redactQuery = (query: string): string =>
  query
    .split('&')
    .slice(0, keptLimits.parameters)
    .map((pair) => {
      const [name = ''] = pair.split('=', 1)
      const shown = /^[A-Za-z][\w.-]{0,30}$/.test(name) && !mayBeSecret(name) ? name : '...'
      return pair.includes('=') ? `${shown}=...` : shown
    })
    .join('&')

/** A URI without user information, without values in its query, and without its fragment. */
export const redactUri = (text: string): string => {
  // Only so much is shown. To look at more would let a stranger buy time with a long text.
  const [whole = '', ...fragment] = text.slice(0, 2 * keptLimits.valueCharacters).split('#')
  const [place = '', ...query] = whole.split('?')
  if (!/[:/.]/.test(place)) return formatWithheld('a text', text)
  const bare = place.replace(/\/\/[^/]*@/, '//...@')
  const segments = bare.split('/').map((segment) => stripSecrets(segment, /[A-Za-z0-9_~+=-]{20,}/g))
  const asked = query.length === 0 ? '' : `?${redactQuery(query.join('?'))}`
  return makePrintable(`${segments.join('/')}${asked}${fragment.length === 0 ? '' : '#...'}`)
}

/** Words that stand in names of secrets. */
const secretWord = /secret|passw|token/i

/** A client id is public (RFC 6749 section 2.2), unless something else was sent in its place. */
export const redactClientId = (text: string): string => {
  if (/^https?:\/\//.test(text)) return redactUri(text)
  if (isId(text)) return text
  const isWord = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(text)
  const isSecret = findKind(text) !== null || secretWord.test(text)
  const isPlain = isWord && !isSecret && !(text.length >= 20 && mayBeSecret(text))
  return isPlain ? text : formatWithheld('a text', text)
}

/** Words that are neither known nor like a known one. Only so many are looked at. */
const wordsLookedAt = 4

/** Words out of a list. Each is shown if it is known, or nearly. */
export const redactWords = (text: string, known: readonly string[]): string => {
  let left = wordsLookedAt
  const isNear = (word: string): boolean => {
    if (known.includes(word) || /^-?\d{1,9}$/.test(word)) return true
    if (word.length > 40 || findKind(word) !== null || left-- <= 0) return false
    return findNearest(word, known) !== null
  }
  const words = text.split(' ').slice(0, keptLimits.parameters)
  const shown = words.map((word) => (isNear(word) ? word : formatShort('a text', word)))
  return makePrintable(shown.join(' '))
}

/** Stands for a secret while others are looked for: none of them is found in it. */
const mark = '\0'

/**
 * Takes out whatever the same request sent as a secret. A text becomes no longer for any number of
 * secrets, and many of them cost no more than a few.
 */
export const stripSent = (text: string, secrets: readonly string[]): string => {
  const looked = [...new Set(secrets)].filter((secret) => secret.length >= 4)
  if (looked.length > keptLimits.secretsLookedFor) return formatWithheld('a text', text)
  // A secret may be a part of a longer one.
  return looked
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, mark), text)
    .replace(/\0+/g, '[a secret]')
    .slice(0, text.length + 100)
}
