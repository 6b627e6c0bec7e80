/** Where a journey stands: its request parsed again, the login and earlier approvals read again. */

import { type AudienceSite, listAudiences } from '../access/audience.ts'
import { detailLimits } from '../access/details/limits.ts'
import { invalidDetails, measureDetails } from '../access/details/parse.ts'
import { addNames } from '../access/permission.ts'
import type { FetchAsker } from '../clients/site-fetch.ts'
import type { Keyring } from '../crypto/seal.ts'
import type { ShardKeys } from '../crypto/shard-keys.ts'
import type { Authorization } from '../model/authorization.ts'
import { type Detail, subtractDetails } from '../model/detail.ts'
import { getHighestContext } from '../model/factor.ts'
import type { OwnerId } from '../model/ids.ts'
import { findConsoleRole } from '../model/owner.ts'
import { makeRequester } from '../model/requester.ts'
import { type AuthenticationContext, deriveContext, type Session } from '../model/session.ts'
import { getSub, type Subjects } from '../owners/pairwise-secret.ts'
import type { Visitor } from '../owners/session.ts'
import { type Parameters, parseParameters } from '../protocol/parameters.ts'
import { invalidRequest, Refusal } from '../protocol/refusal.ts'
import { type AskedGrant, unknownGrant } from '../requests/asked-grant.ts'
import {
  type AuthorizationRequest,
  findTarget,
  parseAuthorizationRequest,
  type RequestParts,
  type Target,
} from '../requests/authorization-request.ts'
import {
  type EndingTarget,
  findEndingTarget,
  parseEndingRequest,
} from '../requests/ending-request.ts'
import { findPushedRequest, getAnsweredId, refuseUnpushed } from '../requests/pushed-request.ts'
import { type ResolvingParts, resolveRequest } from '../requests/request-object.ts'
import { storeLimits } from '../store/limits.ts'
import { type Journey, waitingSeconds } from './journey.ts'
import { decideStep, isFirstOf, type NextStep } from './next-step.ts'

export interface ResolvedJourney {
  readonly journey: Journey
  /** Its parameters; null where they cannot be read. The refusal of that comes later. */
  readonly parameters: Parameters | null
  /** Why its request object is refused. The journey is then as it came. */
  readonly refused: Refusal | null
}

/** The refusal that a step failed with. Any other fault is thrown on. */
const refusalIn = (fault: unknown): Refusal => {
  if (fault instanceof Refusal) return fault
  throw fault
}

/** Null where they cannot be read: the refusal of that comes later. */
export const readParameters = ({ parameters }: Pick<Journey, 'parameters'>): Parameters | null => {
  try {
    return parseParameters(parameters)
  } catch (fault) {
    refusalIn(fault)
    return null
  }
}

/** @param outer the parameters of the journey as it came */
export const resolveJourney = async (
  journey: Journey,
  outer: Parameters | null,
  asker: FetchAsker,
  parts: ResolvingParts & { readonly keyring: Keyring },
): Promise<ResolvedJourney> => {
  if (outer === null || !journey.unresolved) return { journey, parameters: outer, refused: null }
  const pushed = await findPushedRequest(outer, asker.at, parts)
  if (pushed !== null) {
    const { id, parameters, request, expiresAt } = pushed
    const endsAt = expiresAt + waitingSeconds
    const begun = { ...journey, id, parameters, unresolved: false, pushed: { request, endsAt } }
    return { journey: begun, parameters: readParameters(begun), refused: null }
  }
  try {
    await refuseUnpushed(outer, parts)
    const text = await resolveRequest(outer, asker, parts)
    if (text === null) {
      return { journey: { ...journey, unresolved: false }, parameters: outer, refused: null }
    }
    const resolved = { ...journey, parameters: text, unresolved: false }
    return { journey: resolved, parameters: readParameters(resolved), refused: null }
  } catch (fault) {
    const refused = refusalIn(fault)
    // A flood gets a page: no client is told of it.
    if (refused.code === 'too_many_requests') throw refused
    return { journey, parameters: outer, refused }
  }
}

const noDetails: readonly Detail[] = []

/**
 * The request as its owner decides it (Grant Management section 5.2). An update asks for all of the grant,
 * too. The new end, and the client as it is now, would otherwise reach permissions that nobody saw.
 *
 * @param standing the live authorizations of the owner for the client
 * @returns a refusal where the grant is none of them, or both together are too long for a code
 */
const applyGrant = (
  request: AuthorizationRequest,
  asked: AskedGrant,
  standing: readonly Authorization[],
  site: AudienceSite,
): AuthorizationRequest | Refusal => {
  if (asked.action === 'create') return request
  const grant = standing.find(({ id }) => id === asked.id)
  if (grant === undefined) return unknownGrant()
  if (asked.action === 'replace') return request
  const { details: given = noDetails, audience: named = [] } = request.terms
  const details = [...given, ...subtractDetails(grant.details, given)]
  // The tokens are good for all of the grant, whichever part `resource` names.
  const others = named.length === 0 ? [] : listAudiences(grant, site)
  const audience = [...new Set([...named, ...others])]
  if (measureDetails(details, audience) > detailLimits.bytes) {
    const said = `has, with those of the grant and the URIs of resource, more than ${detailLimits.bytes} bytes: replace the grant`
    return invalidDetails('details_beyond_grant', said)
  }
  const permissions = addNames(request.permissions, grant.permissions)
  return { ...request, permissions, terms: { ...request.terms, details, audience } }
}

/**
 * As strict as the console, whatever the request says: anybody may send an operator here. The login is made for
 * this request, by two factors, and its owner is asked.
 */
