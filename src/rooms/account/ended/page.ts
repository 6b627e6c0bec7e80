/** `/account/ended`: authorizations that ended lately, one line each, with links to their access logs. */
import { limits } from '../../../config/limits.ts'
import { type Exchange, queryOf } from '../../../http/exchange.ts'
import type { Client } from '../../../model/client.ts'
import { isId } from '../../../model/ids.ts'
import { named } from '../../../paper/fields.ts'
import { icon } from '../../../paper/icon.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderTile } from '../../../paper/tile.ts'
import { near, renderTimesScript } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { page, type RouteRow } from '../../../route.ts'
import type { Pages } from '../../pages.ts'
import { clientLogoPath } from '../../paths.ts'
import { showPage } from '../../visit.ts'
import { endOf, sumUpAllowed } from '../accesses.ts'
import { accountWords } from '../applications/words.ts'
import { type AccountPageGiven, renderAccountPage, renderTabs } from '../frame.ts'
import type { AccountNeeds } from '../needs.ts'
import { endedWords } from './words.ts'

export interface EndedAccess {
  /** Of the authorization. */
  readonly id: string
  readonly clientName: string
  readonly clientRegisteredBy: Client['registeredBy']
  /** Where this service serves its picture; null without one. */
  readonly logoPath: string | null
  /** What it could do at its end, in a few words. */
  readonly could: readonly string[]
  /** Unix seconds, like all that follow. */
  readonly endedAt: number
  /** Null = never. */
  readonly lastUsedAt: number | null
}

export interface EndedPage extends AccountPageGiven {
  /** The latest end first. */
  readonly accesses: readonly EndedAccess[]
  readonly now: number
  /** The key of the next page; null where there is none. */
  readonly next: string | null
}

/** The whole line leads to what it did. */
const line = (of: EndedAccess, { now, view }: EndedPage): Markup => {
  const { used, neverUsed } = accountWords(view.language)
  const { ended } = endedWords(view.language)
  const href = pageUrl(view, '/account/ledger', { authorization: of.id })
  return html`<li>
${renderTile(of.clientName, of.logoPath, { registeredBy: of.clientRegisteredBy })}
<div class="app"><a href="${href}">${named(of.clientName)}</a><span class="what">${of.could.join(' · ')}</span></div>
<div class="times"><span class="used">${of.lastUsedAt === null ? neverUsed : used({ when: near(of.lastUsedAt, now, view) })}</span>
<span class="ends">${ended({ when: near(of.endedAt, now, view) })}</span></div>
${icon('on')}
</li>
`
}

export const renderEnded = (page: EndedPage): string => {
  const { view, accesses, next } = page
  const { language } = view
  const words = endedWords(language)
  const days = limits.useDays
  return renderAccountPage(page, {
    part: 'applications',
    heading: accountWords(language).heading,
    title: words.heading,
    main: html`<p class="quiet">${accesses.length === 0 ? words.nothing({ days }) : words.about({ days })}</p>
${renderTabs('ended', view)}
${
  accesses.length === 0
    ? null
    : html`<ul class="card flush apps past">
${accesses.map((of) => line(of, page))}</ul>`
}
${next === null ? null : html`<p class="off-paper"><a class="button" href="${pageUrl(view, '/account/ended', { after: next })}">${words.more}</a></p>`}
${renderTimesScript(view)}`,
  })
}

/** Where the list goes on: an end and an id, as an earlier page named them, or its beginning. */
const parsePlace = ({ request }: Pick<Exchange, 'request'>): string | null => {
  const [place = null, id = ''] =
    /^\d{1,16}-(.{26})$/.exec(queryOf(request).find('after') ?? '') ?? []
  return isId(id) ? place : null
}

export const openEnded = (
  { store, resources, settings }: AccountNeeds,
  { forOwner }: Pages,
): readonly RouteRow[] => {
  const show = forOwner(async (visit) => {
    const { at, view, csrf } = visit
    const { owner } = visit.login
    const found = await store.listAuthorizations(
      { ownerId: owner.id, ended: true },
      parsePlace(visit),
      limits.pageRowsDefault,
      at,
      'latest end first',
    )
    const accesses = found.rows.map((one) => ({
      ...one,
      endedAt: endOf(one, at),
      could: sumUpAllowed(one.permissions, view.language, resources).what,
      logoPath: clientLogoPath(one.clientId, one.clientLogo, { settings }),
    }))
    const html = renderEnded({ view, csrf, owner, accesses, now: at, next: found.next })
    return showPage(visit, html, { hasScript: true })
  })
  return [{ ...page, method: 'GET', path: '/account/ended', handler: show }]
}
