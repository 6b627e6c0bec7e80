/** `/account/passkey`: offers a passkey, once, to whoever logged in with a password alone. */
import { parseFamiliarAgent } from '../../../http/user-agent.ts'
import { hide } from '../../../paper/fields.ts'
import { icons } from '../../../paper/icon.ts'
import { renderLayout } from '../../../paper/layout.ts'
import { html } from '../../../paper/markup.ts'
import { renderPasskeyForm } from '../../../paper/proofs.ts'
import { pageUrl } from '../../../paper/view.ts'
import { formatBrowser, sessionWords } from '../../../paper/words/sessions.ts'
import { page } from '../../../route.ts'
import { answerSeeOther, showPage } from '../../visit.ts'
import { type AccountPageGiven, pickGiven } from '../frame.ts'
import type { OpenPage } from '../needs.ts'
import { makeAddition } from './addition.ts'
import type { Addition } from './passkeys.ts'
import { securityWords } from './words.ts'

export interface OfferPage extends Pick<AccountPageGiven, 'view' | 'csrf'> {
  readonly addition: Extract<Addition, { is: 'here' }>
  /** What the passkey is called. */
  readonly name: string
}

export const renderOffer = (of: OfferPage): string => {
  const { view, addition, name } = of
  const words = securityWords(view.language)
  const form = renderPasskeyForm(of, {
    kind: 'create',
    action: '/account/security',
    fields: html`${hide('action', 'add_passkey')}${hide('name', name)}`,
    ceremony: addition.ceremony,
    options: addition.options,
    button: words.addPasskey,
    isPrimary: true,
  })
  return renderLayout({
    view,
    title: words.offer.heading,
    main: html`<span class="tile big round good" aria-hidden="true">${icons.key}</span>
<h1 class="after">${words.offer.heading}</h1>
<p class="quiet">${words.passkeysIntro}</p>
<div class="stack">${form}<a class="button" href="${pageUrl(view, '/account')}">${words.offer.later}</a></div>
<p class="after note">${words.offer.once}</p>`,
  })
}

export const openOffer: OpenPage = (needs, { forOwner }) => {
  const show = forOwner(async (visit) => {
    const { view, request, login } = visit
    const factors = await needs.store.findFactors(login.owner.id)
    const addition = makeAddition(visit, factors, needs)
    if (addition?.is !== 'here' || factors.passkeys.length > 0) {
      return answerSeeOther(visit, '/account')
    }
    const agent = parseFamiliarAgent(request.headers.get('user-agent') ?? '')
    const name = formatBrowser(agent, sessionWords(view.language))
    const html = renderOffer({
      ...pickGiven(visit),
      addition,
      name: agent.program === null ? '' : name,
    })
    return showPage(visit, html)
  })
  return [{ ...page, method: 'GET', path: '/account/passkey', handler: show }]
}
