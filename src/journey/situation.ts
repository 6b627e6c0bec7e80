/** Where a journey stands: its request parsed again, the login and earlier approvals read again. */

import type { Resources } from '../access/resources.ts'
import type { Settings } from '../config/settings.ts'
import type { Client } from '../model/client.ts'
import { highestContext } from '../model/factor.ts'
import { requesterOf } from '../model/requester.ts'
import { type AuthenticationContext, contextOf, type Session } from '../model/session.ts'
import type { Subjects } from '../owners/pairwise-secret.ts'
import type { Visitor } from '../owners/session.ts'
import { subjectOf } from '../owners/subject.ts'
import { type Parameters, parseParameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import {
  type AuthorizationRequest,
  findTarget,
  parseAuthorizationRequest,
  type RequestRegistries,
  type Target,
} from '../requests/authorization-request.ts'
import type { Store } from '../store/store.ts'
import type { Signer } from '../tokens/keys/signing.ts'
import { isFirstOf } from './context.ts'
import type { Journey } from './journey.ts'
import { type NextStep, nextStep } from './next-step.ts'

interface SituationParts {
  readonly settings: Settings
  readonly store: Store
  readonly resources: Resources
  readonly signer: Signer
  readonly subjects: Subjects
  readonly registries: RequestRegistries
}

export interface Situated {
  readonly target: Target
  readonly next: NextStep
}

/** What is known of a journey by now. */
interface KnownOfJourney {
  /** Its parameters, where they were read. */
  readonly parameters: Parameters | null
  /** Why its request object does not count. */
  readonly refused: Refusal | null
}

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
  try {
    return await find(journey, visitor, at, parts, known)
  } catch (fault) {
    throw fault instanceof Refusal ? fault.about(journey.parameters) : fault
  }
}

const find = async (
  journey: Journey,
  visitor: Visitor,
  at: number,
  parts: SituationParts,
  { parameters: read, refused }: KnownOfJourney,
): Promise<Situated> => {
  const parameters = read ?? parseParameters(journey.parameters)
  const target = await findTarget(parameters, parts.registries, parts).catch((fault: unknown) => {
    // Its redirect URI may be in the object alone.
    throw refused?.explanation == null ? fault : refused
  })
  await parts.resources.learnAsked(parameters)
  const { client } = target
  const session = visitor.login?.session ?? null
  const request =
    refused ??
    (await parsedOrRefused(parseAuthorizationRequest(parameters, target, parts.registries, parts)))
  const next = nextStep({
    client,
    request,
    redirectUri: target.redirectUri,
    journey,
    requester: requesterOf(client, target.redirectUri),
    session,
    subject: await findSubject(request, client, session, parts),
    reachable: await findReachable(request, session, parts),
    standing:
      session === null
        ? []
        : await parts.store.findAuthorizations(session.ownerId, client.id, at, session.id),
    isApproved: session === null && isSilent(request) && (await parts.store.isApproved(client.id)),
    at,
  })
  return { target, next }
}

const findSubject = async (
  request: AuthorizationRequest | Refusal,
  client: Client,
  session: Session | null,
  parts: { readonly subjects: Subjects },
): Promise<string | null> =>
  session === null || request instanceof Refusal || request.login.subjects === null
    ? null
    : subjectOf(client, session.ownerId, parts)

/** The highest `acr` of the owner. It is read only if the request asks for more than the login has. */
const findReachable = async (
  request: AuthorizationRequest | Refusal,
  session: Session | null,
  { store }: { readonly store: Store },
): Promise<AuthenticationContext> => {
  if (session === null) return '1'
  const now = contextOf(session)
  if (request instanceof Refusal || isFirstOf(request.login, now)) return now
  return highestContext(await store.findFactors(session.ownerId))
}

const isSilent = (request: AuthorizationRequest | Refusal): boolean =>
  !(request instanceof Refusal) && request.prompt.includes('no_page')

const parsedOrRefused = async (
  parsed: Promise<AuthorizationRequest>,
): Promise<AuthorizationRequest | Refusal> => {
  try {
    return await parsed
  } catch (fault) {
    if (fault instanceof Refusal) return fault
    throw fault
  }
}

/** An owner may go back in the browser and allow again. The code of the first time is used up by then. */
export const refuseAnswered = async (
  journey: Journey,
  { store }: { readonly store: Store },
): Promise<void> => {
  if (!(await store.isRedeemed(journey.id))) return
  throw new Refusal(
    'invalid_request',
    'journey_answered',
    'this request was answered already: start again at the application',
  )
}
