/** What comes next for an authorization request: one pure decision, taken anew at every step. */
import { hasAll, intersect } from '../access/permission.ts'
import type { Authorization, Pause } from '../model/authorization.ts'
import { type Client, isPublic } from '../model/client.ts'
import { type Detail, intersectDetails, subtractDetails } from '../model/detail.ts'
import { isApprovedFor, type Requester } from '../model/requester.ts'
import type { Permissions } from '../model/resource.ts'
import {
  type AuthenticationContext,
  deriveContext,
  listContexts,
  type Session,
} from '../model/session.ts'
import { type ClaimTerms, fillTerms, noClaimTerms, readLogin, type Terms } from '../model/terms.ts'
import { deriveClientSession } from '../owners/session.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { AskedLogin } from '../requests/asked-login.ts'
import type { AuthorizationRequest } from '../requests/authorization-request.ts'
import { isLoopbackUri } from '../requests/redirect-uri.ts'
import type { Journey } from './journey.ts'

type AskedContexts = Pick<AskedLogin, 'contexts' | 'needsContext'>

/** The first of the requested values that a login of this context satisfies. */
const findFirstReached = (
  { contexts }: AskedContexts,
  context: AuthenticationContext,
): AuthenticationContext | null => {
  const reached = listContexts(context)
  const first = contexts.find((asked) => reached.some((one) => one === asked))
  return reached.find((one) => one === first) ?? null
}

/** Whether the login satisfies the request as well as any login could. */
export const isFirstOf = (asked: AskedContexts, context: AuthenticationContext): boolean =>
  asked.contexts.length === 0 || findFirstReached(asked, context) === asked.contexts[0]

type ContextJudgement = 'suffices' | 'log_in' | 'unmet'

/**
 * Whether the login suffices, another one of the same owner may be better, or none can be.
 *
 * @param now the `acr` of the login
 * @param reachable the highest one that the owner can log in with
 * @param is `fresh`: the login was made for this request. `silent`: no page may be shown.
 */
const judgeContext = (
  asked: AskedContexts,
  now: AuthenticationContext,
  reachable: AuthenticationContext,
  is: { readonly fresh: boolean; readonly silent: boolean },
): ContextJudgement => {
  const reached = findFirstReached(asked, now)
  const isMet = reached !== null || !asked.needsContext
  const best = listContexts(now).includes(reachable) ? now : reachable
  const isFinal = reached === findFirstReached(asked, best) || is.fresh || (is.silent && isMet)
  if (!isFinal) return 'log_in'
  return isMet ? 'suffices' : 'unmet'
}

export interface Situation {
  readonly client: Client
  readonly request: AuthorizationRequest | Refusal
  readonly journey: Journey
  /** The client as an approval would be given to it now. */
  readonly requester: Requester
  /** The way of the answer; null for a request that ends at our page. */
  readonly redirectUri: string | null
  /** The login session of the browser, if any. */
  readonly session: Session | null
  /** Its owner as this client knows it; null where the request expects nobody. */
  readonly subject: string | null
  /** The highest `acr` that its owner can log in with. */
  readonly reachable: AuthenticationContext
  /** The live authorizations of whoever is logged in for this client. */
  readonly standing: readonly Authorization[]
  /** Whether any owner here has approved the client. The approval is read for a silent request without a login. */
  readonly isApproved: boolean
  /** Whether the client is for the owner of the session: it may be for some groups only. */
  readonly isForOwner: boolean
  /** Unix seconds. */
  readonly at: number
}

export type NextStep =
  | { readonly step: 'login' }
  | { readonly step: 'consent'; readonly request: AuthorizationRequest }
  /** The owner first sees the page at which the request also ends. */
  | { readonly step: 'begin' }
  /** The application is only for groups that the owner is not in. */
  | { readonly step: 'not-allowed' }
  /** The owner paused the application, or somebody else did: it has to be resumed first. */
  | { readonly step: 'resume'; readonly pause: Pause }
  | {
      readonly step: 'answer'
      readonly request: AuthorizationRequest
      readonly authorization: Authorization
      readonly terms: Terms
    }
  | {
      readonly step: 'refuse'
      readonly refusal: Refusal
      /** `page`: shown by us with a link, because the client has earned no redirect. */
      readonly to: 'client' | 'page'
    }

