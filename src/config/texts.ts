/** Texts of the operator's own: the same in every language, or one per language. */
import { type Language, languages, type Text } from '../model/language.ts'

const known = Object.keys(languages) as readonly Language[]

export const textForm = `a text, or an object with one per language (${known.join(', ')})`

const hasWords = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== ''

/** Null where it is no text. Where a language is missing, English stands in for it. */
export const parseText = (given: unknown): Text | null => {
  if (hasWords(given)) return { en: given, zh: given }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null
  const entries = Object.entries(given)
  if (!entries.every(([key, value]) => known.some((one) => one === key) && hasWords(value))) {
    return null
  }
  const { en, zh = en } = Object.fromEntries(entries)
  return hasWords(en) && hasWords(zh) ? { en, zh } : null
}
