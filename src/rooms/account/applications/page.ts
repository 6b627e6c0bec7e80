/** `/account`: the applications with access, one row each, and the way to end several at once. */

import { findClient } from '../../../clients/find.ts'
import { accountNotes } from '../../../features/account.ts'
import { hide, noEnter, sayName } from '../../../paper/fields.ts'
import { icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderChips, renderEmpty } from '../../../paper/pieces.ts'
import { number } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { page } from '../../../route.ts'
import { type OwnerVisit, readDone } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { eventWords } from '../events/words.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage } from '../frame.ts'
import { accountLimits } from '../limits.ts'
import type { OpenPage } from '../needs.ts'
import { type DoneInList, filters, listApplications, orders, placeQuery } from './list.ts'
import { renderGroups, renderPlain } from './row.ts'
import { accountWords } from './words.ts'

type AccountWords = ReturnType<typeof accountWords>

export interface AccountDone {
  readonly what: DoneInList
  readonly clientName: string | null
  readonly count: number
}

export type AccountPage = AccountPageGiven &
  Awaited<ReturnType<typeof listApplications>> & {
    readonly now: number
    readonly done?: AccountDone | null
    /** What features say. */
    readonly notes?: readonly Markup[]
  }

const linkEnded = (view: View, words: AccountWords): Markup =>
  html`<a href="${pageUrl(view, '/account/ended')}">${words.ended}</a>`

const renderNotice = ({ what, clientName, count }: AccountDone, view: View): Content => {
  const words = accountWords(view.language)
  const client =
    clientName === null ? html`${eventWords(view.language).goneClient}` : sayName(clientName)
  if (what === 'gone' || what === 'unticked') return words.done[what]
  const said =
    what === 'endedSeveral' ? words.done.endedSeveral({ count }) : words.done[what]({ client })
  return html`${said} ${linkEnded(view, words)}`
}

const renderPageLinks = (page: AccountPage, words: AccountWords): Markup => {
  const { view, place, first, found, pages, applications } = page
  const link = (to: number, text: string): Markup | null =>
    to < 1 || to > pages
      ? null
      : html`<a class="button" href="${pageUrl(view, '/account', placeQuery({ ...place, page: to }))}">${text}</a>`
  const last = first + applications.length - 1
  return html`<nav class="pages" aria-label="${words.pages}"><span>${words.range({ first, last, found })}</span>${link(place.page - 1, words.previous)}${link(place.page + 1, words.next)}</nav>`
}

/** Whether the list is long enough for groups and tools, or shows a part of it. */
const isLong = ({ counts, place: { q, show, order } }: AccountPage): boolean =>
  counts.all >= accountLimits.toolsFrom || q !== '' || show !== 'all' || order !== 'used'

/** The other orders, as links. */
const renderOrders = ({ view, place }: AccountPage, words: AccountWords): Markup =>
  html`<nav class="orders" aria-label="${words.order}">${orders
    .filter((order) => order !== place.order)
    .map(
      (order) =>
        html`<a href="${pageUrl(view, '/account', placeQuery({ ...place, order, page: 1 }))}">${words.orders[order]}</a>`,
    )}</nav>`

const renderRowsOf = (page: AccountPage, words: AccountWords): Markup => {
  const { view, now, applications, place } = page
  if (!isLong(page)) return renderPlain({ applications, now, beside: html`` }, null, view)
  const listing = { applications, now, beside: renderOrders(page, words) }
  return place.order === 'used' && place.show === 'all' && place.q === ''
    ? renderGroups(listing, view)
    : renderPlain(listing, words.orders[place.order], view)
}

const renderListForm = (page: AccountPage, words: AccountWords): Markup => {
  const { view, csrf, place, pages } = page
  return html`<form class="list" method="post" action="${pageUrl(view, '/account', placeQuery(place))}">
${noEnter}
${hide('csrf', csrf)}
${renderRowsOf(page, words)}
<div class="picked"><p><b>${words.endSelected}</b> <span class="quiet small">${words.ifEnded}</span></p><button class="danger primary" type="submit" name="action" value="end-selected">${words.endNow}</button></div>
</form>
${pages > 1 ? renderPageLinks(page, words) : null}`
}

