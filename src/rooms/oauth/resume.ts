/** The page before a paused application gets anything: its owner resumes it, or goes back without. */
import type { Answer } from '../../http/answer.ts'
import { readForm } from '../../http/body.ts'
import { queryOf } from '../../http/exchange.ts'
import { type Journey, openJourney, sealJourney } from '../../journey/journey.ts'
import { refuseAnswered, situate } from '../../journey/situation.ts'
import type { Pause } from '../../model/authorization.ts'
import type { Owner } from '../../model/owner.ts'
import type { Session } from '../../model/session.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Target } from '../../requests/authorization-request.ts'
import { redirectTarget } from '../../requests/redirect-uri.ts'
import { traceOf } from '../../store/trace.ts'
import { readOwnForm } from '../form.ts'
import { forVisitor } from '../former.ts'
import { viewOf } from '../view.ts'
import { answerSeeOther, showPage, type Visit } from '../visit.ts'
import { renderResume } from './resume-page.ts'

/** An owner whose request waits for a paused application. */
interface ResumeVisit {
  readonly journey: Journey
  readonly target: Target
  readonly pause: Pause
  readonly session: Session
  readonly owner: Owner
}

/** Null if nothing is paused. Then `/authorize` knows the next step. */
const findPaused = async (
  text: string,
  visit: Visit,
  parts: ServiceParts,
): Promise<ResumeVisit | null> => {
  const journey = await openJourney(text, visit.browser, visit.at, parts)
  await refuseAnswered(journey, parts)
  const { target, next } = await situate(journey, visit, visit.at, parts)
  if (next.step !== 'resume' || visit.login === null) return null
  return { journey, target, pause: next.pause, ...visit.login }
}

const answerOnward = (visit: Visit, journey: string): Answer =>
  answerSeeOther(visit, '/authorize', { journey })

/** `GET /resume` */
export const showResumePage = forVisitor(async (visit, parts) => {
  const text = queryOf(visit.request).find('journey') ?? ''
  const found = await findPaused(text, visit, parts)
  if (found === null) return answerOnward(visit, text)
  const { journey, target, pause, owner } = found
  const view = viewOf(visit, parts, journey, visit.login?.owner.pages)
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
    redirectHost: redirectTarget(target.redirectUri),
  })
  return showPage({ view }, html, { hasScript: true })
})

/** `POST /resume`: whatever is decided, `/authorize` goes on from there. */
export const resume = forVisitor(async (visit, parts) => {
  // Without a login nothing is decided, so the CSRF token of an earlier login may be wrong.
  const form =
    visit.login === null ? await readForm(visit.request) : await readOwnForm(visit, parts)
  const text = form.find('journey') ?? ''
  const found = await findPaused(text, visit, parts)
  if (found === null) return answerOnward(visit, text)
  const { journey, target, session, owner } = found
  switch (form.find('decision')) {
    case 'resume': {
      const of = { ownerId: owner.id, clientId: target.client.id, session: session.id }
      await parts.store.resumeAuthorizations(of, traceOf(visit, parts))
      return answerOnward(visit, text)
    }
    case 'deny': {
      const decision = { by: session.id, authorizationId: null, permissions: [] }
      return answerOnward(visit, sealJourney({ ...journey, decision }, visit.browser ?? '', parts))
    }
    default:
      throw new Refusal('invalid_request', 'bad_resumption', 'decision has to be resume or deny')
  }
})
