/** OpenID providers, by the code flow with PKCE (OpenID Connect Core section 3.1). */
import { createPublishedKeys, type PublishedKeys, selectKeys } from '../clients/keys.ts'
import { unbounded } from '../clients/site-fetch.ts'
import { isSafe } from '../config/issuer.ts'
import type { OidcSettings } from '../config/upstreams.ts'
import { verifyByKey } from '../crypto/client-jws.ts'
import { equalTexts } from '../crypto/digest.ts'
import { readClaimedHeader } from '../crypto/jose.ts'
import type { Outbound } from '../http/outbound.ts'
import type { JsonObject } from '../model/json.ts'
import { signatureAlgorithms } from '../model/key.ts'
import { type AuthenticationMethodReference, authenticationMethods } from '../model/session.ts'
import {
  askForJson,
  askUserinfo,
  expectObject,
  makeAuthorizationUrl,
  type Provider,
  redeemUpstreamCode,
} from './code-flow.ts'
import { upstreamLimits } from './limits.ts'
import { type MappedRights, mapRights, noRights } from './mapped.ts'
import {
  mapClaims,
  type RedirectUpstream,
  type UpstreamClaims,
  UpstreamFault,
  type UpstreamPerson,
  type UpstreamTrip,
} from './upstream.ts'

/** Asymmetric ones: no key that both sides know signs, and `none` is no signature (RFC 8725 section 3.1). */
const algorithms: readonly string[] = signatureAlgorithms

interface ExpectedIdToken {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
  readonly jwksUri: string
  /** Unix seconds. */
  readonly at: number
}

const wrong = (detail: string): UpstreamFault => new UpstreamFault('wrong', `ID token: ${detail}`)

