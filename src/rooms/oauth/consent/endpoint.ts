/** The consent page: the owner decides which permissions the client gets, and for how long. */
import { listGrantable, subtract } from '../../../access/permission.ts'
import { commandLoginSeconds, keepCommandLine } from '../../../clients/command-line.ts'
import { makeSalt } from '../../../crypto/digest.ts'
import type { Answer } from '../../../http/answer.ts'
import { readForm } from '../../../http/body.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { queryOf } from '../../../http/request.ts'
import { openJourney, sealJourney } from '../../../journey/journey.ts'
import { refuseAnswered, situate } from '../../../journey/situation.ts'
import { computeEnd, type Duration } from '../../../model/authorization.ts'
import { makeDetailKey } from '../../../model/detail.ts'
import type { AuthorizationId, FamilyId, OwnerId } from '../../../model/ids.ts'
import { makeRequester } from '../../../model/requester.ts'
import { deriveCsrfToken, findVisitor, type Visitor } from '../../../owners/session.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { AuthorizationRequest } from '../../../requests/authorization-request.ts'
import { type Handler, makeRows, type RouteRow } from '../../../route.ts'
import type { Approval } from '../../../store/contract/authorization.ts'
import { makeOwnedId } from '../../../store/placed-id.ts'
import { traceOf } from '../../../store/trace.ts'
import type { Pages } from '../../pages.ts'
import { answerSeeOther, makeView, showPage, type Visit } from '../../visit.ts'
import { hasMoved } from './asked.ts'
import { everyDuration, renderConsent } from './page.ts'
import { type ConsentVisit, pickDuration, prepareConsent } from './show.ts'
import { badConsent, hasChanged, parseTicked, parseTickedDetails, type Ticked } from './ticked.ts'

const reasons = {
  unsettled: 'consent_unsettled',
  changed: 'consent_for_changed_client',
} as const

const parseDuration = (form: Parameters, otherwise: Duration): Duration => {
  const given = form.find('duration') ?? otherwise
  const duration = everyDuration.find((known) => known === given)
  if (duration === undefined) {
    throw badConsent(`duration has to be one of ${everyDuration.join(', ')}`)
  }
  return duration
}

/** The command line ends with the login of this browser, and all that ends it. */
const pickEnd = (
  form: Parameters,
  { target: { client, isCommandLine }, session }: ConsentVisit,
  at: number,
  { settings }: ServiceParts,
): Pick<Approval, 'duration' | 'sessionId' | 'expiresAt'> => {
  const { id: sessionId, startedAt, expiresAt } = session
  if (isCommandLine) {
    const end = Math.min(expiresAt, startedAt + commandLoginSeconds)
    return { duration: 'session', sessionId, expiresAt: end }
  }
  const duration = parseDuration(form, pickDuration(client, settings))
  return duration === 'session'
    ? { duration, sessionId, expiresAt }
    : { duration, sessionId: null, expiresAt: computeEnd(duration, at) }
}

const parseDecision = (form: Parameters): 'allow' | 'deny' => {
  const decision = form.find('decision')
  if (decision === 'allow' || decision === 'deny') return decision
  throw badConsent('decision has to be allow or deny')
}

/** Why the form decides about something else than the request is now. */
const findProblem = (form: Parameters, asked: ConsentVisit): keyof typeof reasons | null => {
  if (hasChanged(form, asked)) return 'changed'
  return hasMoved(form, asked.request) ? 'unsettled' : null
}

const nothingTicked: Ticked = { permissions: [], details: [] }

const readTicked = (form: Parameters, asked: ConsentVisit, { resources }: ServiceParts): Ticked => {
  const details = parseTickedDetails(form, asked)
  const { names } = resources.latest
  return { permissions: parseTicked(form, details.length > 0, asked, names), details }
}

/** Unticking everything takes back all that was asked for. Denying changes nothing. */
const takeBack = async (
  { target, request, owner }: ConsentVisit,
  exchange: Exchange,
  needs: ServiceParts,
): Promise<void> => {
  const { store, resources } = needs
  const keep = subtract(listGrantable(resources), request.permissions)
  const taken = (request.terms.details ?? []).map(makeDetailKey)
  // Also those of an owner whose session has ended meanwhile.
  const standing = await store.findAuthorizations(owner.id, target.client.id, exchange.at)
  for (const { id } of standing) {
    await store.narrowAuthorization(id, owner.id, keep, traceOf(exchange, needs), taken)
  }
}

/** A new grant has the id of its request: to allow twice begins one grant. */
const pickGrant = (
  { grant }: AuthorizationRequest,
  familyId: FamilyId,
  ownerId: OwnerId,
  needs: ServiceParts,
): Pick<Approval, 'id' | 'grant'> => {
  if (grant === undefined) return { id: makeOwnedId<AuthorizationId>(ownerId, needs) }
  const { action } = grant
  const id = action === 'create' ? (`${familyId}` as AuthorizationId) : grant.id
  return { grant: action, id }
}

/**
 * `unsettled` or `paused`: its owner took a settled permission back, or paused it, meanwhile. `over`: a
 * request that ends at our page earns nothing more.
 */
