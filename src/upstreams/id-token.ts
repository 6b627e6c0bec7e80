/** Checks an ID token of an upstream (OpenID Connect Core section 3.1.3.7). */

import type { PublishedKeys } from '../clients/keys.ts'
import { keysFor } from '../clients/keys.ts'
import { upstreamLimits as limits } from '../config/upstream-limits.ts'
import { equalTexts } from '../crypto/digest.ts'
import { claimedHeader, verifyJws } from '../crypto/jose.ts'
import type { JsonObject } from '../model/json.ts'
import { UpstreamFault } from './upstream.ts'

/** Asymmetric ones: no key that both sides know signs, and `none` is no signature (RFC 8725 section 3.1). */
const algorithms: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

export interface ExpectedIdToken {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
  readonly jwksUri: string
  /** Unix seconds. */
  readonly at: number
}

const wrong = (detail: string): UpstreamFault => new UpstreamFault('wrong', `ID token: ${detail}`)

const signedClaims = async (
  text: string,
  { jwksUri, at }: ExpectedIdToken,
  keys: PublishedKeys,
): Promise<JsonObject | UpstreamFault> => {
  const header = text.length > limits.idTokenCharacters ? null : claimedHeader(text)
  if (header === null) return wrong('malformed')
  const { alg, kid } = header
  if (typeof alg !== 'string' || !algorithms.includes(alg)) return wrong('algorithm')
  const wanted = { algorithm: alg, use: 'sig', kid: typeof kid === 'string' ? kid : null } as const
  const published = { openid: { jwks_uri: jwksUri } }
  const found = await keys.find(published, wanted, { at, address: null })
  if (found.is === 'unreachable') return new UpstreamFault('unreachable', 'keys')
  if (found.is === 'unusable') return wrong(`keys: ${found.said}`)
  for (const key of keysFor(found.keys, wanted)) {
    const claims = await verifyJws(text, key, alg)
    if (claims !== null) return claims
  }
  return wrong('signature')
}

const isFor = ({ aud, azp }: JsonObject, clientId: string): boolean => {
  const audience = Array.isArray(aud) ? aud : [aud]
  if (!audience.includes(clientId)) return false
  // For several audiences the token has to say whom it was issued to.
  return azp === undefined ? audience.length === 1 : azp === clientId
}

const faultIn = (claims: JsonObject, expected: ExpectedIdToken): string | null => {
  const { iss, sub, exp, iat, nbf = 0, nonce } = claims
  const { at, issuer, clientId } = expected
  const { skewSeconds } = limits
  if (iss !== issuer) return 'iss'
  if (!isFor(claims, clientId)) return 'aud or azp'
  if (typeof sub !== 'string' || sub === '' || sub.length > limits.subjectCharacters) return 'sub'
  if (typeof exp !== 'number' || exp <= at - skewSeconds) return 'exp'
  if (typeof iat !== 'number' || iat > at + skewSeconds) return 'iat'
  if (typeof nbf !== 'number' || nbf > at + skewSeconds) return 'nbf'
  return typeof nonce === 'string' && equalTexts(nonce, expected.nonce) ? null : 'nonce'
}

/** The claims of an ID token that is for this very login. */
export const checkIdToken = async (
  text: string,
  expected: ExpectedIdToken,
  keys: PublishedKeys,
): Promise<JsonObject | UpstreamFault> => {
  const claims = await signedClaims(text, expected, keys)
  if (claims instanceof UpstreamFault) return claims
  const fault = faultIn(claims, expected)
  return fault === null ? claims : wrong(fault)
}
