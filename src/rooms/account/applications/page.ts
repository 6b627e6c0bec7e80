/** The account page: the applications with access, one line each, and the way to end several at once. */

import { hidden, named, noEnter } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { number, renderTimesScript } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { eventWords } from '../events/words.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import { type ApplicationRow, renderApplicationRow } from './row.ts'
import { accountWords } from './words.ts'

export const orders = ['used', 'name', 'since'] as const
export const filters = ['all', 'unused', 'ending', 'changing'] as const

/** Which part of the list is shown. */
export interface ListPlace {
  /** The name that is looked for; '' = every name. */
  readonly q: string
  readonly show: (typeof filters)[number]
  readonly order: (typeof orders)[number]
  /** From 1. */
  readonly page: number
}

/** For the query of links and forms; '' for each default. */
export const placeQuery = ({ q, show, order, page }: ListPlace) => ({
  q,
  show: show === 'all' ? '' : show,
  order: order === 'used' ? '' : order,
  page: page === 1 ? '' : String(page),
})

/** What was done to accesses, as the list says it afterwards. */
export type DoneInList = keyof ReturnType<typeof accountWords>['done']

export interface AccountDone {
  readonly what: DoneInList
  /** Null where there is no such application any more. */
  readonly clientName: string | null
  /** How many applications it was done to. */
  readonly count: number
}

export interface AccountPage extends AccountPageGiven {
  readonly place: ListPlace
  /** Of this page. */
  readonly applications: readonly ApplicationRow[]
  /** How many there are under each filter, whatever is looked for. */
  readonly counts: Readonly<Record<ListPlace['show'], number>>
  /** How many were found, and the place of the first of this page among them. */
  readonly found: number
  readonly first: number
  readonly pages: number
  /** Unix seconds. */
  readonly now: number
  readonly done?: AccountDone | null
}

const noticeOf = ({ what, clientName, count }: AccountDone, view: View): Content => {
  const { done, lookBack } = accountWords(view.language)
  const client =
    clientName === null ? html`${eventWords(view.language).goneClient}` : named(clientName)
  if (what === 'gone' || what === 'unticked') return done[what]
  const said = what === 'endedSeveral' ? done.endedSeveral({ count }) : done[what]({ client })
  return html`${said} <a class="off-paper" href="${pageUrl(view, '/account/ended')}">${lookBack}</a>`
}

/** To the list of ended accesses and back. */
export const renderTabs = (current: 'living' | 'ended', view: View): Markup => {
  const { tabs } = accountWords(view.language)
  const tab = (name: typeof current, path: string): Markup =>
    html`<li><a href="${pageUrl(view, path)}"${name === current ? html` aria-current="page"` : null}>${tabs[name]}</a></li>`
  return html`<nav class="tabs" aria-label="${tabs.label}"><ul>${tab('living', '/account')}${tab('ended', '/account/ended')}</ul></nav>`
}

const pageLinks = ({ view, place, first, found, pages, applications }: AccountPage): Markup => {
  const words = accountWords(view.language)
  const link = (to: number, text: string): Markup | null =>
    to < 1 || to > pages
      ? null
      : html`<a class="button" href="${pageUrl(view, '/account', placeQuery({ ...place, page: to }))}">${text}</a>`
  const last = first + applications.length - 1
  return html`<nav class="pages" aria-label="${words.pages}"><span class="quiet">${words.range({ first, last, found })}</span>${link(place.page - 1, words.previous)}${link(place.page + 1, words.next)}</nav>`
}

const list = (page: AccountPage): Markup => {
  const { view, csrf, place, applications, pages } = page
  const words = accountWords(view.language)
  return html`<form class="card flush" method="post" action="${pageUrl(view, '/account', placeQuery(place))}">
${noEnter}
${hidden('csrf', csrf)}
<ul class="apps">
${applications.map((one) => renderApplicationRow(one, page.now, view))}</ul>
<div class="picked"><details class="confirm"><summary class="danger">${words.endSelected}</summary>
<div><p>${words.ifEnded}</p><p><button class="danger primary" type="submit" name="action" value="end-selected">${words.endNow}</button></p></div></details></div>
</form>
${pages > 1 ? pageLinks(page) : null}`
}

const option = (value: string, text: string, chosen: string): Markup =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`

/** Search, filter and order, as one form that changes nothing. */
const renderListTools = ({ view, place, counts }: AccountPage): Markup => {
  const words = accountWords(view.language)
  // A GET form replaces the query of its action, so the requested language becomes a field.
  const carried = [...new URLSearchParams(view.carried)].map(([name, value]) => hidden(name, value))
  return html`<form class="tools" method="get" role="search" action="${pageUrl(view, '/account')}">${carried}
<label class="field long"><span>${words.search}</span><input type="search" name="q" value="${place.q}" autocomplete="off"></label>
<label class="field"><span>${words.show}</span><select name="show">${filters.map((name) => option(name, `${words.filters[name]} (${number(counts[name], view.language)})`, place.show))}</select></label>
<label class="field"><span>${words.order}</span><select name="order">${orders.map((name) => option(name, words.orders[name], place.order))}</select></label>
<button type="submit">${words.apply}</button>
</form>`
}

const listOrNone = (page: AccountPage): Markup => {
  const { view, counts, applications } = page
  const words = accountWords(view.language)
  if (counts.all === 0) return html`<p class="card">${words.nothing}</p>`
  return html`${renderListTools(page)}
${
  applications.length === 0
    ? html`<p class="card">${words.noMatch} <a href="${pageUrl(view, '/account')}">${words.showAll}</a></p>`
    : list(page)
}`
}

export const renderAccount = (page: AccountPage): string => {
  const { view, counts } = page
  const words = accountWords(view.language)
  return renderAccountPage(page, {
    part: 'applications',
    heading: words.heading,
    notice: page.done ? noticeOf(page.done, view) : null,
    main: html`${counts.all === 0 ? null : html`<p class="quiet">${words.able({ count: counts.all })}${counts.unused === 0 ? null : html` ${words.unused({ count: counts.unused })}`}</p>`}
${renderTabs('living', view)}
${listOrNone(page)}
${renderTimesScript(view)}`,
  })
}
