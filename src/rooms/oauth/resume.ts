/** The page before a paused application gets anything: its owner resumes it, or goes back without. */
import type { Answer } from '../../http/answer.ts'
import { readForm as readAnyForm } from '../../http/body.ts'
import { queryOf } from '../../http/request.ts'
import { openJourney, sealJourney } from '../../journey/journey.ts'
import { refuseAnswered, situate } from '../../journey/situation.ts'
import type { Pause } from '../../model/authorization.ts'
import { shortenPlace, spellOut } from '../../model/plain/line.ts'
import { getRedirectHost } from '../../model/requester.ts'
import { hide, noEnter, type PageWithForm, renderForm, sayName } from '../../paper/fields.ts'
import { renderLayout } from '../../paper/layout.ts'
import { html } from '../../paper/markup.ts'
import { pauseWords } from '../../paper/pause.ts'
import { type Provenance, renderProvenance } from '../../paper/provenance.ts'
import { renderBetween, renderHost, type Sides } from '../../paper/tile.ts'
import { sayDate } from '../../paper/time.ts'
import { invalidRequest } from '../../protocol/refusal.ts'
import { formatHost } from '../../protocol/web-uri.ts'
import type { ServiceParts } from '../../registries.ts'
import { makeRows, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import type { Pages } from '../pages.ts'
import { answerSeeOther, makeView, showPage, type Visit } from '../visit.ts'
import { consentWords } from './consent/words.ts'

export interface ResumePage extends Provenance, PageWithForm {
  /** The request that waits, sealed. */
  readonly journey: string
  readonly clientName: string
  readonly owner: Sides['owner']
  readonly pause: Pause
  /** Where the owner goes without resuming; null for a request of a device. */
  readonly redirectHost: string | null
}

export const renderResume = (page: ResumePage): string => {
  const { view, pause } = page
  const { language } = view
  const words = pauseWords(language)
  const client = sayName(page.clientName)
  const { redirectHost, clientName, clientRegisteredBy: registeredBy, owner, journey } = page
  const otherwise =
    redirectHost === null
      ? words.otherwiseDenied
      : words.otherwise({
          host: html`<strong>${spellOut(shortenPlace(redirectHost))}</strong>`,
        })
  const unused = pause.unusedDays && words.unused({ days: pause.unusedDays })
  const fields = html`${noEnter}${hide('journey', journey)}
<p class="early" role="status" data-text="${consentWords(language).tooEarly}"></p>
<p class="actions"><button class="primary" type="submit" name="decision" value="resume">${words.resumeNow}</button><button class="plain" type="submit" name="decision" value="deny">${words.notNow}</button></p>`
  return renderLayout({
    view,
    title: words.title,
    tellsZone: false,
    main: html`${renderBetween({ clientName, registeredBy, owner, journey: null }, view)}
<h1>${words.heading[pause.by]({ client })}</h1>
${registeredBy === 'itself' ? renderProvenance(page, language) : renderHost(formatHost(page.clientUri), registeredBy, view)}
<p class="quiet">${words.since({ when: sayDate(pause.at, view) })} ${unused} ${words.stays}</p>
<p class="quiet">${otherwise}</p>
<script src="${view.base}/assets/consent.js"></script>
${renderForm(page, '/resume', fields)}`,
  })
}

const answerOnward = (visit: Visit, journey: string): Answer =>
  answerSeeOther(visit, '/authorize', { journey })

export const openResume = (
  needs: ServiceParts,
  { forVisitor, readForm }: Pages,
): readonly RouteRow[] => {
  /** Null if nothing is paused. Then `/authorize` knows the next step. */
  const findPaused = async (text: string, visit: Visit) => {
    const journey = await openJourney(text, visit.browser, visit.at, needs)
    await refuseAnswered(journey, visit.login?.owner.id ?? null, needs)
    const { target, next } = await situate(journey, visit, visit.at, needs)
    if (next.step !== 'resume' || visit.login === null) return null
    return { journey, target, pause: next.pause, ...visit.login }
  }

  const show = forVisitor(async (visit) => {
    const text = queryOf(visit.request).find('journey') ?? ''
    const found = await findPaused(text, visit)
    if (found === null) return answerOnward(visit, text)
    const { journey, target, pause, owner } = found
    const view = makeView(visit, needs, journey, visit.login?.owner.pages)
    const { client } = target
    const html = renderResume({
      view,
      csrf: visit.csrf,
      journey: text,
      clientName: client.name,
      clientRegisteredBy: client.registeredBy,
      clientUri: client.display.client_uri ?? null,
      owner,
      pause,
      redirectHost: target.redirectUri && getRedirectHost(target.redirectUri),
    })
    return showPage({ view }, html)
  })

  /** Whatever is decided, `/authorize` goes on from there. */
  const resume = forVisitor(async (visit) => {
    // Without a login nothing is decided, so the CSRF token of an earlier login may be wrong.
    const form = await (visit.login === null ? readAnyForm(visit.request) : readForm(visit))
    const text = form.find('journey') ?? ''
    const found = await findPaused(text, visit)
    if (found === null) return answerOnward(visit, text)
    const { journey, target, session, owner } = found
    switch (form.find('decision')) {
      case 'resume': {
        const of = { ownerId: owner.id, clientId: target.client.id, session: session.id }
        await needs.store.resumeAuthorizations(of, traceOf(visit, needs))
        return answerOnward(visit, text)
      }
      case 'deny': {
        const decision = { by: session.id, authorizationId: null, permissions: [], details: [] }
        const denied = sealJourney({ ...journey, decision }, visit.browser ?? '', needs)
        return answerOnward(visit, denied)
      }
      default:
        throw invalidRequest('bad_resumption', 'decision has to be resume or deny')
    }
  })

  return makeRows('/resume', show, resume)
}
