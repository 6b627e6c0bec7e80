/** The words that a search compares: of a name, a username, an address, and of the search itself. */

const wordLimits = {
  /** Words of one text. No further word of it is found. */
  words: 8,
  /** A longer word counts as several. */
  characters: 32,
} as const

/** Without case, marks above letters, and other forms of the same letter. */
export const foldLetters = (text: string): string =>
  text.normalize('NFKD').toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '')

const word = new RegExp(`[\\p{L}\\p{N}]{1,${wordLimits.characters}}`, 'gu')

/** Letters and digits in a row, each word once. */
export const listWords = (text: string): readonly string[] => [
  ...new Set((foldLetters(text).match(word) ?? []).slice(0, wordLimits.words)),
]
