/**
 * `/account`: the applications with access, one line each, and the way to end several at once.
 * `/account/ended`: accesses that ended lately, with links to their ledgers.
 */

import { findClient } from '../../../clients/find.ts'
import { accountNotes } from '../../../features/account.ts'
import { queryOf } from '../../../http/request.ts'
import { isId } from '../../../model/ids.ts'
import { sayActor } from '../../../paper/acting.ts'
import { hide, noEnter, sayName } from '../../../paper/fields.ts'
import { drawIcon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderEmpty } from '../../../paper/pieces.ts'
import { sayAllowedBy } from '../../../paper/provenance.ts'
import { renderAskedAct } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { number, sayWhen } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { page } from '../../../route.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import { storeLimits } from '../../../store/limits.ts'
import { type OwnerVisit, readDone } from '../../owner-visit.ts'
import { getClientLogoPath, showPage } from '../../visit.ts'
import { endOf, listAllAllowed, sumUpAllowed } from '../accesses.ts'
import { renderBranches } from '../branches.ts'
import { eventWords } from '../events/words.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage, renderOption } from '../frame.ts'
import type { OpenPage } from '../needs.ts'
import {
  type ApplicationRow,
  type DoneInList,
  filters,
  isEnding,
  isUnused,
  listApplications,
  orders,
  placeQuery,
} from './list.ts'
import { accountWords, endedWords } from './words.ts'

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

const renderNotice = ({ what, clientName, count }: AccountDone, view: View): Content => {
  const { done, lookBack } = accountWords(view.language)
  const client =
    clientName === null ? html`${eventWords(view.language).goneClient}` : sayName(clientName)
  if (what === 'gone' || what === 'unticked') return done[what]
  const said = what === 'endedSeveral' ? done.endedSeveral({ count }) : done[what]({ client })
  return html`${said} <a class="off-paper" href="${pageUrl(view, '/account/ended')}">${lookBack}</a>`
}

const renderTags = (of: ApplicationRow, { language }: View): Markup => {
  const words = accountWords(language)
  const allowedBy = sayAllowedBy(of, language)
  const destructive = html`${drawIcon('warning')}${words.isDestructive}`
  const told: readonly (readonly [boolean, string, Content])[] = [
    [of.isDestructive, ' bad', destructive],
    [of.clientDisabled, ' warn', words.isDisabled],
    [of.isPaused, ' warn', words.isPaused],
    [allowedBy !== null, '', allowedBy],
    [of.installations > 1, '', words.installed({ count: of.installations })],
  ]
  return html`${told.filter(([is]) => is).map(([, look, text]) => html` <span class="tag${look}">${text}</span>`)}`
}

const renderTabs = (current: 'living' | 'ended', view: View): Markup => {
  const { tabs } = accountWords(view.language)
  const tab = (name: typeof current, path: string): Markup =>
    html`<li><a href="${pageUrl(view, path)}"${name === current ? html` aria-current="page"` : null}>${tabs[name]}</a></li>`
  return html`<nav aria-label="${tabs.label}"><ul class="tabs">${tab('living', '/account')}${tab('ended', '/account/ended')}</ul></nav>`
}

/** The whole line is the link; the box in front of it selects it. */
const renderApplicationLine = (of: ApplicationRow, { now, view }: AccountPage): Markup => {
  const words = accountWords(view.language)
  const { duration, expiresAt, lastUsedAt } = of
  const client = sayName(of.clientName)
  const href = pageUrl(view, `/account/access/${of.id}`)
  const used =
    lastUsedAt === null ? words.neverUsed : words.used({ when: sayWhen(lastUsedAt, now, view) })
  const end = expiresAt === null ? words.noEnd : words.ends({ when: sayWhen(expiresAt, now, view) })
  const isForVisit = duration === 'session'
  const hasEnd = isForVisit || expiresAt !== null
  return html`<li>
<label class="pick"><input type="checkbox" name="access" value="${of.id}"><span class="unseen">${words.select({ client })}</span></label>
${renderTile(of.clientName, of.logoPath, { registeredBy: of.clientRegisteredBy })}
<div class="app"><a href="${href}">${client}</a>${renderTags(of, view)}<span class="what">${of.what.join(' · ')}</span></div>
<div class="times"><span class="used${isUnused(of, now) ? ' warn' : ''}">${used}</span>
<span class="ends${isEnding(of, now) ? ' warn' : ''}${hasEnd ? '' : ' none'}">${isForVisit ? words.endsAtLogout : end}</span></div>
${drawIcon('on')}${renderBranches(of.branches, now, view)}
</li>
`
}