/**
 * Whether a refusal may send the browser on. Anybody can bring a client and send it a request that is
 * refused, so that our address leads to theirs (decision 89, RFC 9700 section 4.11.2).
 */
const mayRedirect = (refusal: Refusal, situation: Situation): boolean => {
  const { client, redirectUri, session, standing, isApproved } = situation
  if (redirectUri === null) return true
  if (client.registeredBy === 'operator' || isLoopbackUri(redirectUri)) return true
  if (session !== null) return standing.length > 0
  // A silent request has to be answered (OpenID Connect Core section 3.1.2.6).
  if (refusal.code !== 'login_required') return false
  return isApproved || (client.document === undefined && redirectUri.startsWith('https:'))
}

const refuse = (refusal: Refusal, situation: Situation): NextStep => ({
  step: 'refuse',
  refusal,
  to: mayRedirect(refusal, situation) ? 'client' : 'page',
})

/** Whether an approval would help the client the next time. */
const pageNeeded = (situation: Situation): Refusal =>
  isAskedEachTime(situation)
    ? new Refusal(
        'interaction_required',
        'asked_each_time',
        'a public client without an https redirect_uri is shown to the resource owner each time',
      )
    : new Refusal('consent_required', 'consent_required', 'the resource owner has to consent')

/** `other_owner`: the login was made for this request, by somebody else than the client expects. */
type LoginJudgement = ContextJudgement | 'other_owner'

const judgeLogin = (
  { prompt, login }: AuthorizationRequest,
  session: Session,
  { journey, reachable, subject, at }: Situation,
): LoginJudgement => {
  // A login by an upstream that did not ask anew proves no time.
  const provenAt = Math.min(session.startedAt, session.confirmedAt)
  // Another session is not enough: the browser may have kept an old one back at the start.
  const fresh = session.id !== journey.sessionAtStart && provenAt >= journey.startedAt
  const { subjects, maxAgeSeconds } = login
  if (subjects !== null && (subject === null || !subjects.includes(subject))) {
    return fresh ? 'other_owner' : 'log_in'
  }
  if (!fresh && prompt.includes('log_in')) return 'log_in'
  // As old counts as too old: max_age=0 is as good as prompt=login (OpenID Connect Core section 3.1.2.1).
  const isOld = maxAgeSeconds !== null && at - provenAt >= maxAgeSeconds
  if (!fresh && isOld) return 'log_in'
  if (login.contexts.length === 0 && !login.needsContext) return 'suffices'
  const silent = prompt.includes('no_page')
  return judgeContext(login, deriveContext(session), reachable, { fresh, silent })
}

const loginRequired = (): Refusal =>
  new Refusal('login_required', 'login_required', 'the resource owner has to log in')

/** Whether a client without any approval names the owner that it expects. */
const isAskingWho = ({ login }: AuthorizationRequest, { standing }: Situation): boolean =>
  login.subjects !== null && standing.length === 0

/** RFC 8252 section 8.6: another application on the device may answer at such a redirect URI. */
const isAskedEachTime = ({ client, redirectUri }: Situation): boolean =>
  isPublic(client) && redirectUri?.startsWith('https:') === false

/**
 * An earlier approval of the client as it is now, if it covers the whole request. One that ends with
 * another login does not count.
 */
const findRemembered = (
  request: AuthorizationRequest,
  session: Session,
  situation: Situation,
): Authorization | null => {
  const { requester, standing } = situation
  const { permissions, prompt } = request
  const details = request.terms.details ?? []
  if (prompt.includes('consent') || isAskedEachTime(situation)) return null
  const found = standing.find(
    (authorization) =>
      hasAll(authorization.permissions, permissions) &&
      (details.length === 0 || subtractDetails(details, authorization.details).length === 0) &&
      isApprovedFor(authorization.approvedFor, requester) &&
      (authorization.sessionId === null || authorization.sessionId === session.id),
  )
  return found ?? null
}

/** With the `acr` to tell: a requested value that the login satisfies. Its own needs no telling. */
const addContext = (
  claims: ClaimTerms | null,
  asked: AskedContexts,
  own: AuthenticationContext,
): ClaimTerms | null => {
  const context = findFirstReached(asked, own)
  return context === null || context === own ? claims : { ...(claims ?? noClaimTerms), context }
}

