/** Text that strangers chose, made fit to be shown to people (RFC 7591 section 5). */

/**
 * Invisible characters, and those that turn the text direction around them: controls, format
 * characters (bidirectional overrides, zero-width ones, tags), fillers, private and unassigned
 * ones.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu
const blanks = /[\s\u2800]+/gu
/** More marks on one letter than any script needs reach into the lines above and below. */
const stackedMarks = /(\p{M}{4})\p{M}+/gu

/** A text for display: one line, nothing invisible. */
export const normalizeLine = (text: string): string =>
  text
    .normalize('NFC')
    .replace(blanks, ' ')
    .replace(unseen, '')
    .replace(stackedMarks, '$1')
    .replace(blanks, ' ')
    .trim()

/** At most so many characters; an ellipsis stands for the rest. */
export const cutLine = (line: string, most: number): string => {
  const characters = [...line]
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`
}

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
