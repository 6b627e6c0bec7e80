/** Text of strangers as one line, without invisible characters. */

/**
 * Invisible characters, and those that turn the text direction around them: controls, format
 * characters (bidirectional overrides, zero-width ones, tags), fillers, private and unassigned
 * ones.
 */
export const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu
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
