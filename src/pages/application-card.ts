/** One application on the account page: what it may do as switches, since when and until when, and the way to take it back. */
import type { Authorization, Pause } from '../model/authorization.ts'
import type { Language } from '../model/language.ts'
import { dayOf, type UseDay } from '../model/use.ts'
import { type AboutRow, renderAbout } from './about.ts'
import { alert, hidden, named, noEnter } from './fields.ts'
import { type Content, html, type Markup } from './markup.ts'
import { tellPause } from './pause.ts'
import {
  cellsOf,
  type ResourceRow,
  renderDestructive,
  renderPermissionTable,
} from './permission-table.ts'
import { type Provenance, renderProvenance } from './provenance.ts'
import { ago, dayName, moment } from './time.ts'
import { renderUnused, renderUses, type UsesGiven } from './uses.ts'
import { pageUrl, type View } from './view.ts'
import { accountWords } from './words/account.ts'
import { pauseWords } from './words/pause.ts'
import { phrases } from './words/phrases.ts'

/** A permission that the application has. */
export interface AccountCell {
  readonly permission: string
  readonly text: string
  /** It cannot be switched off by itself. */
  readonly isFixed?: boolean
  /** Marked, since it cannot be undone or costs money. */
  readonly isDestructive?: boolean
}

export interface AccountAuthorization extends Provenance {
  readonly id: string
  readonly clientId: string
  /** Whether the application has another access, on a card of its own. */
  readonly hasOthers: boolean
  readonly clientName: string
  readonly clientDisabled: boolean
  /** Null unless it is paused. */
  readonly paused: Pause | null
  /** The newest access of its application, and how many installations of that have access. */
  readonly installations?: { readonly newest: string; readonly count: number }
  /** Its permissions; null cells for missing ones. */
  readonly rows: readonly ResourceRow<AccountCell>[]
  /** What it may know of its owner. */
  readonly about: readonly AboutRow<AccountCell>[]
  readonly duration: Authorization['duration']
  /** Unix seconds, like all that follow. */
  readonly createdAt: number
  /** Null = until taken back. */
  readonly expiresAt: number | null
  /** The day of the end, such as `2026-11-21`; '' where there is none. */
  readonly lastDay: string
  /** Null = never. */
  readonly lastUsedAt: number | null
  /** Of the last days; those without any use may be left out. */
  readonly counted: readonly UseDay[]
}

/** What every card of a page is given. */
export interface CardGiven extends UsesGiven {
  readonly csrf: string
  /** The first and the last day that may be chosen for the end. */
  readonly days: { readonly first: string; readonly last: string }
  /** The key after which the list on this page begins; '' = its beginning. */
  readonly after: string
  /** The invalid day of a form, and its access. */
  readonly badEnd: { readonly id: string; readonly day: string } | null
}

const until = ({ duration, expiresAt }: AccountAuthorization, view: View): Content => {
  const words = accountWords[view.language]
  const when = expiresAt === null ? null : moment(expiresAt, view)
  if (duration !== 'session') return when ?? words.untilTakenBack
  return when === null ? words.untilLogout : words.untilLogoutOr({ when })
}

const lastUsed = (at: number, now: number, view: View): Markup =>
  accountWords[view.language].used({ when: moment(at, view), ago: ago(now - at, view.language) })

const facts = (of: AccountAuthorization, now: number, view: View): Markup => {
  const words = accountWords[view.language]
  return html`<dl>
<div><dt>${words.lastUsed}</dt><dd>${of.lastUsedAt === null ? words.never : lastUsed(of.lastUsedAt, now, view)}</dd></div>
<div><dt>${words.since}</dt><dd>${moment(of.createdAt, view)}</dd></div>
<div><dt>${words.until}</dt><dd>${until(of, view)}</dd></div>
</dl>`
}

/** A browser does not send a disabled field, so a hidden one speaks for it. */
const switchFor = (of: AccountCell, language: Language): Markup =>
  html`<label class="tick switch"><input type="checkbox" name="permission" value="${of.permission}" checked${of.isFixed ? html` disabled` : null}><span>${of.text}${renderDestructive(of, language)}</span></label>${of.isFixed ? hidden('permission', of.permission) : null}`

const shownOf = ({ rows, about }: AccountAuthorization): string =>
  [...rows.flatMap(cellsOf), ...about.map(({ cell }) => cell)]
    .map(({ permission }) => permission)
    .join(' ')

