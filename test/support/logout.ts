/** Clients for tests of logouts, and browsers with a login at them. */
import assert from 'node:assert/strict'
import { decodeJwt } from 'jose'
import { answerOf, Browser, type Page } from './browser.ts'
import { callback, codeRequest, walk } from './printing.ts'
import { type Answer, formBody, type Started } from './start.ts'

export interface LoggedInClient {
  readonly clientId: string
  readonly secret: string
}

/** Where clients of these tests want the browser after a logout. */
export const goodbye = 'https://app.example/goodbye'

/** Registers a client with these members. */
export const registerClient = async (
  started: Started,
  members: object = { post_logout_redirect_uris: [goodbye] },
): Promise<LoggedInClient> => {
  const { status, body, text } = await started.ask('/register', {
    json: { client_name: 'Shop', redirect_uris: [callback], ...members },
  })
  assert.equal(status, 201, text)
  return { clientId: body.client_id, secret: body.client_secret }
}

/** Alice's browser after a login at a client, and the client's ID token. */
export interface LoggedIn {
  readonly browser: Browser
  readonly idToken: string
  readonly sid: string
  readonly sub: string
}

/** Redeems the code of an answer. */
export const redeemAt = (
  started: Started,
  { clientId, secret }: LoggedInClient,
  page: Page,
  resource = '',
): Promise<Answer> => {
  const { code = '' } = answerOf(page)
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback, resource }
  return started.post('/token', form, [clientId, secret])
}

interface LogInChanges {
  readonly browser?: Browser
  readonly scope?: string
  /** Sent to `/authorize` and to `/token`. */
  readonly resource?: string
  /** For how long alice allows it. */
  readonly duration?: string
}

/** Logs alice in at a client, in this browser or another one. */
export const logInAt = async (
  started: Started,
  client: LoggedInClient,
  {
    browser = new Browser(started),
    scope = 'openid',
    resource = '',
    ...changes
  }: LogInChanges = {},
): Promise<LoggedIn> => {
  const asked = { client_id: client.clientId, scope, resource, prompt: 'consent' }
  const page = await walk(started, { ...codeRequest, ...asked }, changes, browser)
  const { body, text } = await redeemAt(started, client, page, resource)
  assert.equal(typeof body.id_token, 'string', text)
  const { sid, sub } = decodeJwt(body.id_token)
  return { browser, idToken: body.id_token, sid: String(sid), sub: String(sub) }
}

export const logoutPath = (parameters: Readonly<Record<string, string>>): string =>
  `/logout?${formBody(parameters)}`

export const isLoggedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.ask('/account')).status === 200
