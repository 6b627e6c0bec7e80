/** Texts of the operator's own: the same in every language, or one per language. */
import { isObject } from '../model/json.ts'
import type { Text } from '../model/language.ts'
import { isSafe } from './issuer.ts'
import type { Parse } from './values.ts'

export const mostLanguages = 100

const perLanguage = 'an object with one per language, such as {"en": "..."}'

export const textForm = `a text, or ${perLanguage}`

/** A tag of BCP 47, as the languages of the pages have one. */
export const isLanguageTag = (text: string): boolean =>
  /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(text)

const hasWords = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== ''

/** Null where it is no text. Where a language is missing, English stands in for it (`pickText`). */
export const parseText = (given: unknown): Text | null => {
  if (hasWords(given)) return { en: given }
  if (!isObject(given)) return null
  const entries = Object.entries(given)
  const isWords = (entry: [string, unknown]): entry is [string, string] =>
    isLanguageTag(entry[0]) && hasWords(entry[1])
  const fit = entries.length > 0 && entries.length <= mostLanguages
  return fit && entries.every(isWords) ? Object.fromEntries(entries) : null
}

export const parseShortText =
  (most: number): Parse<Text> =>
  (given) => {
    const text = parseText(given)
    const short = text !== null && Object.values(text).every((one) => one.length <= most)
    return short ? { value: text } : { expected: `${textForm}, of at most ${most} characters` }
  }

const isWebAddress = (text: string): boolean => isSafe(URL.parse(text))

/** Pages and the console show it, so it must not hold a password. */
const hasUser = (text: string): boolean => {
  const { username = '', password = '' } = URL.parse(text) ?? {}
  return username !== '' || password !== ''
}

const addressForm = 'an https URL (or an http one on a loopback address)'

/** Where a page of the operator's own stands. */
export const parseWebAddress: Parse<Text> = (given) => {
  const text = parseText(given)
  const all = text === null ? [] : Object.values(text)
  if (all.some(hasUser)) return { expected: `${addressForm}, without a user` }
  const right = text !== null && all.every(isWebAddress)
  return right ? { value: text } : { expected: `${addressForm}, or ${perLanguage}` }
}

/** Where pages about error codes stand. RFC 6749 section 5.2 says which characters `error_uri` may hold. */
export const parseErrorPages: Parse<string> = (given) => {
  const text = typeof given === 'string' ? given : ''
  const right = /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text) && isWebAddress(text) && !hasUser(text)
  if (!right) return { expected: addressForm }
  return { value: /[/#=]$/.test(text) ? text : `${text}/` }
}
