/** Clients that register themselves in a test, and their tokens after alice's consent. */
import assert from 'node:assert/strict'
import { decodeJwt } from 'jose'
import { answerOf, type Browser } from './browser.ts'
import { callback, codeRequest, walk } from './printing.ts'
import type { Answer, Form, Started } from './start.ts'

export interface Registered {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
  readonly credentials: readonly [string, string]
  /** What the registration answered. */
  readonly body: Answer['body']
}

export const tryRegister = (started: Started, metadata: object): Promise<Answer> =>
  started.ask('/register', { json: { redirect_uris: ['https://app.example/cb'], ...metadata } })

export const register = async (started: Started, metadata: object = {}): Promise<Registered> => {
  const { status, body } = await tryRegister(started, metadata)
  assert.equal(status, 201, JSON.stringify(body))
  const { client_id: id, client_secret: secret, redirect_uris: uris } = body
  return { id, secret, redirectUri: uris[0], credentials: [id, secret], body }
}

/** The request of a client, with changes to the usual one. */
export const requestOf = (
  { id, redirectUri }: Pick<Registered, 'id' | 'redirectUri'>,
  changes: Form = {},
): Form => ({
  ...codeRequest,
  client_id: id,
  redirect_uri: redirectUri,
  scope: 'openid',
  nonce: 'n-1',
  ...changes,
})

/** The token response after alice has allowed a request of the client. */
export const tokensOf = async (
  started: Started,
  client: Registered,
  changes: Form = {},
  browser?: Browser,
): Promise<Answer['body']> => {
  const page = await walk(started, requestOf(client, changes), {}, browser)
  const { code = '' } = answerOf(page)
  const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri }
  return (await started.post('/token', form, client.credentials)).body
}

/** The subject in an ID token. */
export const subjectIn = ({ id_token: idToken }: Answer['body']): string =>
  String(decodeJwt(idToken).sub)

/** A public client that registers itself for codes and refresh tokens; its id. */
export const registerPublic = async (started: Started): Promise<string> => {
  const { body } = await tryRegister(started, {
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    scope: 'photos:read',
  })
  return body.client_id
}
