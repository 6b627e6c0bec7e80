/** Where a journey stands: its request parsed again, the login and earlier approvals read again. */
import { learnAsked } from '../access/learn.ts'
import { requesterOf } from '../model/requester.ts'
import type { Visitor } from '../owners/session.ts'
import type { Parts } from '../parts.ts'
import { parseParameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import {
  type AuthorizationRequest,
  findTarget,
  parseAuthorizationRequest,
  type RequestRegistries,
  type Target,
} from '../requests/authorization-request.ts'
import type { Journey } from './journey.ts'
import { type NextStep, nextStep } from './next-step.ts'

interface SituationParts extends Pick<Parts, 'settings' | 'store' | 'resources'> {
  readonly registries: RequestRegistries
}

export interface Situated {
  readonly target: Target
  readonly next: NextStep
}

/** @throws Refusal for a page, where client or redirect URI are not proven */
export const situate = async (
  journey: Journey,
  visitor: Visitor,
  at: number,
  parts: SituationParts,
): Promise<Situated> => {
  try {
    return await find(journey, visitor, at, parts)
  } catch (fault) {
    throw fault instanceof Refusal ? fault.about(journey.parameters) : fault
  }
}

const find = async (
  journey: Journey,
  visitor: Visitor,
  at: number,
  parts: SituationParts,
): Promise<Situated> => {
  const parameters = parseParameters(journey.parameters)
  const target = await findTarget(parameters, parts.registries, parts)
  await learnAsked(parameters, parts)
  const { client } = target
  const session = visitor.login?.session ?? null
  const next = nextStep({
    client,
    request: parsedOrRefused(() =>
      parseAuthorizationRequest(parameters, target, parts.registries, parts),
    ),
    journey,
    requester: requesterOf(client, target.redirectUri),
    session,
    standing:
      session === null
        ? []
        : await parts.store.findAuthorizations(session.ownerId, client.id, at, session.id),
    at,
  })
  return { target, next }
}

const parsedOrRefused = (parse: () => AuthorizationRequest): AuthorizationRequest | Refusal => {
  try {
    return parse()
  } catch (fault) {
    if (fault instanceof Refusal) return fault
    throw fault
  }
}

/** An owner may go back in the browser and allow again. The code of the first time is used up by then. */
export const refuseAnswered = async (
  journey: Journey,
  { store }: Pick<Parts, 'store'>,
): Promise<void> => {
  if (!(await store.isRedeemed(journey.id))) return
  throw new Refusal(
    'invalid_request',
    'journey_answered',
    'this request was answered already: start again at the application',
  )
}
