/** Text that strangers chose, made fit to be shown to people (RFC 7591 section 5). */
import { cutLine, normalizeLine, unseen } from '../model/plain/line.ts'
import { parseWebUri } from '../protocol/web-uri.ts'

/** Of a name that strangers chose, pages show so much. */
const shownNameCharacters = 80

/**
 * A name for display: one short line, nothing invisible, never empty. A long name would push what matters
 * off the screen.
 */
export const normalizeName = (name: string): string =>
  cutLine(normalizeLine(name) || '(?)', shownNameCharacters)

/**
 * The host of a URI, or the scheme of a native application. A very long one keeps both ends: a
 * host's owner is at its end, a scheme's at its beginning.
 */
export const shortenPlace = (place: string): string => {
  const half = shownNameCharacters / 2
  return place.length <= shownNameCharacters
    ? place
    : `${place.slice(0, half)}…${place.slice(1 - half)}`
}

/** The same text with every unseen character spelled out, for where each character counts. */
export const spellOut = (text: string): string =>
  text.replace(
    unseen,
    (character) =>
      `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`,
  )

/** The URI if a browser would take it for a web page, else null: never `javascript:` or `data:`. */
export const findWebUri = (uri: string | null | undefined): string | null =>
  (uri && parseWebUri(uri)?.href) || null

/** All that is said of a web page that nobody has checked: a path can be as long as it likes, and say anything. */
export const formatHost = (uri: string | null | undefined): string | null => {
  const host = uri && parseWebUri(uri)?.host
  return host ? shortenPlace(host) : null
}
