/** The code flow with PKCE, as OpenID providers and other OAuth 2.0 providers share it. */

import { passing } from '../clients/site-fetch.ts'
import { hashText } from '../crypto/digest.ts'
import type { Outbound, OutboundRequest } from '../http/outbound.ts'
import { decodeUtf8, isObject, type JsonObject, type JsonValue, parseJson } from '../model/json.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { upstreamLimits } from './limits.ts'
import { UpstreamFault, type UpstreamTrip } from './upstream.ts'

/** The code of an OAuth error, if it is one: nothing else that an upstream says goes to the log. */
export const formatError = (answer: JsonValue): string =>
  isObject(answer) && typeof answer.error === 'string' && /^[a-z_]{1,40}$/.test(answer.error)
    ? ` ${answer.error}`
    : ''

/**
 * The JSON of a good answer.
 *
 * @param what the question, for the log
 */
export const askForJson = async (
  what: string,
  request: Omit<OutboundRequest, 'mostBytes'>,
  outbound: Outbound,
): Promise<JsonValue | UpstreamFault> => {
  const headers = { Accept: 'application/json', ...request.headers }
  const answer = await outbound.fetch({ ...request, headers, mostBytes: upstreamLimits.bytes })
  if (answer.outcome === 'failed') {
    // An upstream that is down, and no wrong configuration.
    const fault = passing.includes(answer.reason) ? 'unreachable' : 'wrong'
    return new UpstreamFault(fault, `${what}: ${answer.reason} ${answer.detail}`.trimEnd())
  }
  const { status, body } = answer
  const said = parseJson(decodeUtf8(body) ?? '') ?? null
  if (status === 200) return said
  const detail = `${what}: status ${status}${formatError(said)}`
  return new UpstreamFault(status >= 500 || status === 429 ? 'unreachable' : 'wrong', detail)
}

export const expectObject = (
  what: string,
  said: JsonValue | UpstreamFault,
): JsonObject | UpstreamFault =>
  said instanceof UpstreamFault || isObject(said)
    ? said
    : new UpstreamFault('wrong', `${what}: no JSON object`)

/** This service as a client of the upstream. */
export interface UpstreamClient {
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly scope: string
  /** Whether the provider knows PKCE (RFC 7636). */
  readonly pkce: boolean
}

export const makeAuthorizationUrl = (
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
    ...(pkce ? { code_challenge: hashText(verifier), code_challenge_method: 'S256' } : {}),
    ...further,
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return url.href
}

/** As a form writes it: RFC 6749 section 2.3.1 asks for this before Basic. */
const encodeForm = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

/** How the client authenticates itself: headers, and fields of the form. */
const makeCredentials = ({ clientId, clientSecret }: UpstreamClient, isBasicKnown: boolean) => {
  if (clientSecret === null) return { headers: {}, fields: { client_id: clientId } }
  if (!isBasicKnown) {
    return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } }
  }
  const pair = `${encodeForm(clientId)}:${encodeForm(clientSecret)}`
  return { headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} }
}

/** The provider, as far as it takes part in the code flow. */
export interface Provider {
  /** Null where it is not known. */
  readonly issuer: string | null
  /** Whether each answer says whose it is (RFC 9207). */
  readonly saysIssuer: boolean
  readonly tokenEndpoint: string
  /** How a client may send its secret. */
  readonly isBasicKnown: boolean
}

/** The code in the redirect back, unless another provider may have sent it (RFC 9207 section 2.4). */
const readCode = (answer: Parameters, { issuer, saysIssuer }: Provider): string | UpstreamFault => {
  const iss = answer.find('iss')
  const isOthers = iss === null ? saysIssuer : issuer !== null && iss !== issuer
  if (isOthers) return new UpstreamFault('wrong', 'iss')
  const error = answer.find('error')
  if (error !== null) {
    const detail = /^[a-z_]{1,40}$/.test(error) ? error : 'an unknown error'
    return new UpstreamFault('refused', detail)
  }
  return answer.find('code') ?? new UpstreamFault('wrong', 'no code')
}

/** The token response for the code in the redirect back. */
export const redeemUpstreamCode = async (
  answer: Parameters,
  trip: UpstreamTrip,
  client: UpstreamClient,
  provider: Provider,
  outbound: Outbound,
): Promise<JsonObject | UpstreamFault> => {
  const code = readCode(answer, provider)
  if (code instanceof UpstreamFault) return code
  const { headers, fields } = makeCredentials(client, provider.isBasicKnown)
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: trip.redirectUri,
    ...(client.pkce ? { code_verifier: trip.verifier } : {}),
    ...fields,
  }
  const request = {
    url: provider.tokenEndpoint,
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  } as const
  return expectObject('token', await askForJson('token', request, outbound))
}

export const askWithToken = async (
  what: string,
  url: string,
  accessToken: unknown,
  outbound: Outbound,
): Promise<JsonValue | UpstreamFault> => {
  // What a header cannot hold is no token (RFC 6750 section 2.1).
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,8000}$/.test(accessToken)) {
    return new UpstreamFault('wrong', 'no access token')
  }
  return askForJson(what, { url, headers: { Authorization: `Bearer ${accessToken}` } }, outbound)
}

/** What the upstream tells about the person behind an access token. */
export const askUserinfo = async (
  url: string,
  accessToken: unknown,
  outbound: Outbound,
): Promise<JsonObject | UpstreamFault> =>
  expectObject('userinfo', await askWithToken('userinfo', url, accessToken, outbound))
