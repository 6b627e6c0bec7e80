/** Moments and spans of time, in words. */
import { english, type Language } from '../model/language.ts'
import { html, type Markup } from './markup.ts'
import { keepPerLocale } from './message.ts'
import type { View } from './view.ts'
import { phrases } from './words/phrases.ts'

/** Formats of so many time zones stay in memory. */
const zonesKept = 60

/** Moments within a week are told by how far away they are. */
const nearSeconds = 7 * 86_400

/** For a language that Node does not know, English. */
const addEnglish = (tag: string): readonly string[] => [tag, english.dates]

const days = keepPerLocale(
  (tag) => new Intl.DateTimeFormat(addEnglish(tag), { dateStyle: 'long', timeZone: 'UTC' }),
)
const numbers = keepPerLocale((tag) => new Intl.NumberFormat(addEnglish(tag)))
const relative = keepPerLocale((tag) => new Intl.RelativeTimeFormat(addEnglish(tag)))
const lists = keepPerLocale((tag) => new Intl.ListFormat(addEnglish(tag)))
const choices = keepPerLocale(
  (tag) => new Intl.ListFormat(addEnglish(tag), { type: 'disjunction' }),
)

/** Several things in one sentence: photos, contacts and calendar. */
export const formatList = (things: readonly string[], { dates }: Language): string =>
  lists(dates).format(things)

/** Such as `a passkey or your password`. */
export const formatChoice = (things: readonly string[], { dates }: Language): string =>
  choices(dates).format(things)

/** ISO 8601, in UTC. */
export const formatIso = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** A moment (unix seconds) in words, in UTC. */
export const formatMoment = (seconds: number, language: Language): string => {
  const time = formatIso(seconds).slice(11, 16)
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
const getFormats = (language: Language, zone: string): ZoneFormats => {
  const key = `${language.dates} ${zone}`
  const known = zones.get(key)
  if (known !== undefined) return known
  if (zones.size >= zonesKept) zones.clear()
  const tags = addEnglish(language.dates)
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
export const formatOffset = (seconds: number, zone: string): string => {
  const parts = getFormats(english, zone).offset.formatToParts(seconds * 1000)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name.replace('GMT', 'UTC')
}

const formatMomentIn = (seconds: number, language: Language, zone: string) => {
  const { day, time } = getFormats(language, zone)
  return { day: day.format(seconds * 1000), time: time.format(seconds * 1000) }
}

/** The zone is null for UTC; then each moment says so. Otherwise the foot of the page names it. */
export interface TimeView {
  readonly language: Language
  readonly zone: string | null
}

/** The same with ISO 8601 for programs, in the zone of the reader. */
export const sayMoment = (seconds: number, of: Language | TimeView): Markup => {
  const { language, zone } = 'tag' in of ? { language: of, zone: null } : of
  const text =
    zone === null
      ? formatMoment(seconds, language)
      : phrases(language).momentThere(formatMomentIn(seconds, language, zone))
  return html`<time datetime="${formatIso(seconds)}">${text}</time>`
}

/**
 * A moment to the second and in UTC, as the log and the command line have it. Where a script may run,
 * it tells the time of the browser when somebody points there.
 */
export const renderExactMoment = (seconds: number, language: Language): Markup => {
  const iso = formatIso(seconds)
  const day = days(language.dates).format(seconds * 1000)
  const text = phrases(language).moment({ day, time: iso.slice(11, 19) })
  return html`<span data-as="exact"><time datetime="${iso}">${text}</time></span>`
}

/** A moment that is near in time: how far away within a week, its day otherwise. */
export const sayNear = (seconds: number, now: number, { language, zone }: TimeView): Markup => {
  const isAway = Math.abs(seconds - now) < nearSeconds
  const text = isAway
    ? formatAway(now - seconds, language)
    : getFormats(language, zone ?? 'UTC').shortDay.format(seconds * 1000)
  return html`<span data-as="${isAway ? 'ago' : 'day'}"><time datetime="${formatIso(seconds)}">${text}</time></span>`
}

/** Loaded where the owner chose no zone: then times are in that of the browser. */
export const renderTimesScript = ({ base, zone }: Pick<View, 'base' | 'zone'>): Markup | null =>
  zone === null || zone === 'UTC'
    ? html`<script type="module" src="${base}/assets/times.js"></script>`
    : null

/** For a page that loads another script than that of times: each time names UTC by itself. */
export const stripUtc = <Of extends TimeView>(view: Of): Of =>
  view.zone === 'UTC' ? { ...view, zone: null } : view

export const number = (value: number, { dates }: Language): string => numbers(dates).format(value)

/** The name of a day (days since 1970), as in `21 November 2026`. */
export const formatDay = (day: number, language: Language): string =>
  days(language.dates).format(day * 86_400_000)

/** How long ago something was, in its greatest whole unit. */
export const sayAgo = (seconds: number, language: Language): string => {
  if (seconds < 60) return phrases(language).justNow
  const [unit, size] = pickUnit(seconds)
  return relative(language.dates).format(-Math.floor(seconds / size), unit)
}

/** The same, or how far ahead it is, where `seconds` is less than 0. */
const formatAway = (seconds: number, language: Language): string => {
  if (seconds >= 0) return sayAgo(seconds, language)
  const [unit, size] = pickUnit(-seconds)
  return relative(language.dates).format(Math.max(1, Math.floor(-seconds / size)), unit)
}

const pickUnit = (seconds: number): readonly ['minute' | 'hour' | 'day', number] => {
  if (seconds < 3600) return ['minute', 60]
  return seconds < 86_400 ? ['hour', 3600] : ['day', 86_400]
}
