/** `/account/ended`: accesses that ended lately, with links to their ledgers. */

import { queryOf } from '../../../http/request.ts'
import { isId } from '../../../model/ids.ts'
import { sayActor } from '../../../paper/acting.ts'
import { icons } from '../../../paper/icon.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderBack, renderEmpty } from '../../../paper/pieces.ts'
import { sayAllowedBy } from '../../../paper/provenance.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayWhen } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { page } from '../../../route.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import { storeLimits } from '../../../store/limits.ts'
import type { OwnerVisit } from '../../owner-visit.ts'
import { getClientLogoPath, showPage } from '../../visit.ts'
import { endOf, listAllAllowed } from '../accesses.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage } from '../frame.ts'
import type { OpenPage } from '../needs.ts'
import { sumUpAllowed } from '../sentence.ts'
import type { ApplicationRow } from './list.ts'
import { accountWords, endedWords } from './words.ts'

interface EndedAccess
  extends Pick<ApplicationRow, 'id' | 'clientName' | 'clientRegisteredBy' | 'logoPath'>,
    Pick<ApplicationRow, 'allowedBy'>,
    Pick<ListedAuthorization, 'parentClientName'> {
  readonly could: string
  readonly endedAt: number
}

export interface EndedPage extends AccountPageGiven {
  readonly accesses: readonly EndedAccess[]
  readonly now: number
  readonly next: string | null
}

/** The whole row leads to what it did. */
const renderEndedRow = (of: EndedAccess, { now, view }: EndedPage): Markup => {
  const { ended, could } = endedWords(view.language)
  const allowedBy = sayAllowedBy(of, view.language)
  const href = pageUrl(view, '/account/ledger', { authorization: of.id })
  const what = of.could === '' ? null : html`${could({ what: of.could })}`
  return html`<li>
${renderTile(of.clientName, of.logoPath, { registeredBy: of.clientRegisteredBy })}
<div class="app"><a href="${href}">${sayActor(of, view.language)}</a><span class="what">${allowedBy && html`${allowedBy} · `}${what}</span></div>
<div class="times"><span class="ends">${ended({ when: sayWhen(of.endedAt, now, view) })}</span></div>
${icons.on}
</li>
`
}

export const renderEnded = (page: EndedPage): string => {
  const { view, accesses, next } = page
  const { language } = view
  const words = endedWords(language)
  const days = storeLimits.useDays
  const isOpened = accesses.some(({ allowedBy = null }) => allowedBy !== null)
  const again = html`<p class="after off-paper"><a href="${pageUrl(view, '/account/issuers')}">${words.again}</a></p>`
  const more = html`<p class="after off-paper"><a class="button" href="${pageUrl(view, '/account/ended', { after: next ?? '' })}">${words.more}</a></p>`
  const back = renderBack(view, '/account', accountWords(language).title)
  const isEmpty = accesses.length === 0
  const list = html`<ul class="rows apps">
${accesses.map((of) => renderEndedRow(of, page))}</ul>`
  return renderAccountPage(page, {
    part: 'applications',
    heading: null,
    title: words.title,
    head: isEmpty
      ? back
      : html`${back}
<h1>${words.heading}</h1>
<p class="lead">${words.about({ days })}</p>`,
    main: html`${isEmpty ? renderEmpty({ heading: words.nothing({ days }), says: words.willStand, level: 'h1' }) : list}
${isOpened ? again : null}
${next === null ? null : more}`,
  })
}

/** Where the list goes on: an end and an id, as an earlier page named them, or its beginning. */
const parsePlace = ({ request }: OwnerVisit): string | null => {
  const after = queryOf(request).find('after') ?? ''
  const [place = null, id = ''] = /^\d{1,16}-(.{26})$/.exec(after) ?? []
  return isId(id) ? place : null
}

export const openEnded: OpenPage = (needs, { forOwner }) => {
  const show = forOwner(async (visit) => {
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
  return [{ ...page, method: 'GET', path: '/account/ended', handler: show }]
}
