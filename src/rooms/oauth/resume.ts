/** The page before a paused application gets anything: its owner resumes it, or goes back without. */
import type { Answer } from '../../http/answer.ts'
import { readForm as readAnyForm } from '../../http/body.ts'
import { queryOf } from '../../http/exchange.ts'
import { type Journey, openJourney, sealJourney } from '../../journey/journey.ts'
import { refuseAnswered, situate } from '../../journey/situation.ts'
import type { Pause } from '../../model/authorization.ts'
import type { Owner } from '../../model/owner.ts'
import type { Session } from '../../model/session.ts'
import { invalidRequest } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Target } from '../../requests/authorization-request.ts'
import { redirectTarget } from '../../requests/redirect-uri.ts'
import { formRows, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import type { Pages } from '../pages.ts'
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

const answerOnward = (visit: Visit, journey: string): Answer =>
  answerSeeOther(visit, '/authorize', { journey })

export const openResume = (
  needs: ServiceParts,
  { forVisitor, readForm }: Pages,
): readonly RouteRow[] => {
  /** Null if nothing is paused. Then `/authorize` knows the next step. */
  const findPaused = async (text: string, visit: Visit): Promise<ResumeVisit | null> => {
    const journey = await openJourney(text, visit.browser, visit.at, needs)
    await refuseAnswered(journey, needs)
    const { target, next } = await situate(journey, visit, visit.at, needs)
    if (next.step !== 'resume' || visit.login === null) return null
    return { journey, target, pause: next.pause, ...visit.login }
  }

  const show = forVisitor(async (visit) => {
    const text = queryOf(visit.request).find('journey') ?? ''
    const found = await findPaused(text, visit)
    if (found === null) return answerOnward(visit, text)
    const { journey, target, pause, owner } = found
    const view = viewOf(visit, needs, journey, visit.login?.owner.pages)
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
        const decision = { by: session.id, authorizationId: null, permissions: [] }
        const denied = sealJourney({ ...journey, decision }, visit.browser ?? '', needs)
        return answerOnward(visit, denied)
      }
      default:
        throw invalidRequest('bad_resumption', 'decision has to be resume or deny')
    }
  })

  return formRows('/resume', show, resume)
}
