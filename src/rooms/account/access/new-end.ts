/** A new end of an authorization: a day of the calendar, or a time from now. */
import { clientLimits } from '../../../clients/limits.ts'
import { lastingEnd } from '../../../model/authorization.ts'
import type { Parameters } from '../../../protocol/parameters.ts'

const dayOf = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10)

/** The days that may be chosen, first and last, as `2026-11-21`; all days are those of UTC. */
export const choosableDays = (at: number): { readonly first: string; readonly last: string } => ({
  first: dayOf(at),
  last: dayOf(at + clientLimits.lifetimeSeconds),
})

/** The day of an end, as a field for dates shows it. */
export const dayOfEnd = (expiresAt: number | null): string =>
  expiresAt === null ? '' : dayOf(expiresAt)

/** The last second of a day; null if the text is no day, or the day cannot be chosen. */
const parseDay = (text: string, at: number): number | null => {
  const { first, last } = choosableDays(at)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < first || text > last) return null
  const end = Date.parse(`${text}T23:59:59Z`) / 1000
  // 2027-13-45 gives NaN. 31 February gives a day in March.
  return Number.isFinite(end) && dayOf(end) === text && end > at ? end : null
}

/** @returns the end, null for none; `bad` if the form names no possible end */
export const parseNewEnd = (form: Parameters, at: number): number | null | 'bad' => {
  const until = form.find('until') ?? 'date'
  if (until === 'day' || until === 'month' || until === 'forever') return lastingEnd(until, at)
  return until === 'date' ? (parseDay(form.find('date') ?? '', at) ?? 'bad') : 'bad'
}
