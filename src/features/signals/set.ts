/** Security event tokens (RFC 8417) of a stream: who they are about, and how they are signed. */
import { findClient } from '../../clients/find.ts'
import type { Client } from '../../model/client.ts'
import type { Clock } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import { getSub } from '../../owners/pairwise-secret.ts'
import { getProfile, pickAlgorithm } from '../../protocol/profile.ts'
import type { ServiceParts } from '../../registries.ts'
import type { SignalStream, SignalVerification } from './contract.ts'
import { describeSignal, type Signal, updateEvent, verificationEvent } from './events.ts'
import type { SignalApi } from './select.ts'

export type SetNeeds = Pick<ServiceParts, 'settings' | 'store' | 'signer' | 'subjects'> & {
  readonly clock: Clock
}

const makeOpaque = (id: string): JsonObject => ({ format: 'opaque', id })

/** The owner as APIs see the owner in tokens of this client. */
const findUser = async (
  { about: { ownerId, clientId, isDelegation }, isOurs }: Signal,
  needs: SetNeeds,
): Promise<{ readonly user?: JsonObject }> => {
  if (ownerId === null || clientId === null || isDelegation || !isOurs) return {}
  const client = await findClient(clientId, needs, 'disabled')
  if (client === null) return {}
  const sub = await getSub(client, ownerId, needs)
  return { user: { format: 'iss_sub', iss: needs.settings.issuer, sub } }
}

/** Whether all tokens of the owner are concerned, of this client and of others. */
const isOfUser = ({ kind, about }: Signal): boolean =>
  kind !== 'claimsChange' &&
  (kind !== 'sessionRevoked' || (about.event?.type === 'owner.password_changed' && !about.isFinal))

/**
 * The subject (RFC 9493, SSF 1.0 section 3). `session` is the authorization, which JWTs carry as
 * `lk_authorization`, or the family of tokens.
 */
const describeSubject = async (signal: Signal, needs: SetNeeds): Promise<JsonObject> => {
  const { issuer: iss } = needs.settings
  const { subject, subjectId, clientId } = signal.about
  switch (subject) {
    case 'token':
      return { format: 'jwt_id', iss, jti: subjectId }
    case 'client':
      return { format: 'complex', application: makeOpaque(subjectId) }
    case 'service':
      return { format: 'complex', tenant: makeOpaque(iss) }
    case 'family':
    case 'authorization': {
      const { user } = await findUser(signal, needs)
      if (isOfUser(signal) && user !== undefined) return user
      const isTold = signal.isOurs && clientId !== null
      const application = isTold ? { application: makeOpaque(clientId) } : {}
      const session = makeOpaque(subjectId)
      return { format: 'complex', ...(user === undefined ? {} : { user }), ...application, session }
    }
  }
}

/** An API that wants its introspection signed by an algorithm can check that one. */
const sign = (
  claims: JsonObject,
  client: Client,
  { signer, settings }: SetNeeds,
): Promise<string> => {
  const chosen = client.display.introspection_signed_response_alg ?? 'ES256'
  const algorithm = pickAlgorithm(chosen, getProfile(client, settings))
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
  const { id, at } = signal.about
  const claims = {
    ...makeCommon(signal.id, client, needs),
    // One change may be told by several sets (RFC 8417 section 2.2).
    txn: id.slice(0, id.indexOf(':')),
    toe: at,
    sub_id: await describeSubject(signal, needs),
    events: describeSignal(signal, own),
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

/** The service itself changes the status of a stream (SSF 1.0 section 8.1.5). */
export const signUpdate = (
  { id, status, reason }: Pick<SignalStream, 'id' | 'status' | 'reason'>,
  jti: string,
  client: Client,
  needs: SetNeeds,
): Promise<string> => {
  const claims = {
    ...makeCommon(jti, client, needs),
    sub_id: makeOpaque(id),
    events: { [updateEvent]: { status, reason } },
  }
  return sign(claims, client, needs)
}
