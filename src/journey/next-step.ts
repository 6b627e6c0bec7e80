/** What comes next for an authorization request: one pure decision, taken anew at every step. */
import { covers, intersection } from '../access/permission.ts'
import type { Authorization, Pause } from '../model/authorization.ts'
import { type Client, isPublic } from '../model/client.ts'
import { holdsFor, type Requester } from '../model/requester.ts'
import type { Permissions } from '../model/resource.ts'
import type { Session } from '../model/session.ts'
import { loginTerms, type Terms, termsOf } from '../model/terms.ts'
import { clientSession } from '../owners/client-session.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { AuthorizationRequest } from '../requests/authorization-request.ts'
import type { Journey } from './journey.ts'

export interface Situation {
  readonly client: Client
  /** The request, or why it is refused. */
  readonly request: AuthorizationRequest | Refusal
  readonly journey: Journey
  /** The client as an approval would be given to it now. */
  readonly requester: Requester
  /** The login session of the browser, if any. */
  readonly session: Session | null
  /** The live authorizations of whoever is logged in for this client. */
  readonly standing: readonly Authorization[]
  /** Unix seconds. */
  readonly at: number
}

export type NextStep =
  | { readonly step: 'login' }
  | { readonly step: 'consent'; readonly request: AuthorizationRequest }
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
      /** `page`: shown by us, because the client has earned no redirect. */
      readonly to: 'client' | 'page'
    }

const refuse = (refusal: Refusal, to: 'client' | 'page' = 'client'): NextStep => ({
  step: 'refuse',
  refusal,
  to,
})

const interactionRequired = (): Refusal =>
  new Refusal(
    'interaction_required',
    'application_paused',
    'the application is paused: the resource owner has to resume it',
  )

/** Whether the login is one that the request accepts. */
const loginSuffices = (
  { prompt, maxAgeSeconds }: AuthorizationRequest,
  session: Session,
  { journey, at }: Situation,
): boolean => {
  // Another session is not enough: the browser may have kept an old one back at the start.
  const fresh = session.id !== journey.sessionAtStart && session.startedAt >= journey.startedAt
  if (fresh) return true
  if (prompt.includes('log_in')) return false
  // Less, not at most: max_age=0 is as good as prompt=login (OpenID Connect Core section 3.1.2.1).
  return maxAgeSeconds === null || at - session.startedAt < maxAgeSeconds
}

/**
 * An earlier approval of the client as it is now, if it covers the whole request. One that ends with
 * another login does not count.
 */
const remembered = (
  { permissions, prompt }: AuthorizationRequest,
  session: Session,
  { client, requester, standing }: Situation,
): Authorization | null => {
  // A public client's name proves nothing, so each of its requests is shown (RFC 8252 section 8.6).
  if (isPublic(client) || prompt.includes('consent')) return null
  const found = standing.find(
    (authorization) =>
      covers(authorization.permissions, permissions) &&
      holdsFor(authorization.approvedFor, requester) &&
      (authorization.sessionId === null || authorization.sessionId === session.id),
  )
  return found ?? null
}

const termsFor = (
  permissions: Permissions,
  { terms }: AuthorizationRequest,
  session: Session,
  client: Client,
): Terms => {
  const { startedAt: authTime, methods } = session
  const login = { authTime, methods, session: clientSession(session, client) }
  return termsOf(permissions, { ...terms, ...loginTerms(login) })
}

/** Whether the owner denied access, in this very login session. */
const isDenied = ({ decision }: Journey, session: Session): boolean =>
  decision !== null && decision.by === session.id && decision.authorizationId === null

/** The approval on the consent page, if it was given in this very login session and stands. */
const decided = (
  request: AuthorizationRequest,
  session: Session,
  { client, journey, requester, standing }: Situation,
): NextStep | null => {
  const { decision } = journey
  if (decision === null || decision.by !== session.id) return null
  const authorization = standing.find(({ id }) => id === decision.authorizationId)
  if (authorization === undefined) return null
  // It may have changed itself since the owner saw it.
  if (!holdsFor(authorization.approvedFor, requester)) return null
  const permissions = intersection(decision.permissions, authorization.permissions)
  return {
    step: 'answer',
    request,
    authorization,
    terms: termsFor(permissions, request, session, client),
  }
}

export const nextStep = (situation: Situation): NextStep => {
  const { client, request, session } = situation
  // A client that registered itself could use us to send anybody anywhere, with a request made to be
  // refused. It gets no redirect before a login (RFC 9700 section 4.11.2).
  const strange = client.registeredBy === 'itself' && session === null
  if (request instanceof Refusal) return strange ? { step: 'login' } : refuse(request)
  const silent = request.prompt.includes('no_page')
  if (session === null || !loginSuffices(request, session, situation)) {
    return silent
      ? refuse(
          new Refusal('login_required', 'login_required', 'the resource owner has to log in'),
          strange ? 'page' : 'client',
        )
      : { step: 'login' }
  }
  if (isDenied(situation.journey, session)) {
    return refuse(new Refusal('access_denied', 'owner_denied', 'the resource owner denied access'))
  }
  // All of an application is paused together. Nothing is answered from a part, nor added to it.
  const pause = situation.standing.find(({ paused }) => paused !== null)?.paused ?? null
  if (pause !== null) return silent ? refuse(interactionRequired()) : { step: 'resume', pause }
  const decision = decided(request, session, situation)
  if (decision !== null) return decision
  const authorization = remembered(request, session, situation)
  if (authorization !== null) {
    const terms = termsFor(request.permissions, request, session, client)
    return { step: 'answer', request, authorization, terms }
  }
  return silent
    ? refuse(
        new Refusal('consent_required', 'consent_required', 'the resource owner has to consent'),
      )
    : { step: 'consent', request }
}
