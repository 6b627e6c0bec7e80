/** Texts of the operator's own: the same in every language, or one per language. */
import { type Language, languages, type Text } from '../model/language.ts'
import { isLoopback } from './issuer.ts'
import type { Parse } from './values.ts'

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

/** A text of at most so many characters. */
export const shortText =
  (most: number): Parse<Text> =>
  (given) => {
    const text = parseText(given)
    const short = text !== null && known.every((language) => text[language].length <= most)
    return short ? { value: text } : { expected: `${textForm}, of at most ${most} characters` }
  }

const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
}

const addressForm = 'an https URL (or an http one on a loopback address)'

/** Where a page of the operator's own stands. */
export const webAddress: Parse<Text> = (given) => {
  const text = parseText(given)
  const right = text !== null && known.every((language) => isWebAddress(text[language]))
  return right
    ? { value: text }
    : { expected: `${addressForm}, or an object with one per language (${known.join(', ')})` }
}

/** Where pages about error codes stand. RFC 6749 section 5.2 says which characters `error_uri` may hold. */
export const errorPages: Parse<string> = (given) => {
  const text = typeof given === 'string' ? given : ''
  const right = /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text) && isWebAddress(text)
  if (!right) return { expected: addressForm }
  return { value: /[/#=]$/.test(text) ? text : `${text}/` }
}
