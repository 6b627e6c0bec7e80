/** The requests that wait for an owner, as they stand by now. */
import { findClient } from '../../clients/find.ts'
import { computeEnd } from '../../model/authorization.ts'
import type { Client } from '../../model/client.ts'
import { parseParameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type {
  AuthorizationRequest,
  RequestParts,
  Target,
} from '../../requests/authorization-request.ts'
import { parseEndingRequest } from '../../requests/ending-request.ts'
import { pickDuration } from '../../rooms/oauth/consent/show.ts'
import type { OwnerVisit } from '../../rooms/owner-visit.ts'
import type { BackchannelRequest, KeptAccess } from './contract.ts'
import { backchannelLimits } from './limits.ts'

export const requestsPath = '/account/requests'

/** A request as it stands for its owner. */
export interface OpenRequest {
  readonly stored: BackchannelRequest
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly target: Pick<Target, 'client' | 'redirectUri'>
  /** Null for one token. */
  readonly kept: KeptAccess | null
}

/** Null where the client may not ask for it any more. */
export const readRequest = async (
  stored: BackchannelRequest,
  { login, at }: OwnerVisit,
  needs: RequestParts,
): Promise<OpenRequest | null> => {
  const { settings, resources } = needs
  const client = await findClient(stored.clientId, needs)
  if (client === null) return null
  const parameters = parseParameters(stored.parameters)
  await resources.learnAsked(parameters)
  const target = { client, redirectUri: settings.issuer + requestsPath }
  try {
    const request = await parseEndingRequest(parameters, client, needs)
    const read = { stored, client, request, target, kept: null }
    if (!request.permissions.includes('offline_access')) return read
    const duration = pickDuration(client, settings)
    const { id: sessionId } = login.session
    if (duration === 'session') return { ...read, kept: { keptUntil: null, sessionId } }
    return { ...read, kept: { keptUntil: computeEnd(duration, at), sessionId: null } }
  } catch (fault) {
    if (fault instanceof Refusal) return null
    throw fault
  }
}

/** The requests that the owner can decide about, the newest first. */
export const listOpenRequests = async (
  visit: OwnerVisit,
  needs: RequestParts,
): Promise<readonly OpenRequest[]> => {
  const { ofOwnerInAll: most } = backchannelLimits
  const stored = await needs.store.listBackchannels(visit.login.owner.id, visit.at, most)
  const read = await Promise.all(stored.map((one) => readRequest(one, visit, needs)))
  return read.filter((one) => one !== null)
}
