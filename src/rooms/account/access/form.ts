/** What the page of one application shows, and its form: permissions, the end date, pause, and the end. */

import { clientLimits } from '../../../clients/limits.ts'
import { computeEnd } from '../../../model/authorization.ts'
import type { Language } from '../../../model/language.ts'
import type { ScopeWord } from '../../../model/scope-word.ts'
import { computeDay, type UseDay } from '../../../model/use.ts'
import { type DetailLine, renderDetail } from '../../../paper/detail.ts'
import { hide, noEnter, renderForm, sayName, showAlert } from '../../../paper/fields.ts'
import { drawIcon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { pauseWords } from '../../../paper/pause.ts'
import type { AllowedAccess, Provenance } from '../../../paper/provenance.ts'
import { getCells, type ResourceRow } from '../../../paper/resource-row.ts'
import { renderAskedAct } from '../../../paper/rows.ts'
import { formatDay, sayMoment, sayWhen } from '../../../paper/time.ts'
import { phrases } from '../../../paper/words/phrases.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import type { Branch } from '../branches.ts'
import type { AccountPageGiven } from '../frame.ts'
import type { LedgerLine } from '../ledger/uses.ts'
import type { accessWords } from './words.ts'

export type AccessWords = ReturnType<typeof accessWords>

export interface AccessCell {
  readonly permission: string
  readonly text: string
  /** The permission cannot be unticked by itself. */
  readonly isFixed?: boolean
  readonly isDestructive?: boolean
}

export interface AccessDone {
  readonly what: 'narrowed' | 'until' | 'paused' | 'resumed'
  readonly lost: readonly string[]
}

/** Times are unix seconds. */
export interface AccessPage
  extends AccountPageGiven,
    Provenance,
    AllowedAccess,
    Pick<ListedAuthorization, 'clientName' | 'parentClientName' | 'clientDisabled' | 'paused'>,
    Pick<ListedAuthorization, 'duration' | 'parentId'>,
    Pick<ListedAuthorization, 'createdAt' | 'expiresAt' | 'lastUsedAt'> {
  readonly id: string
  readonly clientId: string
  /** The application of the owner's approval: this one, or the root of its tree. */
  readonly approvedName: string
  readonly logoPath: string | null
  readonly registration: {
    readonly createdAt: number
    readonly policyUri: string | null
    readonly termsUri: string | null
  }
  readonly rows: readonly ResourceRow<AccessCell>[]
  readonly about: readonly { readonly word: ScopeWord; readonly cell: AccessCell }[]
  /** What its owner approved in detail, each with the value of its box. */
  readonly details?: readonly (DetailLine & { readonly key: string })[]
  /** The day of the end, such as `2026-11-21`; '' where there is none. */
  readonly lastDay: string
  readonly days: { readonly first: string; readonly last: string }
  /** A day that was typed and cannot be the end; null without one. */
  readonly badEnd: string | null
  readonly others: readonly Pick<AccessPage, 'id' | 'createdAt' | 'lastUsedAt'>[]
  readonly installations: number
  /** The applications that act for it. */
  readonly branches: readonly Branch[]
  readonly now: number
  /** How many days the drawing of uses reaches back, and the uses of each day. */
  readonly drawnDays: number
  readonly counted: readonly UseDay[]
  readonly uses: readonly LedgerLine[]
  readonly done?: AccessDone | null
}

const listPageCells = ({ rows, about }: AccessPage): readonly AccessCell[] => [
  ...rows.flatMap(getCells),
  ...about.map(({ cell }) => cell),
]

/** A browser does not send a disabled field, so a hidden one speaks for it. */
const renderBox = (of: AccessCell, language: Language): Markup => {
  const { isFixed = false, isDestructive = false } = of
  const mark = html` <strong class="tag bad">${drawIcon('warning')}${phrases(language).destructive}</strong>`
  const text = isDestructive ? html`<b>${of.text}</b>${mark}` : of.text
  return html`<li${isDestructive ? html` class="destroys"` : null}><label class="tick"><input type="checkbox" name="permission" value="${of.permission}" checked${isFixed ? html` disabled` : null}><span>${text}</span></label>${isFixed ? hide('permission', of.permission) : null}</li>
`
}

const renderPermissions = (page: AccessPage, words: AccessWords): Markup => {
  const { language } = page.view
  const details = page.details ?? []
  return html`<section class="card">
<h2 id="may">${words.may}</h2>
<ul class="may" aria-labelledby="may">
${listPageCells(page).map((cell) => renderBox(cell, language))}${details.map((line) => renderDetail(line, line.key, language))}</ul>
<p class="actions"><button class="primary" type="submit" name="action" value="narrow">${words.save}</button><span class="quiet">${words.more({ client: sayName(page.approvedName) })}</span></p>
</section>`
}

const sayEnd = (page: AccessPage, words: AccessWords): Content => {
  const { duration, expiresAt, now, view, parentClientName } = page
  if (expiresAt === null && parentClientName !== null) {
    return words.endsWith({ parent: sayName(parentClientName) })
  }
  if (expiresAt === null) return duration === 'session' ? words.atLogout : words.noEnd
  if (duration !== 'session') return sayWhen(expiresAt, now, view)
  return words.atLogoutOr({ when: sayMoment(expiresAt, view) })
}

/** The ends to choose from. A day that is filled in counts without a further click. */
const renderNewEnd = (page: AccessPage, words: AccessWords): Markup => {
  const { view, days, now, badEnd } = page
  const { duration } = phrases(view.language)
  const wrong = badEnd !== null && html` aria-invalid="true" aria-describedby="problem" autofocus`
  const choice = (value: 'day' | 'month' | 'forever'): Markup =>
    html`<label class="tick"><input type="radio" name="until" value="${value}"><span>${duration[value]}</span></label>
`
  const today = formatDay(computeDay(now), view.language)
  return html`<details class="end"${badEnd === null ? null : html` open`}><summary>${words.changeEnd}</summary>
${badEnd === null ? null : showAlert(words.badEnd({ today }))}
<fieldset><legend class="unseen">${words.newEnd}</legend>
<div class="tick"><input type="radio" name="until" value="date" id="until-date" checked><span><label for="until-date">${words.lastDay}</label> <input type="date" name="date" value="${badEnd ?? page.lastDay}" min="${days.first}" max="${days.last}" aria-label="${words.lastDay}"${wrong || null}></span></div>
${(['day', 'month', 'forever'] as const).map(choice)}</fieldset>
<button type="submit" name="action" value="until">${words.setEnd}</button>
</details>`
}

const renderState = (page: AccessPage, words: AccessWords): Markup => {
  const { view, now, lastUsedAt } = page
  const client = sayName(page.clientName)
  const action = page.paused === null ? 'pause' : 'resume'
  const effect = words.ifEnded({ client })
  const end = renderAskedAct(words.end, { effect, action: 'end', confirm: words.endNow })
  return html`<section class="card">
<h2>${words.access}</h2>
<dl class="facts">
<div><dt>${words.since}</dt><dd>${sayWhen(page.createdAt, now, view)}</dd></div>
<div><dt>${words.lastUsed}</dt><dd>${lastUsedAt === null ? words.never : sayWhen(lastUsedAt, now, view)}</dd></div>
<div><dt>${words.ends}</dt><dd>${sayEnd(page, words)}</dd></div>
</dl>
${renderNewEnd(page, words)}
<div class="stack"><button type="submit" name="action" value="${action}">${words[action]}</button>
${page.others.length > 0 ? html`<p class="quiet small">${pauseWords(view.language).covers({ client })}</p>` : null}
${end}</div>
</section>`
}

export const renderAccessForm = (page: AccessPage, words: AccessWords): Markup => {
  const shown = listPageCells(page).map(({ permission }) => permission)
  // An empty field would count as absent.
  const shownDetails = ['none', ...(page.details ?? []).map(({ key }) => key)]
  const fields = html`${noEnter}${hide('authorization', page.id)}${hide('shown', shown.join(' '))}${hide('shown-details', shownDetails.join(' '))}
${renderPermissions(page, words)}
${renderState(page, words)}`
  return renderForm(page, '/account', fields, 'sides')
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
