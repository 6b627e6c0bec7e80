/** The code flow with PKCE, as OpenID providers and other OAuth 2.0 providers share it. */
import { digest } from '../crypto/digest.ts'
import type { Outbound } from '../http/outbound.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { askForJson, askUpstream, isObject } from './ask.ts'
import { UpstreamFault, type UpstreamTrip } from './upstream.ts'

/** This service as a client of the upstream. */
export interface UpstreamClient {
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly scope: string
  /** Whether the provider knows PKCE (RFC 7636). */
  readonly pkce: boolean
}

export const authorizationUrl = (
  endpoint: string,
  { clientId, scope, pkce }: UpstreamClient,
  { redirectUri, state, verifier }: UpstreamTrip,
  further: Readonly<Record<string, string>>,
): string => {
  const url = new URL(endpoint)
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    ...(pkce ? { code_challenge: digest(verifier), code_challenge_method: 'S256' } : {}),
    ...further,
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return url.href
}

/** As a form writes it: RFC 6749 section 2.3.1 asks for this before Basic. */
const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
}

/** How the client authenticates itself: headers, and fields of the form. */
const credentialsOf = (
  { clientId, clientSecret }: UpstreamClient,
  isBasicKnown: boolean,
): Credentials => {
  if (clientSecret === null) return { headers: {}, fields: { client_id: clientId } }
  if (!isBasicKnown) {
    return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } }
  }
  const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
  return { headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} }
}

/** The code in the redirect back. */
export const codeIn = (answer: Parameters): string | UpstreamFault => {
  const error = answer.find('error')
  if (error !== null) {
    const detail = /^[a-z_]{1,40}$/.test(error) ? error : 'an unknown error'
    return new UpstreamFault('refused', detail)
  }
  return answer.find('code') ?? new UpstreamFault('wrong', 'no code')
}

/** The token response for a code. */
export const redeemUpstreamCode = (
  code: string,
  trip: UpstreamTrip,
  client: UpstreamClient,
  endpoint: { readonly url: string; readonly isBasicKnown: boolean },
  parts: { readonly outbound: Outbound },
): Promise<JsonObject | UpstreamFault> => {
  const { headers, fields } = credentialsOf(client, endpoint.isBasicKnown)
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: trip.redirectUri,
    ...(client.pkce ? { code_verifier: trip.verifier } : {}),
    ...fields,
  }
  return askUpstream(
    'token',
    {
      url: endpoint.url,
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    },
    parts,
  )
}

/** A question with an access token. */
export const askWithToken = async (
  what: string,
  url: string,
  accessToken: unknown,
  parts: { readonly outbound: Outbound },
): Promise<JsonValue | UpstreamFault> => {
  // What a header cannot hold is no token (RFC 6750 section 2.1).
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,8000}$/.test(accessToken)) {
    return new UpstreamFault('wrong', 'no access token')
  }
  return askForJson(what, { url, headers: { Authorization: `Bearer ${accessToken}` } }, parts)
}

/** What the upstream tells about the person behind an access token. */
export const askUserinfo = async (
  url: string,
  accessToken: unknown,
  parts: { readonly outbound: Outbound },
): Promise<JsonObject | UpstreamFault> => {
  const said = await askWithToken('userinfo', url, accessToken, parts)
  if (said instanceof UpstreamFault || isObject(said)) return said
  return new UpstreamFault('wrong', 'userinfo: no JSON object')
}
