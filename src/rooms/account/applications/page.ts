/** `/account`: the applications with access, one line each, and the way to end several at once. */
import { findClient } from '../../../clients/find.ts'
import { hidden, named, noEnter } from '../../../paper/fields.ts'
import { icon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderTile } from '../../../paper/tile.ts'
import { near, number, renderTimesScript } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { page, type RouteRow } from '../../../route.ts'
import { doneOf, type OwnerVisit } from '../../owner-visit.ts'
import type { Pages } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { eventWords } from '../events/words.ts'
import { type AccountPageGiven, renderAccountPage, renderTabs } from '../frame.ts'
import type { AccountNeeds } from '../needs.ts'
import {
  type ApplicationRow,
  type DoneInList,
  filters,
  isEnding,
  isUnused,
  type ListedApplications,
  listApplications,
  orders,
  placeQuery,
} from './list.ts'
import { accountWords } from './words.ts'

export interface AccountDone {
  readonly what: DoneInList
  /** Null where there is no such application any more. */
  readonly clientName: string | null
  /** How many applications it was done to. */
  readonly count: number
}

export interface AccountPage extends AccountPageGiven, ListedApplications {
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

const used = ({ lastUsedAt }: ApplicationRow, now: number, view: View): Content => {
  const words = accountWords(view.language)
  return lastUsedAt === null ? words.neverUsed : words.used({ when: near(lastUsedAt, now, view) })
}

const ends = ({ duration, expiresAt }: ApplicationRow, now: number, view: View): Content => {
  const words = accountWords(view.language)
  if (duration === 'session') return words.endsAtLogout
  return expiresAt === null ? words.noEnd : words.ends({ when: near(expiresAt, now, view) })
}

const tags = (of: ApplicationRow, view: View): Markup => {
  const words = accountWords(view.language)
  const destructive = html`${icon('warning')}${words.isDestructive}`
  const told: readonly (readonly [boolean, string, Content])[] = [
    [of.isDestructive, ' bad', destructive],
    [of.clientDisabled, ' warn', words.isDisabled],
    [of.isPaused, ' warn', words.isPaused],
    [of.installations > 1, '', words.installed({ count: of.installations })],
  ]
  return html`${told.filter(([is]) => is).map(([, look, text]) => html` <span class="tag${look}">${text}</span>`)}`
}

/** The whole line is the link; the box in front of it selects it. */
const renderApplicationRow = (of: ApplicationRow, now: number, view: View): Markup => {
  const words = accountWords(view.language)
  const client = named(of.clientName)
  const href = pageUrl(view, `/account/access/${of.id}`)
  const hasEnd = of.duration === 'session' || of.expiresAt !== null
  return html`<li>
<label class="pick"><input type="checkbox" name="access" value="${of.id}"><span class="unseen">${words.select({ client })}</span></label>
${renderTile(of.clientName, of.logoPath, { registeredBy: of.clientRegisteredBy })}
<div class="app"><a href="${href}">${client}</a>${tags(of, view)}<span class="what">${of.what.join(' · ')}</span></div>
<div class="times"><span class="used${isUnused(of, now) ? ' warn' : ''}">${used(of, now, view)}</span>
<span class="ends${isEnding(of, now) ? ' warn' : ''}${hasEnd ? '' : ' none'}">${ends(of, now, view)}</span></div>
${icon('on')}
</li>
`
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

export const openApplications = (needs: AccountNeeds, { forOwner }: Pages): readonly RouteRow[] => {
  const accountDone = async (visit: OwnerVisit): Promise<AccountDone | null> => {
    const done = doneOf(visit)
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
    const { view, csrf, login, at } = visit
    const list = await listApplications(visit, needs)
    const done = await accountDone(visit)
    const html = renderAccount({ view, csrf, owner: login.owner, now: at, done, ...list })
    return showPage(visit, html, { hasScript: true })
  })
  return [{ ...page, method: 'GET', path: '/account', handler: show }]
}