/** Why a day that was typed is none to end on. */
export const tellBadEnd = (now: number, language: Language): string =>
  accountWords[language].badEnd({ today: dayName(dayOf(now), language) })

/** The ends to choose from. A day that is filled in counts without a further click. */
const ends = (of: AccountAuthorization, client: Markup, given: CardGiven): Markup => {
  const { view, days, now } = given
  const words = accountWords[view.language]
  const bad = given.badEnd?.id === of.id ? given.badEnd : null
  const wrong = bad && html` aria-invalid="true" aria-describedby="problem" autofocus`
  const { duration } = phrases[view.language]
  const choice = (value: 'day' | 'month' | 'forever'): Markup =>
    html`<label class="tick"><input type="radio" name="until" value="${value}"><span>${duration[value]}</span></label>
`
  return html`<details class="more"${bad && html` open`}><summary>${words.changeEnd}<span class="unseen">${words.endOf({ client })}</span></summary>
${bad && alert(tellBadEnd(now, view.language))}
<fieldset><legend>${words.newEnd({ client })}</legend>
<div class="tick"><input type="radio" name="until" value="date" id="date-${of.id}" checked><span><label for="date-${of.id}">${words.lastDay}</label> <input type="date" name="date" value="${bad?.day ?? of.lastDay}" min="${days.first}" max="${days.last}" aria-label="${words.lastDay}"${wrong}></span></div>
${(['day', 'month', 'forever'] as const).map(choice)}</fieldset>
<p class="actions"><button type="submit" name="action" value="until">${words.setEnd}<span class="unseen">${words.endOf({ client })}</span></button></p>
</details>`
}

/** One button: what is paused can be resumed, and the reverse. */
const pausing = (of: AccountAuthorization, client: Markup, language: Language): Markup => {
  const words = pauseWords[language]
  const action = of.paused === null ? 'pause' : 'resume'
  return html`${of.hasOthers ? html`<p class="quiet">${words.covers({ client })}</p>` : null}
<p class="actions"><button type="submit" name="action" value="${action}">${words[action]}<span class="unseen">${accountWords[language].narrowOf({ client })}</span></button></p>`
}

/** Of several accesses each ends by itself; one more button ends them together. */
const endings = (of: AccountAuthorization, client: Markup, language: Language): Markup => {
  const words = accountWords[language]
  const button = (action: string, text: string): Markup =>
    html`<button class="danger" type="submit" name="action" value="${action}">${text}<span class="unseen">${words.endOf({ client })}</span></button>`
  if (of.installations !== undefined)
    return html`<p class="actions">${button('end', words.endOne)}</p>`
  return of.hasOthers
    ? html`${hidden('client', of.clientId)}<p class="actions">${button('end', words.endOne)}${button('end-every', words.endEvery)}</p>`
    : html`<p class="actions">${button('end', words.end)}</p>`
}

export const renderApplicationCard = (
  of: AccountAuthorization,
  given: CardGiven,
): Markup => html`<section class="card">
<h2>${named(of.clientName)}</h2>
${renderProvenance(of, given.view.language)}
${renderAccess(of, given)}
</section>
`

/** One access, without the name of its application. */
export const renderAccess = (of: AccountAuthorization, given: CardGiven): Markup => {
  const { view, csrf, now } = given
  const { language } = view
  const words = accountWords[language]
  const client = named(of.clientName)
  const switches = (cell: AccountCell): Markup => switchFor(cell, language)
  const notAllowed = html`<span class="quiet">${words.notAllowed}</span>`
  return html`${of.clientDisabled ? html`<p class="notice warning">${words.disabled({ client })}</p>` : null}
${of.paused && html`<p class="notice">${tellPause(of.paused, client, language)}</p>`}
${of.hasOthers ? html`<p class="quiet">${words.hasOthers({ client })}</p>` : null}
${renderUnused(of, now, view)}
${facts(of, now, given.view)}
${renderUses(of, given)}
<form method="post" action="${pageUrl(view, '/account', { after: given.after })}">
${noEnter}
${hidden('csrf', csrf)}
${hidden('authorization', of.id)}
${hidden('shown', shownOf(of))}
${of.rows.length === 0 ? null : renderPermissionTable(words.may({ client }), of.rows, switches, notAllowed, language)}
${renderAbout(of.about, switches, language)}
<p class="actions"><button type="submit" name="action" value="narrow">${words.narrow}<span class="unseen">${words.narrowOf({ client })}</span></button></p>
${ends(of, client, given)}
${pausing(of, client, language)}
${endings(of, client, language)}
</form>`
}