export const deriveTerms = (
  permissions: Permissions,
  details: readonly Detail[],
  { terms, grant, login: asked }: AuthorizationRequest,
  session: Session,
  client: Client,
): Terms => {
  const { startedAt: authTime, methods } = session
  const login = { authTime, methods, session: deriveClientSession(session, client) }
  const claims = addContext(terms.claims ?? null, asked, deriveContext(session))
  const others = { ...terms, ...readLogin(login), details, claims }
  return fillTerms(permissions, { ...others, isGrant: grant !== undefined })
}

/** The approval on the consent page, if it stands. @param decision of this very login session */
const findDecided = (
  decision: NonNullable<Journey['decision']>,
  request: AuthorizationRequest,
  session: Session,
  { client, requester, standing }: Situation,
): NextStep | null => {
  const authorization = standing.find(({ id }) => id === decision.authorizationId)
  if (authorization === undefined) return null
  // The client may have changed itself since the owner saw it.
  if (!isApprovedFor(authorization.approvedFor, requester)) return null
  const permissions = intersect(decision.permissions, authorization.permissions)
  const asked = request.terms.details ?? []
  // The decision has changed a grant, so its details have other places by now. All that is left was ticked.
  const ticked =
    request.grant?.action === 'update'
      ? asked
      : asked.filter((_, index) => decision.details.includes(index))
  const details = intersectDetails(ticked, authorization.details)
  return {
    step: 'answer',
    request,
    authorization,
    terms: deriveTerms(permissions, details, request, session, client),
  }
}

export const decideStep = (situation: Situation): NextStep => {
  const { client, request, session } = situation
  if (request instanceof Refusal) return refuse(request, situation)
  const silent = request.prompt.includes('no_page')
  // Otherwise it could recognize somebody of whom it has heard elsewhere, without a page.
  if (silent && isAskingWho(request, situation)) return refuse(loginRequired(), situation)
  const login = session === null ? 'log_in' : judgeLogin(request, session, situation)
  if (login === 'other_owner') return refuse(loginRequired(), situation)
  if (login === 'unmet') {
    const said = 'the resource owner cannot log in with an acr that the request needs'
    const refusal = new Refusal('unmet_authentication_requirements', 'unmet_acr', said)
    return refuse(refusal, situation)
  }
  if (session === null || login === 'log_in') {
    return silent ? refuse(loginRequired(), situation) : { step: 'login' }
  }
  const { decision, ending } = situation.journey
  // Another person in the same browser has not seen the page.
  if (ending !== null && ending.begunBy !== session.id) return { step: 'begin' }
  const decided = decision?.by === session.id ? decision : null
  if (!situation.isForOwner) {
    const said = 'the client is only for groups that the resource owner is not in'
    const refusal = new Refusal('access_denied', 'owner_not_in_groups', said)
    // The owner sees the page first, and goes back from there.
    const isSeen = decided?.authorizationId === null
    return silent || isSeen ? refuse(refusal, situation) : { step: 'not-allowed' }
  }
  if (decided?.authorizationId === null) {
    // The owner chose it on a page that names the client.
    const said = 'the resource owner denied access'
    return {
      step: 'refuse',
      refusal: new Refusal('access_denied', 'owner_denied', said),
      to: 'client',
    }
  }
  // All of an application is paused together. Nothing is answered from a part, nor added to it.
  const pause = situation.standing.find(({ paused }) => paused !== null)?.paused ?? null
  if (pause !== null && silent) {
    const said = 'the application is paused: the resource owner has to resume it'
    return refuse(new Refusal('interaction_required', 'application_paused', said), situation)
  }
  if (pause !== null) return { step: 'resume', pause }
  const answer = decided === null ? null : findDecided(decided, request, session, situation)
  if (answer !== null) return answer
  const authorization = findRemembered(request, session, situation)
  if (authorization !== null) {
    const details = request.terms.details ?? []
    const terms = deriveTerms(request.permissions, details, request, session, client)
    return { step: 'answer', request, authorization, terms }
  }
  return silent ? refuse(pageNeeded(situation), situation) : { step: 'consent', request }
}