const approve = async (
  form: Parameters,
  { permissions, details }: Ticked,
  asked: ConsentVisit,
  exchange: Exchange,
  needs: ServiceParts,
): Promise<AuthorizationId | 'unsettled' | 'paused' | 'over'> => {
  const { journey, target, request, session, owner } = asked
  const settled = form.all('settled')
  const wanted = request.terms.details ?? []
  if (target.isCommandLine) await keepCommandLine(traceOf(exchange, needs), needs)
  const familyId = needs.shardKeys.place(journey.id, owner.id)
  const approved = await needs.store.approve(
    {
      ...pickGrant(request, familyId, owner.id, needs),
      clientId: target.client.id,
      ownerId: owner.id,
      asked: request.permissions,
      permissions,
      ...(wanted.length === 0
        ? {}
        : {
            details: {
              asked: wanted,
              approved: wanted.filter((_, place) => details.includes(place)),
            },
          }),
      settled: permissions.filter((permission) => settled.includes(permission)),
      ...pickEnd(form, asked, exchange.at, needs),
      salt: makeSalt(needs.random),
      // A factor may go at this very moment, also at another node.
      proof: {
        session: session.id,
        ...(target.isCommandLine ? { confirmedSince: journey.startedAt } : {}),
      },
      journeyId: journey.id,
      familyId,
      requester: makeRequester(target.client, target.redirectUri),
    },
    traceOf(exchange, needs),
  )
  if (approved.outcome === 'unsettled' || approved.outcome === 'paused') return approved.outcome
  if (approved.outcome === 'impossible' && journey.ending !== null) return 'over'
  if (approved.outcome === 'impossible') {
    await refuseAnswered(journey, owner.id, needs)
    throw badConsent('the application or the login has just ended', 'consent_overtaken')
  }
  return approved.authorization.id
}

/** Our page at the end of the request says that the request is over. */
const answerOver = (visit: Visit, { journey: { ending } }: ConsentVisit, journey: string): Answer =>
  answerSeeOther(visit, ending?.page ?? '/authorize', { journey })

export const openConsent = (needs: ServiceParts, pages: Pages): readonly RouteRow[] => {
  /** Null if there is nothing to decide. @throws Refusal if an earlier decision has earned something already */
  const findAsked = async (
    text: string,
    visitor: Visitor,
    at: number,
  ): Promise<ConsentVisit | null> => {
    const journey = await openJourney(text, visitor.browser, at, needs)
    await refuseAnswered(journey, visitor.login?.owner.id ?? null, needs)
    const { target, next, standing } = await situate(journey, visitor, at, needs)
    // An approval in another tab does not answer for the owner in front of this page.
    const isOpen = next.step === 'consent' || (next.step === 'answer' && journey.decision === null)
    if (!isOpen || visitor.login === null) return null
    return { journey, target, standing, request: next.request, ...visitor.login }
  }

  /** @param text the journey, sealed @param problem why the decision on an earlier page was not carried out */
  const showAsked = async (
    visit: Exchange & Pick<Visit, 'csrf'>,
    asked: ConsentVisit,
    text: string,
    problem: keyof typeof reasons | null,
  ): Promise<Answer> => {
    const { csrf, at } = visit
    const view = makeView(visit, needs, asked.journey, asked.owner.pages)
    const content = await prepareConsent(asked, view, at, needs)
    const html = renderConsent({ ...content, csrf, journey: text, problem })
    const refused = problem === null ? {} : { status: 409, reason: reasons[problem] }
    return showPage({ view }, html, { ...refused })
  }

  const show: Handler = async (exchange) => {
    const visitor = await findVisitor(exchange, needs)
    const text = queryOf(exchange.request).find('journey') ?? ''
    const asked = await findAsked(text, visitor, exchange.at)
    if (asked !== null) {
      return showAsked({ ...exchange, csrf: deriveCsrfToken(visitor) }, asked, text, null)
    }
    const view = makeView(exchange, needs, null, visitor.login?.owner.pages)
    return answerSeeOther({ view }, '/authorize', { journey: text })
  }

  /** Stores the approval. Nothing ticked is a denial, and ends earlier permissions too. */
  const decide = pages.forVisitor(async (visit) => {
    // Without a login nothing is decided, so the CSRF token of an earlier login may be wrong.
    const form = await (visit.login === null ? readForm(visit.request) : pages.readForm(visit))
    const text = form.find('journey') ?? ''
    const onward = (journey: string) => answerSeeOther(visit, '/authorize', { journey })
    const asked = await findAsked(text, visit, visit.at)
    if (asked === null) return onward(text)
    const isAllowed = parseDecision(form) === 'allow'
    const problem = isAllowed ? findProblem(form, asked) : null
    if (problem !== null) return showAsked(visit, asked, text, problem)
    const ticked = isAllowed ? readTicked(form, asked, needs) : nothingTicked
    const isNothing = ticked.permissions.length === 0 && ticked.details.length === 0
    if (isAllowed && isNothing) await takeBack(asked, visit, needs)
    const authorizationId = isNothing ? null : await approve(form, ticked, asked, visit, needs)
    if (authorizationId === 'paused') return onward(text)
    if (authorizationId === 'over') return answerOver(visit, asked, text)
    if (authorizationId === 'unsettled') {
      const now = await findAsked(text, visit, visit.at)
      return now === null ? onward(text) : showAsked(visit, now, text, 'unsettled')
    }
    const decision = { by: asked.session.id, authorizationId, ...ticked }
    return onward(sealJourney({ ...asked.journey, decision }, visit.browser ?? '', needs))
  })

  return makeRows('/consent', show, decide)
}
