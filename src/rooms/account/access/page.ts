/** The page of one application: its permissions and their end, its uses, and its origin. */

import { findClient } from '../../../clients/find.ts'
import type { Answer } from '../../../http/answer.ts'
import type { Permissions } from '../../../model/resource.ts'
import { computeDay, countLoggedDays, countWholeDays } from '../../../model/use.ts'
import { sayActor } from '../../../paper/acting.ts'
import { describeDetail } from '../../../paper/detail.ts'
import { hide, noEnter, renderForm, sayName } from '../../../paper/fields.ts'
import { drawIcon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { tellPause } from '../../../paper/pause.ts'
import { renderBack } from '../../../paper/pieces.ts'
import { findWebUri, formatHost, normalizeName } from '../../../paper/plain-text.ts'
import { renderProvenance, sayAllowedBy } from '../../../paper/provenance.ts'
import { renderAskedAct } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayMoment, sayWhen } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import { storeLimits } from '../../../store/limits.ts'
import { type OwnerVisit, readDone } from '../../owner-visit.ts'
import { getClientLogoPath, showPage } from '../../visit.ts'
import {
  countInstallations,
  detailsLost,
  findApproved,
  hashDetail,
  listAll,
  listAllowed,
  listOthers,
  tellAllowed,
} from '../accesses.ts'
import { groupBranches, renderBranches } from '../branches.ts'
import { pickGiven, renderAccountPage } from '../frame.ts'
import { describeUses, renderUseDrawing, renderUseTable } from '../ledger/uses.ts'
import { accountLimits } from '../limits.ts'
import type { AccountNeeds } from '../needs.ts'
import {
  type AccessDone,
  type AccessPage,
  type AccessWords,
  formatUtcDay,
  getDayRange,
  renderAccessForm,
} from './form.ts'
import { accessWords } from './words.ts'

const renderNotice = ({ done, clientName, others }: AccessPage, words: AccessWords): Content => {
  if (!done) return null
  const client = sayName(clientName)
  const rest = others.length > 0 ? html` ${words.otherStays}` : null
  if (done.what === 'until') return html`${words.done.until}${rest}`
  if (done.what !== 'narrowed') return words.done[done.what]({ client })
  const lost = done.lost.join(words.between)
  return lost === ''
    ? words.done.unchanged
    : html`${words.done.narrowed({ client, lost: html`${lost}` })}${rest}`
}

const renderHead = (page: AccessPage, words: AccessWords): Markup => {
  const { view } = page
  const status = page.clientDisabled ? 'disabled' : page.paused === null ? 'has' : 'paused'
  const client = sayName(page.clientName)
  const allowedBy = sayAllowedBy(page, view.language)
  return html`<div class="head"><div class="asks">${renderTile(page.clientName, page.logoPath, { size: 'big', registeredBy: page.clientRegisteredBy })}<div><h1>${sayActor(page, view.language)}</h1>${renderProvenance(page, view.language)}${allowedBy && html`<p class="quiet">${allowedBy}</p>`}</div></div>
<span class="status${status === 'has' ? '' : ' off'}">${words.status[status]}</span></div>
${page.clientDisabled ? html`<p class="notice warning">${drawIcon('warning')}${words.disabled({ client })}</p>` : null}
${page.paused && html`<p class="notice">${tellPause(page.paused, client, view.language)}</p>`}`
}

const renderActing = (page: AccessPage, words: AccessWords): Markup | null =>
  page.branches.length === 0
    ? null
    : html`<section class="card">
<h2>${words.acting({ client: sayName(page.clientName) })}</h2>
<p class="quiet small">${words.actingEnds({ client: sayName(page.clientName) })}</p>
${renderBranches(page.branches, page.now, page.view)}
</section>`

/** The way to the others, and one button that ends them together with this one. */
const renderOthers = (page: AccessPage, words: AccessWords): Markup | null => {
  const { view, now, installations: count } = page
  if (page.others.length === 0) return null
  const client = sayName(page.clientName)
  const line = (of: AccessPage['others'][number]): Markup =>
    html`<li><a href="${pageUrl(view, `/account/access/${of.id}`)}">${words.other({ since: sayWhen(of.createdAt, now, view) })}</a> <span class="quiet">${words.lastUsed}: ${of.lastUsedAt === null ? words.never : sayWhen(of.lastUsedAt, now, view)}</span></li>
`
  const isSeveral = count > 1
  const end = renderAskedAct(isSeveral ? words.endInstallations({ count }) : words.endEvery, {
    effect: words.ifEnded({ client }),
    action: isSeveral ? 'end-installations' : 'end-every',
    confirm: words.endNow,
  })
  return html`<section class="card">
<h2>${isSeveral ? words.installations({ count }) : words.others({ client })}</h2>
<ul class="ways">
${page.others.map(line)}</ul>
${renderForm(page, '/account', [noEnter, hide('authorization', page.id), hide('client', page.clientId), end])}
</section>`
}