/** Filters are links with counts, where they leave anything. Enter sends the search, which changes nothing. */
const renderListTools = ({ view, place, counts }: AccountPage, words: AccountWords): Markup => {
  const isShown = (name: (typeof filters)[number]): boolean =>
    name === 'all' || name === place.show || (name !== 'unused' && counts[name] > 0)
  const chips = filters.filter(isShown).map((show) => ({
    href: pageUrl(view, '/account', placeQuery({ ...place, q: '', show, page: 1 })),
    text: words.filters[show],
    count: number(counts[show], view.language),
    isCurrent: show === place.show && place.q === '',
  }))
  const ended = pageUrl(view, '/account/ended')
  const all = [...chips, { href: ended, text: words.ended, count: null, isCurrent: false }]
  // A GET form replaces the query of its action, so what stays becomes fields.
  const { q, page: _page, ...kept } = placeQuery(place)
  const carried = [...Object.entries(kept), ...new URLSearchParams(view.carried)]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => hide(name, value))
  return html`<div class="tools">${renderChips(words.filter, all)}
<form class="find" method="get" role="search" action="${pageUrl(view, '/account')}">${carried}${icons.search}<input type="search" name="q" value="${q}" placeholder="${words.find}" aria-label="${words.search}" autocomplete="off"></form></div>`
}

const renderHead = (page: AccountPage, words: AccountWords): Markup => {
  const { view, counts, applications } = page
  const unused = pageUrl(view, '/account', { show: 'unused' })
  const sleep = html`<p class="lead"><a href="${unused}">${words.unused({ count: counts.unused })}</a></p>`
  const toggle = html`<label class="toggle off-paper"><input type="checkbox" class="selects unseen"><span class="on">${words.selectSome}</span><span class="off">${words.selected}</span></label>`
  return html`<h1>${words.able({ count: counts.all })}</h1>
<div class="select">${counts.unused === 0 ? null : sleep}${applications.length === 0 ? null : toggle}</div>`
}

const renderSome = (page: AccountPage, words: AccountWords): Markup => {
  const all = html`<a href="${pageUrl(page.view, '/account')}">${words.showAll}</a>`
  const none = html`<p class="card">${words.noMatch} ${all}</p>`
  const ended = html`<p class="after off-paper">${linkEnded(page.view, words)}</p>`
  return html`${isLong(page) ? renderListTools(page, words) : null}
${page.applications.length === 0 ? none : renderListForm(page, words)}${isLong(page) ? null : ended}`
}

export const renderAccount = (page: AccountPage): string => {
  const { view, counts, owner, notes = [] } = page
  const words = accountWords(view.language)
  const isEmpty = counts.all === 0
  const welcome = words.welcome({ name: sayName(owner.name || owner.username) })
  const says = html`${welcome} ${words.willStand}`
  const empty = html`${renderEmpty({ heading: words.nothing, says, level: 'h1' })}
<p class="after off-paper">${linkEnded(view, words)}</p>`
  return renderAccountPage(page, {
    part: 'applications',
    heading: null,
    head: isEmpty ? html`` : renderHead(page, words),
    notice: page.done ? renderNotice(page.done, view) : null,
    main: html`${notes}${isEmpty ? empty : renderSome(page, words)}`,
  })
}

export const openApplications: OpenPage = (needs, { forOwner }) => {
  const findAccountDone = async (visit: OwnerVisit): Promise<AccountDone | null> => {
    const done = readDone(visit)
    if (done === null || !Object.hasOwn(accountWords.english.done, done.what)) return null
    const client = done.clientId && (await findClient(done.clientId, needs, 'disabled'))
    return {
      what: done.what as DoneInList,
      clientName: client ? client.name : null,
      count: Number(done.detail) || 0,
    }
  }
  const show = forOwner(async (visit) => {
    await needs.uses.catchUp()
    const list = await listApplications(visit, needs)
    const done = await findAccountDone(visit)
    const found = await Promise.all(accountNotes.map((find) => find(visit, needs)))
    const notes = found.filter((note) => note !== null)
    const html = renderAccount({ ...pickGiven(visit), now: visit.at, done, notes, ...list })
    return showPage(visit, html)
  })
  return [{ ...page, method: 'GET', path: '/account', handler: show }]
}