const pageLinks = (page: AccountPage, words: AccountWords): Markup => {
  const { view, place, first, found, pages, applications } = page
  const link = (to: number, text: string): Markup | null =>
    to < 1 || to > pages
      ? null
      : html`<a class="button" href="${pageUrl(view, '/account', placeQuery({ ...place, page: to }))}">${text}</a>`
  const last = first + applications.length - 1
  return html`<nav class="pages" aria-label="${words.pages}"><span class="quiet">${words.range({ first, last, found })}</span>${link(place.page - 1, words.previous)}${link(place.page + 1, words.next)}</nav>`
}

const list = (page: AccountPage, words: AccountWords): Markup => {
  const { view, csrf, place, applications, pages } = page
  const asked = { effect: words.ifEnded, action: 'end-selected', confirm: words.endNow }
  return html`<form class="card" method="post" action="${pageUrl(view, '/account', placeQuery(place))}">
${noEnter}
${hide('csrf', csrf)}
<ul class="apps">
${applications.map((one) => renderApplicationLine(one, page))}</ul>
<div class="picked">${renderAskedAct(words.endSelected, asked)}</div>
</form>
${pages > 1 ? pageLinks(page, words) : null}`
}

/** Search, filter and order, as one form that changes nothing. */
const renderListTools = ({ view, place, counts }: AccountPage, words: AccountWords): Markup => {
  // A GET form replaces the query of its action, so the requested language becomes a field.
  const carried = [...new URLSearchParams(view.carried)].map(([name, value]) => hide(name, value))
  return html`<form class="tools" method="get" role="search" action="${pageUrl(view, '/account')}">${carried}
<label class="field long"><span>${words.search}</span><input type="search" name="q" value="${place.q}" autocomplete="off"></label>
<label class="field"><span>${words.show}</span><select name="show">${filters.map((name) => renderOption(name, `${words.filters[name]} (${number(counts[name], view.language)})`, place.show))}</select></label>
<label class="field"><span>${words.order}</span><select name="order">${orders.map((name) => renderOption(name, words.orders[name], place.order))}</select></label>
<button type="submit">${words.apply}</button>
</form>`
}

const listOrNone = (page: AccountPage, words: AccountWords): Markup => {
  if (page.counts.all === 0) return renderEmpty({ heading: words.nothing, says: null })
  const all = html`<a href="${pageUrl(page.view, '/account')}">${words.showAll}</a>`
  const none = html`<p class="card">${words.noMatch} ${all}</p>`
  return html`${renderListTools(page, words)}
${page.applications.length === 0 ? none : list(page, words)}`
}

export const renderAccount = (page: AccountPage): string => {
  const { view, counts } = page
  const words = accountWords(view.language)
  return renderAccountPage(page, {
    part: 'applications',
    heading: words.heading,
    notice: page.done ? renderNotice(page.done, view) : null,
    main: html`${page.notes ?? []}${counts.all === 0 ? null : html`<p class="quiet">${words.able({ count: counts.all })}${counts.unused === 0 ? null : html` ${words.unused({ count: counts.unused })}`}</p>`}
${renderTabs('living', view)}
${listOrNone(page, words)}`,
  })
}

export interface EndedAccess
  extends Pick<
      ApplicationRow,
      'id' | 'clientName' | 'clientRegisteredBy' | 'logoPath' | 'lastUsedAt' | 'allowedBy'
    >,
    Pick<ListedAuthorization, 'parentClientName'> {
  readonly could: readonly string[]
  readonly endedAt: number
}

