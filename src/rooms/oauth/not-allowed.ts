/** The page for an owner outside the groups that an application is for. */
import type { Answer } from '../../http/answer.ts'
import { readForm as readAnyForm } from '../../http/body.ts'
import { queryOf } from '../../http/request.ts'
import { openJourney, sealJourney } from '../../journey/journey.ts'
import { refuseAnswered, situate } from '../../journey/situation.ts'
import { shortenPlace, spellOut } from '../../model/plain/line.ts'
import { getRedirectHost } from '../../model/requester.ts'
import { allowMarkup, defineWords } from '../../paper/catalog.ts'
import { hide, type PageWithForm, renderForm, sayName, showOwner } from '../../paper/fields.ts'
import { renderLayout } from '../../paper/layout.ts'
import { html } from '../../paper/markup.ts'
import { renderBetween } from '../../paper/tile.ts'
import { pageUrl } from '../../paper/view.ts'
import { invalidRequest } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { makeRows, type RouteRow } from '../../route.ts'
import type { Pages } from '../pages.ts'
import { answerSeeOther, makeView, showPage, type Visit } from '../visit.ts'

const notAllowedWords = defineWords('not-allowed', {
  title: 'Not for this account',
  heading: allowMarkup('{client} is not for this account'),
  about: allowMarkup(
    'You are logged in as {owner}. {client} is only for some groups of people here, and this account is in none of them.',
  ),
  ask: 'If you need it, ask the operator of this service.',
  back: 'Go back to {host}',
  backToDevice: 'Deny access to the device',
  other: 'Log in with another account',
})

export interface NotAllowedPage extends PageWithForm {
  /** The request that waits, sealed. */
  readonly journey: string
  readonly clientName: string
  readonly clientRegisteredBy: 'operator' | 'itself'
  readonly owner: { readonly username: string; readonly name: string }
  /** Where the owner goes back to; null for a request of a device. */
  readonly redirectHost: string | null
}

export const renderNotAllowed = (page: NotAllowedPage): string => {
  const { view, journey, clientName, clientRegisteredBy: registeredBy, owner, redirectHost } = page
  const words = notAllowedWords(view.language)
  const client = sayName(clientName)
  const back =
    redirectHost === null
      ? words.backToDevice
      : words.back({ host: spellOut(shortenPlace(redirectHost)) })
  const fields = html`${hide('journey', journey)}
<p class="actions"><button class="primary" type="submit" name="decision" value="back">${back}</button><a class="button plain" href="${pageUrl(view, '/login', { journey, switch: '1' })}">${words.other}</a></p>`
  return renderLayout({
    view,
    title: words.title,
    main: html`${renderBetween({ clientName, registeredBy, owner, journey: null }, view)}
<h1>${words.heading({ client })}</h1>
<p>${words.about({ client, owner: showOwner(owner) })}</p>
<p class="quiet">${words.ask}</p>
${renderForm(page, '/not-allowed', fields)}`,
  })
}

export const openNotAllowed = (
  needs: ServiceParts,
  { forVisitor, readForm }: Pages,
): readonly RouteRow[] => {
  const leadOn = (visit: Visit, journey: string): Answer =>
    answerSeeOther(visit, '/authorize', { journey })

  /** Null where there is another step by now. */
  const findRefused = async (text: string, visit: Visit) => {
    const journey = await openJourney(text, visit.browser, visit.at, needs)
    await refuseAnswered(journey, visit.login?.owner.id ?? null, needs)
    const { target, next } = await situate(journey, visit, visit.at, needs)
    if (next.step !== 'not-allowed' || visit.login === null) return null
    return { journey, target, ...visit.login }
  }

  const show = forVisitor(async (visit) => {
    const text = queryOf(visit.request).find('journey') ?? ''
    const found = await findRefused(text, visit)
    if (found === null) return leadOn(visit, text)
    const { journey, target, owner } = found
    const { client } = target
    const view = makeView(visit, needs, journey, owner.pages)
    const html = renderNotAllowed({
      view,
      csrf: visit.csrf,
      journey: text,
      clientName: client.name,
      clientRegisteredBy: client.registeredBy,
      owner,
      redirectHost: target.redirectUri && getRedirectHost(target.redirectUri),
    })
    return showPage({ view }, html, { status: 403, reason: 'owner_not_in_groups' })
  })

  /** `/authorize` goes on from there: it tells the application. */
  const goBack = forVisitor(async (visit) => {
    const form = await (visit.login === null ? readAnyForm(visit.request) : readForm(visit))
    const text = form.find('journey') ?? ''
    const found = await findRefused(text, visit)
    if (found === null) return leadOn(visit, text)
    if (form.find('decision') !== 'back') {
      throw invalidRequest('bad_not_allowed', 'decision has to be back')
    }
    const { journey, session } = found
    const decision = { by: session.id, authorizationId: null, permissions: [], details: [] }
    return leadOn(visit, sealJourney({ ...journey, decision }, visit.browser ?? '', needs))
  })

  return makeRows('/not-allowed', show, goBack)
}
