/** Clients for OpenID Connect, and ID tokens verified as a client verifies them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { operatorOf } from '../flows/operator.ts'
import { callback } from './printing.ts'
import type { Form, Started } from './start.ts'

export const everyResponseType = [
  'code',
  'token',
  'id_token',
  'id_token token',
  'code id_token',
  'code token',
  'code id_token token',
]

/** A client that is registered for every response type; some members changed. */
export const registerOpenid = async (
  service: Started,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<readonly [id: string, secret: string]> => {
  const operator = await operatorOf(service)
  const { status, body, text } = await operator('POST', 'clients', {
    client_name: 'Reader',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'implicit', 'refresh_token'],
    response_types: everyResponseType,
    scope: 'photos contacts openid',
    ...changes,
  })
  assert.equal(status, 201, text)
  return [body.client_id, body.client_secret]
}

/** The authorization request of such a client for a response type. */
export const requestAs = (
  [id]: readonly [string, string],
  response_type: string,
  changes: Form = {},
): Form => ({
  response_type,
  client_id: id,
  redirect_uri: callback,
  scope: 'openid photos:read',
  state: 'xyz',
  nonce: 'n-1',
  ...changes,
})

/** The claims of an ID token, whose signature, issuer, audience and time are right. */
export const idTokenClaims = async (
  service: Started,
  idToken: string | undefined,
  audience: string,
): Promise<JWTPayload> => {
  assert.ok(idToken, 'no ID token came')
  const keys = createLocalJWKSet((await service.ask('/jwks')).body)
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: service.issuer,
    audience,
    currentDate: new Date(service.now() * 1000),
  })
  return payload
}

/** `at_hash` or `c_hash` of an ID token in RS256 (OpenID Connect Core section 3.3.2.11). */
export const hashInToken = (text: string | undefined): string =>
  createHash('sha256')
    .update(text ?? '')
    .digest()
    .subarray(0, 16)
    .toString('base64url')
