/** Moments and spans of time, in words. */
import { english, type Language } from '../model/language.ts'
import { html, type Markup } from './markup.ts'
import { perLocale } from './message.ts'
import type { View } from './view.ts'
import { phrases } from './words/phrases.ts'

/** Formats of so many time zones stay in memory. */
const zonesKept = 60

/** Moments within a week are told by how far away they are. */
const nearSeconds = 7 * 86_400

/** For a language that Node does not know, English. */
const orEnglish = (tag: string): readonly string[] => [tag, english.dates]

const days = perLocale(
  (tag) => new Intl.DateTimeFormat(orEnglish(tag), { dateStyle: 'long', timeZone: 'UTC' }),
)
const numbers = perLocale((tag) => new Intl.NumberFormat(orEnglish(tag)))
const relative = perLocale((tag) => new Intl.RelativeTimeFormat(orEnglish(tag)))
const lists = perLocale((tag) => new Intl.ListFormat(orEnglish(tag)))
const choices = perLocale((tag) => new Intl.ListFormat(orEnglish(tag), { type: 'disjunction' }))

/** Several things in one sentence: photos, contacts and calendar. */
export const listed = (things: readonly string[], { dates }: Language): string =>
  lists(dates).format(things)

/** Such as `a passkey or your password`. */
export const anyOf = (things: readonly string[], { dates }: Language): string =>
  choices(dates).format(things)

/** ISO 8601, in UTC. */
export const isoOf = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** A moment (unix seconds) in words, in UTC. */
export const momentText = (seconds: number, language: Language): string => {
  const time = isoOf(seconds).slice(11, 16)
  return phrases(language).moment({ day: days(language.dates).format(seconds * 1000), time })
}

interface ZoneFormats {
  readonly day: Intl.DateTimeFormat
  readonly shortDay: Intl.DateTimeFormat
  readonly time: Intl.DateTimeFormat
  readonly offset: Intl.DateTimeFormat
}

/** By language and zone. */
const zones = new Map<string, ZoneFormats>()

/** @param zone that `isZone` knows */
const formatsIn = (language: Language, zone: string): ZoneFormats => {
  const key = `${language.dates} ${zone}`
  const known = zones.get(key)
  if (known !== undefined) return known
  if (zones.size >= zonesKept) zones.clear()
  const tags = orEnglish(language.dates)
  const made = {
    day: new Intl.DateTimeFormat(tags, { dateStyle: 'long', timeZone: zone }),
    shortDay: new Intl.DateTimeFormat(tags, { dateStyle: 'medium', timeZone: zone }),
    time: new Intl.DateTimeFormat(tags, {
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
  const parts = formatsIn(english, zone).offset.formatToParts(seconds * 1000)
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
  const { language, zone } = 'tag' in of ? { language: of, zone: null } : of
  const text =
    zone === null
      ? momentText(seconds, language)
      : phrases(language).momentThere(momentIn(seconds, language, zone))
  return html`<time datetime="${isoOf(seconds)}">${text}</time>`
}

/**
 * A moment to the second and in UTC, as the log and the command line have it. Where a script may run,
 * it tells the time of the browser when somebody points there.
 */
export const exactMoment = (seconds: number, language: Language): Markup => {
  const iso = isoOf(seconds)
  const day = days(language.dates).format(seconds * 1000)
  const text = phrases(language).moment({ day, time: iso.slice(11, 19) })
  return html`<span data-as="exact"><time datetime="${iso}">${text}</time></span>`
}

/** A moment that is near in time: how far away within a week, its day otherwise. */
export const near = (seconds: number, now: number, { language, zone }: TimeView): Markup => {
  const isAway = Math.abs(seconds - now) < nearSeconds
  const text = isAway
    ? away(now - seconds, language)
    : formatsIn(language, zone ?? 'UTC').shortDay.format(seconds * 1000)
  return html`<span data-as="${isAway ? 'ago' : 'day'}"><time datetime="${isoOf(seconds)}">${text}</time></span>`
}

/** Loaded where the owner chose no zone: then times are in that of the browser. */
export const renderTimesScript = ({ base, zone }: Pick<View, 'base' | 'zone'>): Markup | null =>
  zone === null || zone === 'UTC'
    ? html`<script type="module" src="${base}/assets/times.js"></script>`
    : null

export const number = (value: number, { dates }: Language): string => numbers(dates).format(value)

/** The name of a day (days since 1970), as in `21 November 2026`. */
export const dayName = (day: number, language: Language): string =>
  days(language.dates).format(day * 86_400_000)

/** How long ago something was, in its greatest whole unit. */
export const ago = (seconds: number, language: Language): string => {
  if (seconds < 60) return phrases(language).justNow
  const [unit, size] = unitOf(seconds)
  return relative(language.dates).format(-Math.floor(seconds / size), unit)
}

/** The same, or how far ahead it is, where `seconds` is less than 0. */
const away = (seconds: number, language: Language): string => {
  if (seconds >= 0) return ago(seconds, language)
  const [unit, size] = unitOf(-seconds)
  return relative(language.dates).format(Math.max(1, Math.floor(-seconds / size)), unit)
}

const unitOf = (seconds: number): readonly ['minute' | 'hour' | 'day', number] => {
  if (seconds < 3600) return ['minute', 60]
  return seconds < 86_400 ? ['hour', 3600] : ['day', 86_400]
}
