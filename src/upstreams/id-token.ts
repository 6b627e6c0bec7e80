/** The ID token of an upstream: checked (OpenID Connect Core section 3.1.3.7), and what it says of a login. */
import { keysFor, type PublishedKeys } from '../clients/keys.ts'
import type { OidcSettings } from '../config/upstreams.ts'
import { equalTexts } from '../crypto/digest.ts'
import { claimedHeader, verifyJws } from '../crypto/jose.ts'
import type { JsonObject } from '../model/json.ts'
import { type AuthenticationMethodReference, authenticationMethods } from '../model/session.ts'
import { upstreamLimits } from './limits.ts'
import { UpstreamFault, type UpstreamPerson } from './upstream.ts'

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
  const header = text.length > upstreamLimits.idTokenCharacters ? null : claimedHeader(text)
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
  const { skewSeconds } = upstreamLimits
  if (iss !== issuer) return 'iss'
  if (!isFor(claims, clientId)) return 'aud or azp'
  if (typeof sub !== 'string' || sub === '' || sub.length > upstreamLimits.subjectCharacters)
    return 'sub'
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

/** Values of `acr` that say that there were two factors: our own, and those of REFEDS and of OpenID. */
const strongContexts: readonly unknown[] = [
  '2',
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
]

/** Other names for what a session knows (RFC 8176 section 2). */
const also: Readonly<Record<string, AuthenticationMethodReference>> = {
  hwk: 'pop',
  pin: 'user',
  fpt: 'user',
  face: 'user',
}

const methodOf = (name: unknown): AuthenticationMethodReference | null => {
  if (typeof name !== 'string') return null
  const known = authenticationMethods.find((method) => method === name)
  return known ?? (Object.hasOwn(also, name) ? (also[name] ?? null) : null)
}

type TrustedLogin = Pick<UpstreamPerson, 'methods' | 'isStrong' | 'authTime'>

export const trustedLogin = (
  { acr, amr, auth_time: authTime }: JsonObject,
  at: number,
  { trustAcr }: Pick<OidcSettings, 'trustAcr'>,
): TrustedLogin => {
  if (!trustAcr) return { methods: [], isStrong: false, authTime: null }
  const said = Array.isArray(amr) ? amr.map(methodOf).filter((one) => one !== null) : []
  const isStrong = said.includes('mfa') || strongContexts.includes(acr)
  const methods = new Set(isStrong ? [...said, 'mfa' as const] : said)
  const isTime = typeof authTime === 'number' && Number.isInteger(authTime) && authTime > 0
  return {
    methods: authenticationMethods.filter((one) => methods.has(one)),
    isStrong,
    authTime: isTime ? Math.min(authTime, at) : null,
  }
}
