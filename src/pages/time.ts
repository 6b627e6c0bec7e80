/** Moments and spans of time, in words. */
import { accountLimits } from '../config/account.ts'
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

/** The formats of one time zone. */
interface ZoneFormats {
  readonly day: Intl.DateTimeFormat
  readonly time: Intl.DateTimeFormat
  readonly offset: Intl.DateTimeFormat
}

/** By language and zone. */
const zones = new Map<string, ZoneFormats>()

/** @param zone that `isZone` knows */
const formatsIn = (language: Language, zone: string): ZoneFormats => {
  const key = `${language} ${zone}`
  const known = zones.get(key)
  if (known !== undefined) return known
  if (zones.size >= accountLimits.zonesKept) zones.clear()
  const tag = tags[language]
  const made = {
    day: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: zone }),
    time: new Intl.DateTimeFormat(tag, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    }),
    offset: new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset', timeZone: zone }),
  }
  zones.set(key, made)
  return made
}

/** Such as `UTC+1`: the offset of a zone at a moment. */
export const offsetOf = (seconds: number, zone: string): string => {
  const parts = formatsIn('en', zone).offset.formatToParts(seconds * 1000)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name.replace('GMT', 'UTC')
}

const momentIn = (seconds: number, language: Language, zone: string) => {
  const { day, time } = formatsIn(language, zone)
  return { day: day.format(seconds * 1000), time: time.format(seconds * 1000) }
}

/** The zone is null for UTC; then each moment says so. Otherwise the foot of the page names it. */
export interface TimeView {
  readonly language: Language
  readonly zone: string | null
}

/** The same with ISO 8601 for programs, in the zone of the reader. */
export const moment = (seconds: number, of: Language | TimeView): Markup => {
  const { language, zone } = typeof of === 'string' ? { language: of, zone: null } : of
  const text =
    zone === null
      ? momentText(seconds, language)
      : phrases[language].momentThere(momentIn(seconds, language, zone))
  return html`<time datetime="${isoOf(seconds)}">${text}</time>`
}

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