const verifyClaims = async (
  text: string,
  { jwksUri, at }: ExpectedIdToken,
  keys: PublishedKeys,
): Promise<JsonObject | UpstreamFault> => {
  const header = text.length > upstreamLimits.idTokenCharacters ? null : readClaimedHeader(text)
  if (header === null) return wrong('malformed')
  const { alg, kid } = header
  if (typeof alg !== 'string' || !algorithms.includes(alg)) return wrong('algorithm')
  const wanted = { algorithm: alg, use: 'sig', kid: typeof kid === 'string' ? kid : null } as const
  const published = { openid: { jwks_uri: jwksUri } }
  const found = await keys.find(published, wanted, { at, address: null })
  if (found.is === 'unreachable') return new UpstreamFault('unreachable', 'keys')
  if (found.is === 'unusable') return wrong(`keys: ${found.said}`)
  for (const key of selectKeys(found.keys, wanted)) {
    const claims = await verifyByKey(text, key, alg)
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

const findFault = (claims: JsonObject, expected: ExpectedIdToken): string | null => {
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
const checkIdToken = async (
  text: string,
  expected: ExpectedIdToken,
  keys: PublishedKeys,
): Promise<JsonObject | UpstreamFault> => {
  const claims = await verifyClaims(text, expected, keys)
  if (claims instanceof UpstreamFault) return claims
  const fault = findFault(claims, expected)
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

const findMethod = (name: unknown): AuthenticationMethodReference | null => {
  if (typeof name !== 'string') return null
  const known = authenticationMethods.find((method) => method === name)
  return known ?? (Object.hasOwn(also, name) ? (also[name] ?? null) : null)
}

export const readTrustedLogin = (
  { acr, amr, auth_time: authTime }: JsonObject,
  at: number,
  { trustAcr }: Pick<OidcSettings, 'trustAcr'>,
): Pick<UpstreamPerson, 'methods' | 'isStrong' | 'authTime'> => {
  if (!trustAcr) return { methods: [], isStrong: false, authTime: null }
  const said = Array.isArray(amr) ? amr.map(findMethod).filter((one) => one !== null) : []
  const isStrong = said.includes('mfa') || strongContexts.includes(acr)
  const methods = new Set(isStrong ? [...said, 'mfa' as const] : said)
  const isTime = typeof authTime === 'number' && Number.isInteger(authTime) && authTime > 0
  return {
    methods: authenticationMethods.filter((one) => methods.has(one)),
    isStrong,
    authTime: isTime ? Math.min(authTime, at) : null,
  }
}

interface ProviderMetadata extends Provider {
  readonly authorizationEndpoint: string
  readonly jwksUri: string
  /** Null without one. */
  readonly userinfoEndpoint: string | null
}

const isWebUrl = (value: unknown): value is string => {
  const url = typeof value === 'string' ? URL.parse(value) : null
  return isSafe(url) && url.username + url.password === ''
}

const parseMetadata = (said: JsonObject, issuer: string): ProviderMetadata | UpstreamFault => {
  // Otherwise it could be the document of another provider (section 4.3).
  if (said.issuer !== issuer) return new UpstreamFault('wrong', 'metadata: issuer')
  const {
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    jwks_uri: jwksUri,
    userinfo_endpoint: userinfo,
    token_endpoint_auth_methods_supported: methods,
  } = said
  if (!isWebUrl(authorizationEndpoint) || !isWebUrl(tokenEndpoint) || !isWebUrl(jwksUri)) {
    return new UpstreamFault('wrong', 'metadata: endpoints')
  }
  return {
    issuer,
    authorizationEndpoint,
    tokenEndpoint,
    jwksUri,
    userinfoEndpoint: isWebUrl(userinfo) ? userinfo : null,
    isBasicKnown: !Array.isArray(methods) || methods.includes('client_secret_basic'),
    saysIssuer: said.authorization_response_iss_parameter_supported === true,
  }
}

interface CachedMetadata {
  readonly found: ProviderMetadata | UpstreamFault
  readonly until: number
}

/** One fetch at a time. After a failure, nobody waits for the provider for a moment. */
const createDiscovery = (issuer: string, outbound: Outbound) => {
  let known: CachedMetadata | null = null
  let underWay: Promise<CachedMetadata> | null = null

  const fetchMetadata = async (at: number): Promise<CachedMetadata> => {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const said = expectObject('metadata', await askForJson('metadata', { url }, outbound))
    const found = said instanceof UpstreamFault ? said : parseMetadata(said, issuer)
    const isGood = !(found instanceof UpstreamFault)
    return {
      found,
      until: at + (isGood ? upstreamLimits.metadataSeconds : upstreamLimits.failureSeconds),
    }
  }

  return async (at: number): Promise<ProviderMetadata | UpstreamFault> => {
    if (known !== null && at < known.until) return known.found
    underWay ??= fetchMetadata(at).finally(() => {
      underWay = null
    })
    const before = known
    const renewed = await underWay
    // Earlier metadata serve while the provider does not answer.
    const isWorse = renewed.found instanceof UpstreamFault && renewed.found.kind === 'unreachable'
    const isKept = isWorse && before !== null && !(before.found instanceof UpstreamFault)
    known = isKept ? { found: before.found, until: renewed.until } : renewed
    return known.found
  }
}

/** Whether the login is of this trip. Providers that ignore the wish for that often tell no time. */
const isOfTrip = ({ auth_time: authTime }: JsonObject, { begunAt }: UpstreamTrip): boolean =>
  typeof authTime === 'number' && authTime >= begunAt - upstreamLimits.skewSeconds

/**
 * All from one place: the ID token if it has an address, else the userinfo endpoint, if that speaks of
 * the same person (section 5.3.2). Otherwise the word "verified" of one would count for the other's address.
 */
const findClaims = async (
  claims: JsonObject,
  accessToken: unknown,
  { userinfoEndpoint }: ProviderMetadata,
  outbound: Outbound,
): Promise<UpstreamClaims> => {
  if (claims.email !== undefined || userinfoEndpoint === null) return mapClaims(claims)
  const said = await askUserinfo(userinfoEndpoint, accessToken, outbound)
  const isSame = !(said instanceof UpstreamFault) && said.sub === claims.sub
  const { preferred_username = null } = claims
  return mapClaims(isSame ? { preferred_username, ...said } : claims)
}

/** From the ID token, else from the userinfo endpoint. Without an answer nobody is logged in: rights may have gone. */
const findRights = async (
  claims: JsonObject,
  accessToken: unknown,
  { userinfoEndpoint }: ProviderMetadata,
  { groups }: OidcSettings,
  outbound: Outbound,
): Promise<MappedRights | UpstreamFault> => {
  if (groups === null) return noRights
  const { from } = groups
  if (Object.hasOwn(claims, from)) return mapRights(claims[from], groups)
  if (userinfoEndpoint === null) return noRights
  const said = await askUserinfo(userinfoEndpoint, accessToken, outbound)
  if (said instanceof UpstreamFault) return said
  if (said.sub !== claims.sub) return new UpstreamFault('wrong', 'userinfo: sub')
  return Object.hasOwn(said, from) ? mapRights(said[from], groups) : noRights
}

export const openOidc = (settings: OidcSettings, outbound: Outbound): RedirectUpstream => {
  const { issuer, clientId, id, asksAgain } = settings
  const client = { ...settings, pkce: true }
  const discover = createDiscovery(issuer, outbound)
  const keys = createPublishedKeys({ outbound, bounds: unbounded })
  return {
    by: 'redirect',
    asksAgain,
    async begin(trip, { loginHint, locales }) {
      const provider = await discover(trip.at)
      if (provider instanceof UpstreamFault) return provider
      return makeAuthorizationUrl(provider.authorizationEndpoint, client, trip, {
        nonce: trip.nonce,
        ui_locales: locales,
        ...(loginHint === '' ? {} : { login_hint: loginHint }),
        ...(trip.isFresh ? { prompt: 'login', max_age: '0' } : {}),
      })
    },
    async finish(answer, trip) {
      const provider = await discover(trip.at)
      if (provider instanceof UpstreamFault) return provider
      const tokens = await redeemUpstreamCode(answer, trip, client, provider, outbound)
      if (tokens instanceof UpstreamFault) return tokens
      const { id_token: idToken, access_token: accessToken } = tokens
      if (typeof idToken !== 'string') return new UpstreamFault('wrong', 'no ID token')
      const { jwksUri } = provider
      const expected = { issuer, clientId, nonce: trip.nonce, jwksUri, at: trip.at }
      const claims = await checkIdToken(idToken, expected, keys)
      if (claims instanceof UpstreamFault) return claims
      const isFresh = asksAgain && isOfTrip(claims, trip)
      if (trip.isFresh && !isFresh) return new UpstreamFault('stale', 'auth_time')
      const mapped = await findRights(claims, accessToken, provider, settings, outbound)
      if (mapped instanceof UpstreamFault) return mapped
      return {
        account: { upstream: id, issuer, subject: String(claims.sub) },
        mapped,
        ...readTrustedLogin(claims, trip.at, settings),
        isFresh,
        picture: mapClaims(claims).picture,
        findClaims: () => findClaims(claims, accessToken, provider, outbound),
      }
    },
  }
}