const requireLogin = (request: AuthorizationRequest): AuthorizationRequest => ({
  ...request,
  prompt: [...request.prompt, 'log_in', 'consent'],
  login: { ...request.login, contexts: ['2'], needsContext: true },
})

/** The command line acts by the role of its owner alone, so without one there is nothing to allow. */
const findRoleFault = ({ step }: NextStep, { login }: Visitor): Refusal | null => {
  const isDecided = step === 'consent' || step === 'answer'
  if (!isDecided || login === null || findConsoleRole(login.owner) !== null) return null
  const said = 'the command line is for owners with the role operator or auditor'
  return new Refusal('access_denied', 'command_role_needed', said)
}

export interface SituationParts extends RequestParts {
  readonly shardKeys: ShardKeys
  readonly subjects: Subjects
}

export interface Situated {
  readonly target: Target | EndingTarget
  readonly next: NextStep
  /** The live authorizations of whoever is logged in for this client, the longest-lasting first. */
  readonly standing: readonly Authorization[]
}

type KnownOfJourney = Pick<ResolvedJourney, 'parameters' | 'refused'>

/**
 * @throws Refusal for a page, where client or redirect URI are not proven
 */
export const situate = async (
  journey: Journey,
  visitor: Visitor,
  at: number,
  parts: SituationParts,
  known: KnownOfJourney = { parameters: null, refused: null },
): Promise<Situated> => {
  const { parameters: read, refused } = known
  const { ending } = journey
  try {
    const parameters = read ?? parseParameters(journey.parameters)
    const found: Promise<Situated['target']> =
      ending === null ? findTarget(parameters, parts) : findEndingTarget(parameters, parts)
    const target = await found.catch((fault: unknown) => {
      // Its redirect URI may be in the object alone.
      throw refused?.explanation == null ? fault : refused
    })
    await parts.resources.learnAsked(parameters)
    const { client, isCommandLine } = target
    const session = visitor.login?.session ?? null
    const asked =
      refused ??
      (await (target.redirectUri !== null
        ? parseAuthorizationRequest(parameters, target, parts)
        : parseEndingRequest(parameters, client, parts)
      ).catch(refusalIn))
    const standing =
      session === null
        ? []
        : await parts.store.findAuthorizations(session.ownerId, client.id, at, session.id)
    const strict = isCommandLine && !(asked instanceof Refusal) ? requireLogin(asked) : asked
    const request =
      session === null || strict instanceof Refusal || strict.grant === undefined
        ? strict
        : applyGrant(strict, strict.grant, standing, parts.resources.latest.site)
    const next = decideStep({
      client,
      request,
      redirectUri: target.redirectUri,
      journey,
      requester: makeRequester(client, target.redirectUri),
      session,
      subject:
        session === null || request instanceof Refusal || request.login.subjects === null
          ? null
          : await getSub(client, session.ownerId, parts),
      // Nothing is decided by it unless the request names contexts.
      reachable:
        session === null || request instanceof Refusal || request.login.contexts.length === 0
          ? '1'
          : await findReachable(request, session, parts),
      standing,
      isApproved:
        session === null && isSilent(request) && (await parts.store.isApproved(client.id)),
      isForOwner:
        session === null ||
        client.identity.allowed_groups === undefined ||
        (await parts.store.isClientFor(client.id, session.ownerId)),
      at,
    })
    const refusal = isCommandLine ? findRoleFault(next, visitor) : null
    return refusal === null
      ? { target, next, standing }
      : { target, next: { step: 'refuse', refusal, to: 'client' }, standing }
  } catch (fault) {
    throw refusalIn(fault).about(journey.parameters)
  }
}

/** The highest `acr` of the owner. The value is read only if the request asks for more than the login has. */
const findReachable = async (
  request: AuthorizationRequest,
  session: Session,
  { store }: Pick<SituationParts, 'store'>,
): Promise<AuthenticationContext> => {
  const now = deriveContext(session)
  if (isFirstOf(request.login, now)) return now
  return getHighestContext(await store.findFactors(session.ownerId))
}

const isSilent = (request: AuthorizationRequest | Refusal): boolean =>
  !(request instanceof Refusal) && request.prompt.includes('no_page')

type StoreNeeds = Pick<SituationParts, 'store'>

const answeredAlready = (): Refusal =>
  invalidRequest(
    'journey_answered',
    'this request was answered already: start again at the application',
  )

/**
 * An owner may go back in the browser and allow again. The code of the first time is used up by then, and
 * so is a pushed request that was answered.
 *
 * @param ownerId null where nobody is logged in: the next step asks again
 */
export const refuseAnswered = async (
  { id, pushed }: Journey,
  ownerId: OwnerId | null,
  { store, shardKeys }: Pick<SituationParts, 'store' | 'shardKeys'>,
): Promise<void> => {
  const isOver =
    (ownerId !== null && (await store.isRedeemed(shardKeys.place(id, ownerId)))) ||
    (pushed !== null && (await store.isFinished(getAnsweredId(id))))
  if (isOver) throw answeredAlready()
}

/**
 * To be awaited before an answer to the client. A pushed request has one answer (RFC 9126 section 7.3): all journeys
 * that began with it, on all nodes, claim the same one.
 */
export const claimAnswer = async (
  { id, pushed }: Journey,
  { store }: StoreNeeds,
): Promise<void> => {
  if (pushed === null) return
  const expiresAt = pushed.endsAt + storeLimits.clockSkewSeconds
  const isFirst = await store.finishCeremony({ id: getAnsweredId(id), expiresAt })
  if (!isFirst) throw answeredAlready()
}
