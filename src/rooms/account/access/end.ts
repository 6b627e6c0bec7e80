/** The end of an access: the present one, those to choose from, and the one in a form. */

import { clientLimits } from '../../../clients/limits.ts'
import { computeEnd } from '../../../model/authorization.ts'
import { computeDay } from '../../../model/use.ts'
import { sayName, showAlert } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { formatDay, sayMoment, sayWhen } from '../../../paper/time.ts'
import { phrases } from '../../../paper/words/phrases.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import type { AccessPage, AccessWords } from './shown.ts'

export const sayEnd = (page: AccessPage, words: AccessWords): Content => {
  const { duration, expiresAt, now, view, parentClientName } = page
  if (expiresAt === null && parentClientName !== null) {
    return words.endsWith({ parent: sayName(parentClientName) })
  }
  if (expiresAt === null) return duration === 'session' ? words.atLogout : words.noEnd
  if (duration !== 'session') return sayWhen(expiresAt, now, view)
  return words.atLogoutOr({ when: sayMoment(expiresAt, view) })
}

const ends = ['day', 'month', 'forever', 'date'] as const

/** The present end is chosen. A day of the calendar has its field, which is seen with that choice. */
export const renderNewEnd = (page: AccessPage, words: AccessWords): Markup => {
  const { view, days, now, badEnd, expiresAt, duration } = page
  const texts = { ...phrases(view.language).duration, date: words.anotherDay }
  const hasNone = badEnd === null && expiresAt === null && duration !== 'session'
  const chosen = hasNone ? 'forever' : 'date'
  const wrong = badEnd !== null && html` aria-invalid="true" aria-describedby="problem" autofocus`
  const choice = (value: (typeof ends)[number]): Markup =>
    html`<label class="tick"><input type="radio" name="until" value="${value}"${value === chosen ? html` checked` : null}><span>${texts[value]}</span></label>
`
  const today = formatDay(computeDay(now), view.language)
  return html`<details class="end"${badEnd === null ? null : html` open`}><summary>${words.changeEnd}</summary>
${badEnd === null ? null : showAlert(words.badEnd({ today }))}
<fieldset><legend class="unseen">${words.newEnd}</legend>
${ends.map(choice)}<label class="field"><span>${words.lastDay}</span><input type="date" name="date" value="${badEnd ?? page.lastDay}" min="${days.first}" max="${days.last}"${wrong || null}></label></fieldset>
<button type="submit" name="action" value="until">${words.setEnd}</button>
</details>`
}

export const formatUtcDay = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10)

/** The days that may be chosen, first and last, as `2026-11-21`; all days are those of UTC. */
export const getDayRange = (at: number): { readonly first: string; readonly last: string } => ({
  first: formatUtcDay(at),
  last: formatUtcDay(at + clientLimits.lifetimeSeconds),
})

/** The last second of a day; null if the text is no day, or the day cannot be chosen. */
const parseDay = (text: string, at: number): number | null => {
  const { first, last } = getDayRange(at)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < first || text > last) return null
  const end = Date.parse(`${text}T23:59:59Z`) / 1000
  // 2027-13-45 gives NaN. 31 February gives a day in March.
  return Number.isFinite(end) && formatUtcDay(end) === text && end > at ? end : null
}

/** @returns the end, null for none; `bad` if the form names no possible end */
export const parseNewEnd = (form: Parameters, at: number): number | null | 'bad' => {
  const until = form.find('until') ?? 'date'
  if (until === 'day' || until === 'month' || until === 'forever') return computeEnd(until, at)
  return until === 'date' ? (parseDay(form.find('date') ?? '', at) ?? 'bad') : 'bad'
}

/** The fields that set an end again; null if no form can. */
export const listEndFields = (before: string) => {
  if (before === '') return null
  return before === 'forever' ? { until: before } : { until: 'date', date: before }
}

/** An end that a form can set, such as `2026-11-21` or `forever`; '' for any other. */
export const formatEnd = ({
  duration,
  expiresAt,
}: Pick<ListedAuthorization, 'duration' | 'expiresAt'>): string => {
  if (duration === 'session') return ''
  if (expiresAt === null) return 'forever'
  const day = formatUtcDay(expiresAt)
  return Date.parse(`${day}T23:59:59Z`) / 1000 === expiresAt ? day : ''
}