export interface EndedPage extends AccountPageGiven {
  readonly accesses: readonly EndedAccess[]
  readonly now: number
  readonly next: string | null
}

/** The whole line leads to what it did. */
const renderEndedLine = (of: EndedAccess, { now, view }: EndedPage): Markup => {
  const { used, neverUsed } = accountWords(view.language)
  const { ended } = endedWords(view.language)
  const allowedBy = sayAllowedBy(of, view.language)
  const href = pageUrl(view, '/account/ledger', { authorization: of.id })
  return html`<li>
${renderTile(of.clientName, of.logoPath, { registeredBy: of.clientRegisteredBy })}
<div class="app"><a href="${href}">${sayActor(of, view.language)}</a>${allowedBy && html` <span class="tag">${allowedBy}</span>`}<span class="what">${of.could.join(' · ')}</span></div>
<div class="times"><span class="used">${of.lastUsedAt === null ? neverUsed : used({ when: sayWhen(of.lastUsedAt, now, view) })}</span>
<span class="ends">${ended({ when: sayWhen(of.endedAt, now, view) })}</span></div>
${drawIcon('on')}
</li>
`
}

export const renderEnded = (page: EndedPage): string => {
  const { view, accesses, next } = page
  const { language } = view
  const words = endedWords(language)
  const days = storeLimits.useDays
  const isOpened = accesses.some(({ allowedBy = null }) => allowedBy !== null)
  const again = html`<p class="off-paper"><a href="${pageUrl(view, '/account/issuers')}">${words.again}</a></p>`
  const list = html`<ul class="apps past">
${accesses.map((of) => renderEndedLine(of, page))}</ul>`
  return renderAccountPage(page, {
    part: 'applications',
    heading: accountWords(language).heading,
    title: words.heading,
    main: html`<p class="quiet">${accesses.length === 0 ? words.nothing({ days }) : words.about({ days })}</p>
${renderTabs('ended', view)}
${accesses.length === 0 ? null : list}
${isOpened ? again : null}
${next === null ? null : html`<p class="off-paper"><a class="button" href="${pageUrl(view, '/account/ended', { after: next })}">${words.more}</a></p>`}`,
  })
}

/** Where the list goes on: an end and an id, as an earlier page named them, or its beginning. */
const parsePlace = ({ request }: OwnerVisit): string | null => {
  const after = queryOf(request).find('after') ?? ''
  const [place = null, id = ''] = /^\d{1,16}-(.{26})$/.exec(after) ?? []
  return isId(id) ? place : null
}

export const openApplications: OpenPage = (needs, { forOwner }) => {
  const accountDone = async (visit: OwnerVisit): Promise<AccountDone | null> => {
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
    const done = await accountDone(visit)
    const found = await Promise.all(accountNotes.map((find) => find(visit, needs)))
    const notes = found.filter((note) => note !== null)
    const html = renderAccount({ ...pickGiven(visit), now: visit.at, done, notes, ...list })
    return showPage(visit, html)
  })
  const showEnded = forOwner(async (visit) => {
    const { at, view, login } = visit
    const found = await needs.store.listAuthorizations(
      { ownerId: login.owner.id, ended: true },
      parsePlace(visit),
      parameterLimits.pageRowsDefault,
      at,
      'latest end first',
    )
    const accesses = found.rows.map((one) => ({
      ...one,
      endedAt: endOf(one, at),
      could: sumUpAllowed(listAllAllowed(one), view.language, needs.resources).what,
      logoPath: getClientLogoPath(one.clientId, one.clientLogo, needs),
    }))
    const html = renderEnded({ ...pickGiven(visit), accesses, now: at, next: found.next })
    return showPage(visit, html)
  })
  return [
    { ...page, method: 'GET', path: '/account', handler: show },
    { ...page, method: 'GET', path: '/account/ended', handler: showEnded },
  ]
}
