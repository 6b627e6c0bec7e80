/** Security event tokens (RFC 8417) of a stream: who they are about, and how they are signed. */
import { findClient } from '../../clients/find.ts'
import type { Client } from '../../model/client.ts'
import type { Clock } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import { getSub } from '../../owners/pairwise-secret.ts'
import type { ServiceParts } from '../../registries.ts'
import type { SignalVerification } from './contract.ts'
import { describeSignal, findSignalEvent, type Signal, verificationEvent } from './events.ts'
import type { SignalApi } from './select.ts'

export type SetNeeds = Pick<ServiceParts, 'settings' | 'store' | 'signer' | 'subjects'> & {
  readonly clock: Clock
}

const makeOpaque = (id: string): JsonObject => ({ format: 'opaque', id })

/** The owner as APIs see the owner in tokens of this client. */
const findUser = async (
  { ownerId, clientId }: Signal,
  needs: SetNeeds,
): Promise<{ readonly user?: JsonObject }> => {
  if (ownerId === null || clientId === null) return {}
  const client = await findClient(clientId, needs, 'disabled')
  if (client === null) return {}
  const sub = await getSub(client, ownerId, needs)
  return { user: { format: 'iss_sub', iss: needs.settings.issuer, sub } }
}

/**
 * The subject (RFC 9493, SSF 1.0 section 3). `session` is the authorization: JWTs carry it as
 * `lk_authorization`.
 */
const describeSubject = async (signal: Signal, needs: SetNeeds): Promise<JsonObject> => {
  const { issuer: iss } = needs.settings
  const { subject, subjectId, event, clientId } = signal
  const { user } = await findUser(signal, needs)
  switch (subject) {
    case 'token':
      return { format: 'jwt_id', iss, jti: subjectId }
    case 'client':
      return { format: 'complex', application: makeOpaque(subjectId) }
    case 'service':
      return { format: 'complex', tenant: makeOpaque(iss) }
    case 'family':
    case 'authorization': {
      const isOfOwner = event?.type.startsWith('owner.') === true
      if (isOfOwner && user !== undefined) return user
      const application = clientId === null ? {} : { application: makeOpaque(clientId) }
      const session = makeOpaque(subjectId)
      return { format: 'complex', ...(user === undefined ? {} : { user }), ...application, session }
    }
  }
}

/** An API that wants its introspection signed by an algorithm can check that one. */
const sign = (claims: JsonObject, client: Client, { signer }: SetNeeds): Promise<string> => {
  const algorithm = client.display.introspection_signed_response_alg ?? 'ES256'
  return signer.sign(claims, algorithm, 'secevent+jwt')
}

const makeCommon = (jti: string, client: Client, { settings, clock }: SetNeeds): JsonObject => ({
  iss: settings.issuer,
  aud: client.id,
  iat: Math.floor(clock() / 1000),
  jti,
})

/** @param client the receiver */
export const signSignal = async (
  signal: Signal,
  client: Client,
  { own }: SignalApi,
  needs: SetNeeds,
): Promise<string> => {
  const kind = findSignalEvent(signal)
  if (kind === null) throw new Error('a signal that is none was to be sent')
  const isOwn = (permission: string) => own.some((name) => permission.startsWith(`${name}:`))
  const claims = {
    ...makeCommon(signal.id, client, needs),
    toe: signal.at,
    sub_id: await describeSubject(signal, needs),
    events: describeSignal(signal, kind, isOwn),
  }
  return sign(claims, client, needs)
}

/** SSF 1.0 section 8.1.4.1. @param streamId the subject */
export const signVerification = (
  { id, state }: SignalVerification,
  streamId: string,
  client: Client,
  needs: SetNeeds,
): Promise<string> => {
  const claims = {
    ...makeCommon(id, client, needs),
    sub_id: makeOpaque(streamId),
    events: { [verificationEvent]: state === null ? {} : { state } },
  }
  return sign(claims, client, needs)
}
