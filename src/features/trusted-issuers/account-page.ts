/** `/account/issuers`: the accesses of an owner by issuers. Ended ones can be allowed again. */
import type { ClientId } from '../../model/ids.ts'
import { hide, sayName } from '../../paper/fields.ts'
import { icons } from '../../paper/icon.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { renderBack, renderEmpty } from '../../paper/pieces.ts'
import { renderAct, renderRow, renderRows } from '../../paper/rows.ts'
import { pageUrl } from '../../paper/view.ts'
import type { ServiceParts } from '../../registries.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage } from '../../rooms/account/frame.ts'
import { answerDone, findNotice, type OwnerVisit } from '../../rooms/owner-visit.ts'
import type { Pages, TakeForm } from '../../rooms/pages.ts'
import { showPage } from '../../rooms/visit.ts'
import type { RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import type { ListedIssuerAccess } from './contract.ts'
import { issuerWords } from './words.ts'

const path = '/account/issuers'

export interface IssuersPage extends AccountPageGiven {
  readonly accesses: readonly ListedIssuerAccess[]
  readonly notice: string | null
}

const renderAccess = (access: ListedIssuerAccess, page: IssuersPage): Markup => {
  const { view } = page
  const words = issuerWords(view.language)
  const { authorizationId, clientId, issuerId, hasEnded } = access
  const told = { client: sayName(access.clientName), title: sayName(access.title) }
  const unseen = html`<span class="unseen">${words.of(told)}</span>`
  const fields = html`${hide('client', clientId)}${hide('issuer', issuerId)}`
  const href = pageUrl(view, `/account/access/${authorizationId}`)
  return renderRow({
    mark: icons.link,
    title: words.allows(told),
    says: hasEnded ? words.ended : words.has,
    end: hasEnded
      ? renderAct({ ...page, path, fields }, html`${words.allowAgain}${unseen}`)
      : html`<a class="button" href="${href}">${words.look}${unseen}</a>`,
  })
}

export const renderIssuers = (page: IssuersPage): string => {
  const { view, accesses, notice } = page
  const words = issuerWords(view.language)
  const list = renderRows(accesses.map((access) => renderAccess(access, page)))
  return renderAccountPage(page, {
    part: 'applications',
    heading: null,
    title: words.heading,
    head: html`${renderBack(view, '/account', words.back)}
<h1>${words.heading}</h1>`,
    notice,
    main: html`${accesses.length === 0 ? renderEmpty({ heading: words.nothing }) : html`<p class="lead">${words.about}</p>${list}`}`,
  })
}

export const openIssuersPage = (
  needs: Pick<ServiceParts, 'store' | 'clock' | 'random'>,
  { ownerForm }: Pages,
): readonly RouteRow[] => {
  const { store } = needs

  const show = async (visit: OwnerVisit) => {
    const accesses = await store.listIssuerAccessesOf(visit.login.owner.id, visit.at)
    const notice = findNotice(visit, issuerWords(visit.view.language).done)
    return showPage(visit, renderIssuers({ ...pickGiven(visit), accesses, notice }))
  }

  const allow: TakeForm = async (visit, form) => {
    const { owner, session } = visit.login
    const clientId = form.require('client') as ClientId
    const of = { ownerId: owner.id, clientId, issuerId: form.require('issuer') }
    const isAllowed = await store.allowIssuerAgain(of, session.id, traceOf(visit, needs))
    return answerDone(visit, path, isAllowed ? 'allowed' : 'nothing')
  }

  return ownerForm(path, show, allow)
}