const renderUses = (page: AccessPage, words: AccessWords): Markup => {
  const { id, view, counted, drawnDays: days, now, clientName } = page
  const query = { authorization: id }
  const drawing = { id, counted, days, today: computeDay(now) }
  return html`<section class="card">
<h2>${words.did}</h2>
${renderUseDrawing(drawing, view.language)}
${page.uses.length === 0 ? null : renderUseTable(page.uses, clientName, view)}
<p class="actions off-paper"><a class="button" href="${pageUrl(view, '/account/ledger', query)}">${words.showLog}<span class="unseen"> (${sayName(clientName)})</span></a>${page.uses.length === 0 ? null : html`<a class="button" href="${pageUrl(view, '/account/ledger.json', query)}" download>${words.download}</a>`}</p>
</section>`
}

/** Nobody has checked the addresses of a stranger: they are text. */
const pageOf = (uri: string | null, { clientRegisteredBy }: AccessPage): Content => {
  const checked = findWebUri(uri)
  const host = html`<code>${formatHost(uri) ?? ''}</code>`
  if (checked === null) return null
  return clientRegisteredBy === 'itself'
    ? host
    : html`<a href="${checked}" rel="noopener noreferrer nofollow">${host}</a>`
}

const renderDetails = (page: AccessPage, words: AccessWords): Markup => {
  const { view, registration } = page
  const when = sayMoment(registration.createdAt, view)
  const by = page.clientRegisteredBy === 'itself' ? words.byItself : words.byOperator
  const line = (term: string, told: Content): Markup | null =>
    told === null
      ? null
      : html`<div><dt>${term}</dt><dd>${told}</dd></div>
`
  return html`<details class="card"><summary>${words.details}</summary>
<dl>
${line(words.clientId, html`<code>${page.clientId}</code>`)}${line(words.registered, by({ when }))}${line(words.policy, pageOf(registration.policyUri, page))}${line(words.terms, pageOf(registration.termsUri, page))}</dl>
</details>`
}

export const renderAccess = (page: AccessPage): string => {
  const { view } = page
  const words = accessWords(view.language)
  return renderAccountPage(page, {
    part: 'applications',
    title: normalizeName(page.clientName),
    heading: null,
    head: html`${renderBack(view, page.parentId === null ? '/account' : `/account/access/${page.parentId}`, page.parentClientName === null ? words.back : sayName(page.parentClientName))}
${renderHead(page, words)}`,
    notice: renderNotice(page, words),
    main: html`${renderAccessForm(page, words)}
${renderActing(page, words)}
${renderOthers(page, words)}
${renderUses(page, words)}
${renderDetails(page, words)}`,
  })
}

const findAccessDone = (visit: OwnerVisit, { resources }: AccountNeeds): AccessDone | null => {
  const done = readDone(visit)
  if (done === null || !Object.hasOwn(accessWords.english.done, done.what)) return null
  const lost = (done.detail ?? '').split(' ').filter((name) => name !== '')
  const { inDetail } = accessWords(visit.view.language)
  return {
    what: done.what as AccessDone['what'],
    lost: [
      ...tellAllowed(lost as unknown as Permissions, visit.view.language, resources),
      ...(lost.includes(detailsLost) ? [inDetail] : []),
    ],
  }
}

/** @param badEnd the typed day of an impossible end; null without one */
export const showAccess = async (
  visit: OwnerVisit,
  access: ListedAuthorization,
  badEnd: string | null,
  needs: AccountNeeds,
): Promise<Answer> => {
  const { at, view, login } = visit
  const { store, settings, resources } = needs
  const of = { authorizationId: access.id, ownerId: access.ownerId }
  const drawnDays = Math.min(storeLimits.useDays, countWholeDays(settings.accessLogSeconds))
  const days = countLoggedDays(settings.accessLogSeconds, at)
  const all = await listAll(login.owner.id, at, store)
  const others = listOthers(access, all)
  const client = await findClient(access.clientId, needs, 'disabled')
  const uses = await store.listUses(of, days, null, accountLimits.latestUses, at)
  const html = renderAccess({
    ...access,
    ...pickGiven(visit),
    approvedName: findApproved(access, all).clientName,
    logoPath: getClientLogoPath(access.clientId, access.clientLogo, needs),
    registration: {
      createdAt: client?.createdAt ?? access.createdAt,
      policyUri: client?.display.policy_uri ?? null,
      termsUri: client?.display.tos_uri ?? null,
    },
    ...listAllowed(access.permissions, view.language, resources),
    details: access.details.flatMap((detail) => {
      const line = describeDetail(detail, resources.list(), view.language)
      return line === null ? [] : [{ ...line, key: hashDetail(detail) }]
    }),
    lastDay: access.expiresAt === null ? '' : formatUtcDay(access.expiresAt),
    days: getDayRange(at),
    badEnd,
    others,
    installations: countInstallations([access, ...others]),
    branches: groupBranches(all)([access.id]),
    now: at,
    drawnDays,
    counted: await store.countUses(of, drawnDays, at),
    uses: await describeUses(uses.rows, view.language, needs),
    done: badEnd === null ? findAccessDone(visit, needs) : null,
  })
  return showPage(visit, html, { status: badEnd === null ? 200 : 400 })
}
