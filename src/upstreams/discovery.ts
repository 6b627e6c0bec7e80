/** The metadata of OpenID providers (OpenID Connect Discovery section 4), held in memory. */
import { isLoopback } from '../config/issuer.ts'
import type { Outbound } from '../http/outbound.ts'
import type { JsonObject } from '../model/json.ts'
import { askUpstream } from './ask.ts'
import { upstreamLimits } from './limits.ts'
import { UpstreamFault } from './upstream.ts'

export interface ProviderMetadata {
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly jwksUri: string
  /** Null without one. */
  readonly userinfoEndpoint: string | null
  /** How a client may send its secret. */
  readonly isBasicKnown: boolean
  /** Whether each answer says whose it is (RFC 9207). */
  readonly saysIssuer: boolean
}

const isWebUrl = (value: unknown): value is string => {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || url.username + url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

const metadataIn = (said: JsonObject, issuer: string): ProviderMetadata | UpstreamFault => {
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
export const createDiscovery = (issuer: string, parts: { readonly outbound: Outbound }) => {
  let known: CachedMetadata | null = null
  let underWay: Promise<CachedMetadata> | null = null

  const fetchMetadata = async (at: number): Promise<CachedMetadata> => {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const said = await askUpstream('metadata', { url }, parts)
    const found = said instanceof UpstreamFault ? said : metadataIn(said, issuer)
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
