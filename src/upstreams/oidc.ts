/** OpenID providers, by the code flow with PKCE (OpenID Connect Core section 3.1). */

import { createPublishedKeys } from '../clients/keys.ts'
import { unbounded } from '../clients/site-fetch.ts'
import { upstreamLimits as limits } from '../config/upstream-limits.ts'
import type { OidcSettings } from '../config/upstreams.ts'
import type { JsonObject } from '../model/json.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { claimsIn } from './claims.ts'
import { askUserinfo, authorizationUrl, codeIn, redeemUpstreamCode } from './code-flow.ts'
import { createDiscovery, type ProviderMetadata } from './discovery.ts'
import { checkIdToken } from './id-token.ts'
import { trustedLogin } from './trusted.ts'
import {
  type RedirectUpstream,
  type UpstreamClaims,
  UpstreamFault,
  type UpstreamParts,
  type UpstreamTrip,
} from './upstream.ts'

/** The code, unless another provider may have sent the answer (RFC 9207 section 2.4). */
const codeOf = (
  answer: Parameters,
  issuer: string,
  { saysIssuer }: ProviderMetadata,
): string | UpstreamFault => {
  const iss = answer.find('iss')
  const isOthers = iss === null ? saysIssuer : iss !== issuer
  return isOthers ? new UpstreamFault('wrong', 'iss') : codeIn(answer)
}

/** Whether the login is of this trip. Providers that ignore the wish for that often tell no time. */
const isOfTrip = ({ auth_time: authTime }: JsonObject, { begunAt }: UpstreamTrip): boolean =>
  typeof authTime === 'number' && authTime >= begunAt - limits.skewSeconds

/**
 * All from one place: the ID token if it has an address, else the userinfo endpoint, if that speaks of
 * the same person (section 5.3.2). Otherwise the word "verified" of one would count for the other's address.
 */
const findClaims = async (
  claims: JsonObject,
  accessToken: unknown,
  { userinfoEndpoint }: ProviderMetadata,
  parts: UpstreamParts,
): Promise<UpstreamClaims> => {
  if (claims.email !== undefined || userinfoEndpoint === null) return claimsIn(claims)
  const said = await askUserinfo(userinfoEndpoint, accessToken, parts)
  const isSame = !(said instanceof UpstreamFault) && said.sub === claims.sub
  const { preferred_username = null } = claims
  return claimsIn(isSame ? { preferred_username, ...said } : claims)
}

/** Where each question goes, until the next look at the metadata. */
const endpointOf = ({ tokenEndpoint: url, isBasicKnown }: ProviderMetadata) => ({
  url,
  isBasicKnown,
})

export const openOidc = (settings: OidcSettings, parts: UpstreamParts): RedirectUpstream => {
  const { issuer, clientId, id, asksAgain } = settings
  const client = { ...settings, pkce: true }
  const discover = createDiscovery(issuer, parts)
  const keys = createPublishedKeys({ ...parts, bounds: unbounded })
  return {
    by: 'redirect',
    asksAgain,
    async begin(trip, { loginHint, locales }) {
      const provider = await discover(trip.at)
      if (provider instanceof UpstreamFault) return provider
      return authorizationUrl(provider.authorizationEndpoint, client, trip, {
        nonce: trip.nonce,
        ui_locales: locales,
        ...(loginHint === '' ? {} : { login_hint: loginHint }),
        ...(trip.isFresh ? { prompt: 'login', max_age: '0' } : {}),
      })
    },
    async finish(answer, trip) {
      const provider = await discover(trip.at)
      if (provider instanceof UpstreamFault) return provider
      const code = codeOf(answer, issuer, provider)
      if (code instanceof UpstreamFault) return code
      const tokens = await redeemUpstreamCode(code, trip, client, endpointOf(provider), parts)
      if (tokens instanceof UpstreamFault) return tokens
      const { id_token: idToken, access_token: accessToken } = tokens
      if (typeof idToken !== 'string') return new UpstreamFault('wrong', 'no ID token')
      const { jwksUri } = provider
      const expected = { issuer, clientId, nonce: trip.nonce, jwksUri, at: trip.at }
      const claims = await checkIdToken(idToken, expected, keys)
      if (claims instanceof UpstreamFault) return claims
      const isFresh = asksAgain && isOfTrip(claims, trip)
      if (trip.isFresh && !isFresh) return new UpstreamFault('stale', 'auth_time')
      return {
        account: { upstream: id, issuer, subject: String(claims.sub) },
        ...trustedLogin(claims, trip.at, settings),
        isFresh,
        findClaims: () => findClaims(claims, accessToken, provider, parts),
      }
    },
  }
}
