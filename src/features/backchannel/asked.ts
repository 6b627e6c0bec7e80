/** What a backchannel request asks for, and how it is answered (OpenID CIBA section 7.1). */
import type { FetchAsker } from '../../clients/site-fetch.ts'
import { readClaims } from '../../crypto/jose.ts'
import type { Client } from '../../model/client.ts'
import { type Parameters, parseParameters } from '../../protocol/parameters.ts'
import { invalidRequest, Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { readRequestObject } from '../../requests/request-object.ts'
import { backchannelLimits } from './limits.ts'
import { backchannelSettings } from './settings.ts'

/** The owner is shown these. Anything else is ignored (RFC 6749 section 3.1). */
const shown = ['scope', 'resource', 'authorization_details', 'acr_values']

/** Form-encoded, with the hint that parsing checks. */
export const formatAsked = (form: Parameters, { id }: Client): string => {
  const request = new URLSearchParams({ client_id: id })
  for (const name of shown) for (const value of form.all(name)) request.append(name, value)
  const text = request.toString()
  const { parameterCharacters: most } = backchannelLimits
  if (text.length <= most) return text
  const said = `the request has more than ${most} characters`
  throw invalidRequest('backchannel_request_too_long', said)
}

/** One line that people can compare: each of its characters is shown. */
export const parseMessage = (form: Parameters): string | null => {
  const message = form.find('binding_message')
  if (message === null) return null
  const { messageCharacters: most } = backchannelLimits
  // In Unicode code points, as people count.
  const isShort = message.length <= 2 * most && [...message].length <= most
  if (isShort && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(message)) return message
  const said = `binding_message has to be one line of at most ${most} characters, without control characters`
  throw new Refusal('invalid_binding_message', 'bad_binding_message', said)
}

/** @param most seconds, if the client asks for none or for more. Nobody can decide in less than the least */
export const parseExpiry = (form: Parameters, most: number): number => {
  const asked = form.find('requested_expiry')
  if (asked === null) return most
  if (/^\d{1,9}$/.test(asked) && Number(asked) > 0) {
    return Math.min(
      Math.max(Number(asked), backchannelSettings.backchannelRequestSeconds.least),
      most,
    )
  }
  const said = 'requested_expiry has to be a number of seconds, from 1 on'
  throw invalidRequest('bad_requested_expiry', said)
}

/** A secret, for the ping; null for a client that polls. */
export const parseNotificationToken = (form: Parameters, { openid }: Client): string | null => {
  if (openid.backchannel_token_delivery_mode !== 'ping') return null
  const token = form.find('client_notification_token')
  if (token === null) {
    const said = 'client_notification_token is missing: the client is registered for pings'
    throw invalidRequest('missing_notification_token', said)
  }
  const { notificationTokenCharacters: most } = backchannelLimits
  if (token.length <= most && /^[A-Za-z0-9._~+/-]+=*$/.test(token)) return token
  const said = `client_notification_token has to be a bearer token of at most ${most} characters`
  throw invalidRequest('bad_notification_token', said)
}

/** @throws Refusal unless the JWT has all claims that OpenID CIBA section 7.1.1 wants */
const checkSignedClaims = (object: string): void => {
  const { iat, nbf, jti } = readClaims(object) ?? {}
  const isNamed = typeof jti === 'string' && jti !== ''
  if (typeof iat === 'number' && typeof nbf === 'number' && isNamed) return
  const said = 'the signed request needs iat and nbf as numbers of seconds, and a text as jti'
  throw new Refusal('invalid_request_object', 'signed_backchannel_claims', said)
}

/**
 * The parameters of the request: those of the form, or of the JWT in it. A client that registered an algorithm
 * signs each request (section 7.1.1).
 *
 * @throws Refusal `invalid_request`, `invalid_request_object`
 */
export const readSigned = async (
  form: Parameters,
  client: Client,
  asker: FetchAsker,
  parts: Pick<ServiceParts, 'clientKeys' | 'settings' | 'meter'>,
): Promise<Parameters> => {
  const { backchannel_authentication_request_signing_alg: algorithm } = client.openid
  const object = form.find('request')
  if (algorithm === undefined && object === null) return form
  if (algorithm === undefined) {
    const said = 'the client has not registered backchannel_authentication_request_signing_alg'
    throw invalidRequest('unexpected_signed_request', said)
  }
  if (object === null) {
    const said = 'the client is registered for signed requests only'
    throw invalidRequest('unsigned_backchannel_request', said)
  }
  const strict = { request_object_signing_alg: algorithm, require_signed_request_object: true }
  const signing = { ...client, openid: { ...client.openid, ...strict } }
  const parameters = await readRequestObject(object, signing, asker, parts)
  checkSignedClaims(object)
  return parseParameters(parameters)
}
