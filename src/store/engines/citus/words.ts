/** Parts of a statement, found by the words that stand outside of all brackets. */
import { places } from './place.ts'

/** The place of a word outside of all brackets, or -1. @param word a sticky pattern */
export const findWord = (text: string, word: RegExp, from = 0): number => {
  let depth = 0
  for (let i = from; i < text.length; i++) {
    const letter = text[i]
    if (letter === "'") {
      i = text.indexOf("'", i + 1)
      if (i === -1) return -1
    } else if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (depth === 0 && (letter === ',' || /\W/.test(text[i - 1] ?? ' '))) {
      word.lastIndex = i
      if (word.test(text)) return i
    }
  }
  return -1
}

/** The parts between a word that stands outside of all brackets. */
export const splitAt = (text: string, word: 'and' | ','): readonly string[] => {
  const pattern = word === ',' ? /,/y : /and\b/iy
  const at = findWord(text, pattern)
  if (at === -1) return [text]
  return [text.slice(0, at), ...splitAt(text.slice(at + word.length), word)]
}

export const countPlaces = (text: string): number => text.split('?').length - 1

const isOwned = (table: string): boolean => places[table.toLowerCase()]?.with === 'owner'

/** Whether a part of a statement asks a table with the rows of owners. */
export const hasOwned = (text: string): boolean =>
  [...text.matchAll(/(?:\b(?:from|join)|,)\s+(\w+)/gi)].some(([, name = '']) => isOwned(name))
