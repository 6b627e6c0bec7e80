/** The words that a search compares: of a name, a username, an address, and of the search itself. */

export const wordLimits = {
  /** Words of one text. No further word of it is found. */
  words: 8,
  /** A longer word counts as several. */
  characters: 32,
} as const

/** Without case, marks above letters, and other forms of the same letter. */
export const foldLetters = (text: string): string =>
  text.normalize('NFKD').toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '')

const word = new RegExp(`[\\p{L}\\p{N}]{1,${wordLimits.characters}}`, 'gu')

/** Letters and digits in a row. */
export const splitWords = (text: string): readonly string[] => foldLetters(text).match(word) ?? []

/** Of a text so many words count, each once. */
export const listWords = (text: string): readonly string[] => [
  ...new Set(splitWords(text).slice(0, wordLimits.words)),
]
