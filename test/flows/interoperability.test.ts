/** A client library that nobody here wrote, strict about every answer: oauth4webapi. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { Browser } from '../support/browser.ts'
import { latchkeyAdmin } from '../support/demo-clients.ts'
import { authorizePath } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

let options: Record<symbol, unknown>
let server: oauth.AuthorizationServer

const service = startBefore(start, async () => {
  const fetch = (url: string, init: RequestInit) =>
    service.server().fetch(new Request(url, init), '127.0.0.1')
  options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: fetch }
  const issuer = new URL(service.issuer)
  server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
  )
})

/** Walks alice through login and consent; answers where the browser is sent. */
const approve = async (parameters: Readonly<Record<string, string>>): Promise<URL> => {
  const browser = new Browser(service)
  const login = await browser.go(authorizePath(parameters))
  const next = await browser.logIn(login, 'alice', 'wonderland')
  const isAsked = next.url.includes('/consent')
  const done = isAsked ? await browser.submit(next, { decision: 'allow' }) : next
  return new URL(done.headers.get('location') ?? '')
}

/** Code with PKCE, refresh, an API, introspection, revocation; as the library says it is done. */
const walkAll = async (
  client: oauth.Client,
  authenticate: oauth.ClientAuth,
  redirectUri: string,
): Promise<void> => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const location = await approve({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: 'photos:read profile',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const answer = oauth.validateAuthResponse(server, client, location, state)
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticate,
      answer,
      redirectUri,
      verifier,
      options,
    ),
  )
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(
      server,
      client,
      authenticate,
      tokens.refresh_token ?? '',
      options,
    ),
  )
  const askPhotos = () =>
    oauth.protectedResourceRequest(
      refreshed.access_token,
      'GET',
      new URL(`${service.issuer}/api/photos`),
      new Headers(),
      null,
      options,
    )
  const photos = await askPhotos()
  assert.match(await photos.text(), /The garden gate/)
  const revoked = await oauth.revocationRequest(
    server,
    client,
    authenticate,
    refreshed.refresh_token ?? '',
    options,
  )
  await oauth.processRevocationResponse(revoked)
  await assert.rejects(askPhotos(), { name: 'WWWAuthenticateChallengeError', status: 401 })
}

test('a confidential client, its secret in Basic and in the body', async () => {
  const client = { client_id: 'photo-printer' }
  const redirect = 'http://127.0.0.1:6750/callback'
  await walkAll(client, oauth.ClientSecretBasic('photo-printer-secret'), redirect)
  await walkAll(client, oauth.ClientSecretPost('photo-printer-secret'), redirect)
})

test('a public client', async () => {
  await walkAll({ client_id: 'gallery' }, oauth.None(), 'http://127.0.0.1:6750/gallery')
})

test('client credentials, and introspection of what came', async () => {
  const client = { client_id: 'nightly-report' }
  const authenticate = oauth.ClientSecretBasic('nightly-report-secret')
  const tokens = await oauth.processClientCredentialsResponse(
    server,
    client,
    await oauth.clientCredentialsGrantRequest(server, client, authenticate, {}, options),
  )
  const introspected = await oauth.processIntrospectionResponse(
    server,
    client,
    await oauth.introspectionRequest(server, client, authenticate, tokens.access_token, options),
  )
  assert.equal(introspected.active, true)
  assert.equal(introspected.client_id, 'nightly-report')
})

test('a client that registers itself', async () => {
  const redirect = 'http://127.0.0.1/cb'
  const registered = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      { redirect_uris: [redirect], grant_types: ['authorization_code', 'refresh_token'] },
      options,
    ),
  )
  const secret = String(registered.client_secret)
  await walkAll(registered, oauth.ClientSecretBasic(secret), 'http://127.0.0.1:51004/cb')
})

test('a wrong secret is told as the library expects it', async () => {
  const client = { client_id: latchkeyAdmin[0] }
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    oauth.ClientSecretBasic('wrong'),
    {},
    options,
  )
  await assert.rejects(oauth.processClientCredentialsResponse(server, client, response), {
    status: 401,
  })
})
