/** ID tokens (OpenID Connect Core section 2): who logged in, when and how, for one client. */

import type { Resources } from '../access/resources.ts'
import { hashHalf } from '../crypto/digest.ts'
import type { Client } from '../model/client.ts'
import type { OwnerId, SessionHandle, SessionId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { getHalfHash, type JwsAlgorithm } from '../model/key.ts'
import { getContext, type Terms } from '../model/terms.ts'
import { listIdTokenNames, pickClaims } from '../owners/claims.ts'
import { getSub, type Subjects } from '../owners/pairwise-secret.ts'
import { deriveClientSession } from '../owners/session.ts'
import { findToldGroups } from '../owners/told-groups.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import { getProfile, type ProfileSettings, pickAlgorithm } from '../protocol/profile.ts'
import type { ClientLogin } from '../store/contract/queue.ts'
import type { Store } from '../store/store.ts'
import type { Encrypter } from './encrypt.ts'
import type { Signer } from './keys/signing.ts'

const idTokenSeconds = 3600

/** The login of an ID token, with the code or the access token beside it. */
export interface ToldLogin {
  readonly client: Client
  readonly ownerId: OwnerId
  readonly terms: Terms
  /** Unix seconds. */
  readonly at: number
  readonly accessToken?: string
  readonly code?: string
  /** Whether no access token comes from this request: then it tells the claims of the scope (section 5.4). */
  readonly isAlone?: boolean
}

interface IdTokenParts {
  readonly settings: ProfileSettings
  readonly signer: Signer
  readonly subjects: Subjects
  readonly store: Store
  readonly resources: Resources
  readonly encryptFor: Encrypter['encryptFor']
}

/** The left half of the hash of the algorithm (section 3.1.3.6). */
const hashLeftHalf = (text: string, algorithm: JwsAlgorithm): string =>
  hashHalf(text, getHalfHash(algorithm))

const getLoginClaims = (terms: Terms): Record<string, JsonValue> => {
  const { authTime, methods, session, nonce } = terms
  return {
    ...(authTime === null ? {} : { auth_time: authTime, acr: getContext(terms), amr: methods }),
    ...(session === null ? {} : { sid: session }),
    ...(nonce === null ? {} : { nonce }),
  }
}

/** Claims about the owner. The claims are read now, so a repeated request may tell newer ones. */
const getOwnerClaims = async (
  { client, ownerId, terms, isAlone = false }: ToldLogin,
  { store, resources }: IdTokenParts,
): Promise<JsonObject> => {
  const names = listIdTokenNames(terms, isAlone, resources.words)
  const owner = names.length === 0 ? null : await store.findOwner(ownerId)
  if (owner === null) return {}
  const groups = await findToldGroups(client, ownerId, names, store)
  return pickClaims(owner, names, resources.words, groups)
}

const getProtocolClaims = (
  { client, terms, at, accessToken, code }: ToldLogin,
  subject: string,
  issuer: string,
  algorithm: JwsAlgorithm,
): JsonObject => ({
  iss: issuer,
  sub: subject,
  aud: client.id,
  azp: client.id,
  iat: at,
  exp: at + idTokenSeconds,
  ...getLoginClaims(terms),
  ...(accessToken === undefined ? {} : { at_hash: hashLeftHalf(accessToken, algorithm) }),
  ...(code === undefined ? {} : { c_hash: hashLeftHalf(code, algorithm) }),
})

/**
 * Signs with the algorithm that the client registered, and encrypts if it registered for that.
 *
 * @throws Refusal `temporarily_unavailable`, `invalid_request`
 */
export type IssueIdToken = (told: ToldLogin) => Promise<string>

export const openIdTokens =
  (parts: IdTokenParts): IssueIdToken =>
  async (told) => {
    const { client, ownerId } = told
    const { id_token_signed_response_alg: chosen } = client.openid
    const algorithm = pickAlgorithm(chosen, getProfile(client, parts.settings))
    const about = await getOwnerClaims(told, parts)
    const subject = await getSub(client, ownerId, parts)
    const claims = getProtocolClaims(told, subject, parts.resources.latest.site.issuer, algorithm)
    const signed = await parts.signer.sign({ ...about, ...claims }, algorithm, 'JWT')
    // Whoever asked was bounded by `checkEncryption`.
    return parts.encryptFor(client, 'id_token', signed, 'JWT', { at: told.at, address: null })
  }

/** The session that the client knows by the `sid` of the terms; null if it has ended. */
const findSession = async (
  { session: sid }: Terms,
  client: Client,
  ownerId: OwnerId,
  at: number,
  store: Store,
): Promise<SessionId | null> => {
  for (let before: SessionHandle | null = null; ; ) {
    const page = await store.listSessions(ownerId, before, parameterLimits.pageRows, at)
    const found = page.rows.find((session) => deriveClientSession(session, client) === sid)
    if (found !== undefined || page.next === null) return found?.id ?? null
    before = page.next as SessionHandle
  }
}

/**
 * The login behind an ID token, for clients that want to hear of its end. Undefined for the many clients that
 * registered no address for logouts: for them nothing is read.
 */
export const findClientLogin = async (
  client: Client,
  ownerId: OwnerId,
  terms: Terms,
  at: number,
  store: Store,
): Promise<ClientLogin | undefined> => {
  const { backchannel_logout_uri: back, frontchannel_logout_uri: front } = client.openid
  const { session: sid, permissions } = terms
  if (sid === null || (back ?? front) === undefined) return undefined
  if (!permissions.includes('openid')) return undefined
  const sessionId = await findSession(terms, client, ownerId, at, store)
  return { clientId: client.id, ownerId, sid, sessionId, backChannel: back !== undefined }
}
