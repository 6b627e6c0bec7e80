/** Moments and spans of time, in words. */
import { type Language, languages } from '../model/language.ts'
import { html, type Markup } from './markup.ts'
import { phrases } from './words/phrases.ts'

/** Not plain `en`, which puts the month first. */
const tags: Readonly<Record<Language, string>> = { en: 'en-GB', zh: languages.zh.tag }

/** A format in each language, made when it is first asked for: Node reads what it knows of languages only then. */
const inEach = <Format>(make: (tag: string) => Format): ((language: Language) => Format) => {
  const made: Partial<Record<Language, Format>> = {}
  return (language) => {
    made[language] ??= make(tags[language])
    return made[language]
  }
}

const dates = inEach((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }))
const numbers = inEach((tag) => new Intl.NumberFormat(tag))
const relative = inEach((tag) => new Intl.RelativeTimeFormat(tag))

const isoOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** A moment (unix seconds) in words, in UTC. */
export const momentText = (seconds: number, language: Language): string => {
  const time = isoOf(seconds).slice(11, 16)
  return phrases[language].moment({ day: dates(language).format(seconds * 1000), time })
}

/** The same with ISO 8601 for programs. */
export const moment = (seconds: number, language: Language): Markup =>
  html`<time datetime="${isoOf(seconds)}">${momentText(seconds, language)}</time>`

export const number = (value: number, language: Language): string => numbers(language).format(value)

/** The name of a day (days since 1970), as in `21 November 2026`. */
export const dayName = (day: number, language: Language): string =>
  dates(language).format(day * 86_400_000)

/** How long ago something was, in its greatest whole unit. */
export const ago = (seconds: number, language: Language): string => {
  if (seconds < 60) return phrases[language].justNow
  const format = relative(language)
  if (seconds < 3600) return format.format(-Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return format.format(-Math.floor(seconds / 3600), 'hour')
  return format.format(-Math.floor(seconds / 86_400), 'day')
}
