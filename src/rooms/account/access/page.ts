/** The page of one application: its permissions and their end, its uses, and its origin. */

import { findClient } from '../../../clients/find.ts'
import type { Answer } from '../../../http/answer.ts'
import { normalizeName } from '../../../model/plain/line.ts'
import type { Permissions } from '../../../model/resource.ts'
import { computeDay, countLoggedDays, countWholeDays } from '../../../model/use.ts'
import { describeDetail } from '../../../paper/detail.ts'
import { hide, noEnter, renderForm, sayName } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderBack } from '../../../paper/pieces.ts'
import { renderAskedAct } from '../../../paper/rows.ts'
import { sayMoment, sayWhen } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { findWebUri, formatHost } from '../../../protocol/web-uri.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import { storeLimits } from '../../../store/limits.ts'
import { type OwnerVisit, readDone } from '../../owner-visit.ts'
import { getClientLogoPath, showPage } from '../../visit.ts'
import {
  countInstallations,
  detailsLost,
  findActsAs,
  findApproved,
  hashDetail,
  listAll,
  listAllowed,
  listOthers,
  tellAllowed,
} from '../accesses.ts'
import { groupBranches } from '../branches.ts'
import { pickGiven, renderAccountPage } from '../frame.ts'
import { renderUseDrawing } from '../ledger/drawing.ts'
import { describeUses, renderUseLog } from '../ledger/lines.ts'
import { accountLimits } from '../limits.ts'
import type { AccountNeeds } from '../needs.ts'
import { formatUtcDay, getDayRange } from './end.ts'
import { renderAccessForm } from './form.ts'
import { renderDone, renderUndo } from './receipt.ts'
import type { AccessDone, AccessPage, AccessWords } from './shown.ts'
import { accessWords } from './words.ts'

/** The way to the others, and one button that ends them together with this one. */
const renderOthers = (page: AccessPage, words: AccessWords): Markup | null => {
  const { view, now, installations: count } = page
  if (page.others.length === 0) return null
  const client = sayName(page.clientName)
  const line = (of: AccessPage['others'][number]): Markup =>
    html`<li><a href="${pageUrl(view, `/account/access/${of.id}`)}">${words.sinceThen({ when: sayWhen(of.createdAt, now, view) })}</a> <span class="quiet">${of.lastUsedAt === null ? words.neverUsed : words.lastUse({ when: sayWhen(of.lastUsedAt, now, view) })}</span></li>
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
  const { id, view, counted, drawnDays: days, now, uses } = page
  const query = { authorization: id }
  const unseen = html`<span class="unseen"> (${sayName(page.clientName)})</span>`
  const all = html`<a href="${pageUrl(view, '/account/ledger', query)}">${words.showLog}${unseen}</a>`
  const file = html`<a href="${pageUrl(view, '/account/ledger.json', query)}" download>${words.download}</a>`
  return html`<section class="card">
<h2>${words.did({ days })}</h2>
${renderUseDrawing({ counted, days, today: computeDay(now) }, view.language)}
${renderUseLog(uses, 'h3', now, view)}
<p class="actions off-paper">${all}${uses.length === 0 ? null : file}</p>
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
  const { view, parentId, parentClientName } = page
  const words = accessWords(view.language)
  const above = parentId === null ? '/account' : (`/account/access/${parentId}` as const)
  return renderAccountPage(page, {
    part: 'applications',
    title: normalizeName(page.clientName),
    heading: null,
    head: renderBack(
      view,
      above,
      parentClientName === null ? words.back : sayName(parentClientName),
    ),
    notice: renderDone(page, words),
    undo: renderUndo(page, words),
    main: html`${renderAccessForm(page, words)}
${renderOthers(page, words)}
${renderUses(page, words)}
${renderDetails(page, words)}`,
  })
}

const findAccessDone = (visit: OwnerVisit, { resources }: AccountNeeds): AccessDone | null => {
  const done = readDone(visit)
  if (done === null || !Object.hasOwn(accessWords.english.done, done.what)) return null
  const detail = done.detail ?? ''
  const lost = detail.split(' ').filter((name) => name !== '')
  const { inDetail } = accessWords(visit.view.language)
  return {
    what: done.what as AccessDone['what'],
    lost: [
      ...tellAllowed(lost as unknown as Permissions, visit.view.language, resources),
      ...(lost.includes(detailsLost) ? [inDetail] : []),
    ],
    before: detail,
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
    actsAs: await findActsAs([access], login.owner, needs),
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
    uses: await describeUses(uses.rows, access.ownerId, view.language, needs),
    done: badEnd === null ? findAccessDone(visit, needs) : null,
  })
  return showPage(visit, html, { status: badEnd === null ? 200 : 400 })
}
