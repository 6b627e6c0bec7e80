/** ID tokens (OpenID Connect Core section 2): who logged in, when and how, for one client. */

import { idTokenLimits } from '../config/id-token-limits.ts'
import { hashHalf } from '../crypto/digest.ts'
import type { Client } from '../model/client.ts'
import { idTokenAlgorithm } from '../model/client-openid.ts'
import type { OwnerId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { JwsAlgorithm } from '../model/key.ts'
import { contextOf } from '../model/session.ts'
import type { Terms } from '../model/terms.ts'
import { subjectOf } from '../owners/subject.ts'
import type { Signer, Subjects } from '../parts.ts'

/** The login of an ID token, with the code or the access token beside it. */
export interface ToldLogin {
  readonly client: Client
  readonly ownerId: OwnerId
  readonly terms: Terms
  /** Unix seconds. */
  readonly at: number
  readonly accessToken?: string
  readonly code?: string
}

export interface IdTokenParts {
  readonly settings: { readonly issuer: string }
  readonly signer: Signer
  readonly subjects: Subjects
}

/** The left half of the hash of the algorithm (section 3.1.3.6). Ed25519 signs with SHA-512. */
const halfOf = (text: string, algorithm: JwsAlgorithm): string =>
  hashHalf(text, algorithm === 'RS256' || algorithm === 'ES256' ? 'sha256' : 'sha512')

const loginClaims = ({ authTime, methods, session, nonce }: Terms): Record<string, JsonValue> => ({
  ...(authTime === null ? {} : { auth_time: authTime, acr: contextOf({ methods }), amr: methods }),
  ...(session === null ? {} : { sid: session }),
  ...(nonce === null ? {} : { nonce }),
})

const claimsOf = (
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
  exp: at + idTokenLimits.seconds,
  ...loginClaims(terms),
  ...(accessToken === undefined ? {} : { at_hash: halfOf(accessToken, algorithm) }),
  ...(code === undefined ? {} : { c_hash: halfOf(code, algorithm) }),
})

/** Signs with the algorithm that the client registered. */
export const issueIdToken = async (told: ToldLogin, parts: IdTokenParts): Promise<string> => {
  const { client, ownerId } = told
  const algorithm = idTokenAlgorithm(client.openid)
  const subject = await subjectOf(client, ownerId, parts)
  return parts.signer.sign(
    claimsOf(told, subject, parts.settings.issuer, algorithm),
    algorithm,
    'JWT',
  )
}
