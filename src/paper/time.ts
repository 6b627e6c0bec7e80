/** Moments and spans of time, in words. */
import { english, type Language } from '../model/language.ts'
import { html, type Markup } from './markup.ts'
import { keepPerLocale } from './message.ts'
import { phrases } from './words/phrases.ts'

/** Formats of so many time zones stay in memory. */
const zonesKept = 60

const daySeconds = 86_400

/** Within so many days, the name of the weekday tells which day it is. */
export const weekDays = 7

/** For a language that Node does not know, English. */
const addEnglish = (tag: string): readonly string[] => [tag, english.dates]

const days = keepPerLocale(
  (tag) => new Intl.DateTimeFormat(addEnglish(tag), { dateStyle: 'long', timeZone: 'UTC' }),
)
const numbers = keepPerLocale((tag) => new Intl.NumberFormat(addEnglish(tag)))
const relative = keepPerLocale((tag) => new Intl.RelativeTimeFormat(addEnglish(tag)))
const minutes = keepPerLocale(
  (tag) => new Intl.RelativeTimeFormat(addEnglish(tag), { style: 'short' }),
)
const nearDays = keepPerLocale(
  (tag) => new Intl.RelativeTimeFormat(addEnglish(tag), { numeric: 'auto' }),
)
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
  readonly weekday: Intl.DateTimeFormat
  readonly dayOfYear: Intl.DateTimeFormat
  readonly dayOfAnyYear: Intl.DateTimeFormat
  /** The day in digits: year, month and day. */
  readonly digits: Intl.DateTimeFormat
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
    weekday: new Intl.DateTimeFormat(tags, { weekday: 'long', timeZone: zone }),
    dayOfYear: new Intl.DateTimeFormat(tags, { day: 'numeric', month: 'short', timeZone: zone }),
    dayOfAnyYear: new Intl.DateTimeFormat(tags, { dateStyle: 'medium', timeZone: zone }),
    digits: new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone }),
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
  return renderTime(seconds, 'exact', text)
}

/** `datetime` is for programs. Where a script may run, it writes the text anew, in the zone of the browser. */
const renderTime = (seconds: number, form: 'when' | 'day' | 'clock' | 'exact', text: string) =>
  html`<span data-as="${form}"><time datetime="${formatIso(seconds)}">${text}</time></span>`

/** How many days of the calendar a moment is away: less than 0 for the past. */
export const countDaysAway = (
  seconds: number,
  now: number,
  { language, zone }: TimeView,
): number => {
  const { digits } = getFormats(language, zone ?? 'UTC')
  const [there = 0, here = 0] = [seconds, now].map((of) => Date.parse(digits.format(of * 1000)))
  return Math.round((there - here) / (daySeconds * 1000))
}

/**
 * The day of a moment: `yesterday`, `today` or `tomorrow`, `Friday` within a week, `14 Nov`, and
 * `14 Nov 2025` in another year.
 */
const formatNearDay = (seconds: number, now: number, view: TimeView): string => {
  const { language, zone } = view
  const { digits, weekday, dayOfYear, dayOfAnyYear } = getFormats(language, zone ?? 'UTC')
  const away = countDaysAway(seconds, now, view)
  if (Math.abs(away) <= 1) return nearDays(language.dates).format(away, 'day')
  if (Math.abs(away) < weekDays) return weekday.format(seconds * 1000)
  const [there, here] = [seconds, now].map((of) => digits.format(of * 1000).slice(0, 4))
  return (there === here ? dayOfYear : dayOfAnyYear).format(seconds * 1000)
}

/** The same for all moments of a day. */
export const formatDayKey = (seconds: number, { language, zone }: TimeView): string =>
  getFormats(language, zone ?? 'UTC').digits.format(seconds * 1000)

/** A day in full, in the zone of the reader. */
export const sayDate = (seconds: number, { language, zone }: TimeView): Markup =>
  html`<time datetime="${formatIso(seconds)}">${formatMomentIn(seconds, language, zone ?? 'UTC').day}</time>`

/** A day, as the heading of what happened on it. */
export const sayDay = (seconds: number, now: number, view: TimeView): Markup =>
  renderTime(seconds, 'day', formatNearDay(seconds, now, view))

/** The time of a day that stands in a heading above: `09:12`. */
export const sayClock = (seconds: number, { language, zone }: TimeView): Markup =>
  renderTime(seconds, 'clock', formatMomentIn(seconds, language, zone ?? 'UTC').time)

/** The same to the second and in UTC, as the log has it. */
export const sayExactClock = (seconds: number): Markup =>
  html`<time datetime="${formatIso(seconds)}">${formatIso(seconds).slice(11, 19)}</time>`

/** The one form of moments on the pages of an owner: how far away within a day, and else the day. */
export const sayWhen = (seconds: number, now: number, view: TimeView): Markup => {
  const isNear = Math.abs(seconds - now) < daySeconds
  const text = isNear ? formatAway(now - seconds, view.language) : formatNearDay(seconds, now, view)
  return renderTime(seconds, 'when', text)
}

/** For a page that loads another script than that of times: each time names UTC by itself. */
export const stripUtc = <Of extends TimeView>(view: Of): Of =>
  view.zone === 'UTC' ? { ...view, zone: null } : view

export const number = (value: number, { dates }: Language): string => numbers(dates).format(value)

/** The name of a day (days since 1970), as in `21 November 2026`. */
export const formatDay = (day: number, language: Language): string =>
  days(language.dates).format(day * 86_400_000)

/** The same without the year, and shorter: `21 Nov`. */
export const formatShortDay = (day: number, language: Language): string =>
  getFormats(language, 'UTC').dayOfYear.format(day * 86_400_000)

/** How long ago something was, in its greatest whole unit. */
export const sayAgo = (seconds: number, language: Language): string => {
  if (seconds < 60) return phrases(language).justNow
  const [unit, size] = pickUnit(seconds)
  return chooseFormat(unit)(language.dates).format(-Math.floor(seconds / size), unit)
}

/** The same, or how far ahead it is, where `seconds` is less than 0. */
const formatAway = (seconds: number, language: Language): string => {
  if (seconds >= 0) return sayAgo(seconds, language)
  const [unit, size] = pickUnit(-seconds)
  return chooseFormat(unit)(language.dates).format(Math.max(1, Math.floor(-seconds / size)), unit)
}

/** Minutes are so many that their short form is read sooner. */
const chooseFormat = (unit: Intl.RelativeTimeFormatUnit) => (unit === 'minute' ? minutes : relative)

const pickUnit = (seconds: number): readonly ['minute' | 'hour' | 'day', number] => {
  if (seconds < 3600) return ['minute', 60]
  return seconds < 86_400 ? ['hour', 3600] : ['day', 86_400]
}
