/** Log in with oauth4webapi: every answer of OpenID Connect as a strict client reads it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { jwsAlgorithms } from '../../src/model/key.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { type Listening, listen } from '../support/listening.ts'
import { walk } from '../support/printing.ts'
import { reach } from '../support/reach.ts'
import { operatorOf } from './operator.ts'

const redirectUri = 'http://127.0.0.1:6750/callback'
const options = { [oauth.allowInsecureRequests]: true }

let service: Listening
let server: oauth.AuthorizationServer

before(async () => {
  service = await listen()
  const issuer = new URL(service.issuer)
  // Without an algorithm the library takes OpenID Connect Discovery.
  const found = await oauth.discoveryRequest(issuer, options)
  server = await oauth.processDiscoveryResponse(issuer, found)
})
after(() => service.close())

const register = async (metadata: Partial<oauth.Client> = {}): Promise<oauth.Client> => {
  const members = {
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    ...metadata,
  }
  return oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, members, options),
  )
}

const secretOf = (client: oauth.Client): oauth.ClientAuth =>
  oauth.ClientSecretPost(String(client.client_secret))

interface Begun {
  /** The parameters of the answer, as the library has checked them. */
  readonly parameters: URLSearchParams
  readonly verifier: string
  readonly nonce: string
}

const begin = async (client: oauth.Client): Promise<Begun> => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const nonce = oauth.generateRandomNonce()
  const page = await walk(reach(service.issuer), {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const location = new URL(page.headers.get('location') ?? '')
  return {
    parameters: oauth.validateAuthResponse(server, client, location, state),
    verifier,
    nonce,
  }
}

const redeem = (client: oauth.Client, { parameters, verifier }: Begun): Promise<Response> =>
  oauth.authorizationCodeGrantRequest(
    server,
    client,
    secretOf(client),
    parameters,
    redirectUri,
    verifier,
    options,
  )

const logIn = async (client: oauth.Client) => {
  const begun = await begin(client)
  const response = await redeem(client, begun)
  const checks = { expectedNonce: begun.nonce, maxAge: 300, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, checks)
  await oauth.validateApplicationLevelSignature(server, response, options)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  assert.ok(claims)
  return { tokens, claims }
}

describe('oauth4webapi', () => {
  for (const algorithm of jwsAlgorithms) {
    test(`checks an ID token in ${algorithm}, userinfo, and the ID token of a refresh`, async () => {
      // The library keeps the keys of a server for a minute, and the first signature makes a further one.
      server = { ...server }
      const client = await register({ id_token_signed_response_alg: algorithm })
      const { tokens, claims } = await logIn(client)
      const told = await oauth.userInfoRequest(server, client, tokens.access_token, options)
      const owner = await oauth.processUserInfoResponse(server, client, claims.sub, told)
      assert.equal(owner.name, 'Alice Liddell')
      const again = await oauth.refreshTokenGrantRequest(
        server,
        client,
        secretOf(client),
        tokens.refresh_token ?? '',
        options,
      )
      const refreshed = await oauth.processRefreshTokenResponse(server, client, again)
      await oauth.validateApplicationLevelSignature(server, again, options)
      assert.equal(oauth.getValidatedIdTokenClaims(refreshed)?.sub, claims.sub)
    })
  }

  test('refuses the ID token of another login', async () => {
    const client = await register()
    const begun = await begin(client)
    const wrong = { expectedNonce: oauth.generateRandomNonce(), requireIdToken: true }
    await assert.rejects(
      oauth.processAuthorizationCodeResponse(server, client, await redeem(client, begun), wrong),
      { code: oauth.JWT_CLAIM_COMPARISON },
    )
  })

  test('verifies a JWT access token as an API does (RFC 9068)', async () => {
    const operator = await operatorOf(reach(service.issuer))
    const uri = 'https://orders.example.com'
    const orders = { name: 'orders', title: 'Orders', read: 'See', write: 'Change', uri }
    const made = await operator('POST', 'resources', { ...orders, access_token_format: 'jwt' })
    assert.equal(made.status, 201, made.text)
    await operator('PATCH', 'clients/nightly-report', { scope: 'orders' })
    const client = { client_id: nightlyReport[0] }
    const secret = oauth.ClientSecretBasic(nightlyReport[1])
    const tokens = await oauth.processClientCredentialsResponse(
      server,
      client,
      await oauth.clientCredentialsGrantRequest(server, client, secret, {}, options),
    )
    const request = new Request(uri, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    const claims = await oauth.validateJwtAccessToken(server, request, uri, options)
    assert.deepEqual(
      [claims.client_id, claims.scope],
      ['nightly-report', 'orders:read orders:write'],
    )
    await assert.rejects(
      oauth.validateJwtAccessToken(server, request, 'https://invoices.example.com', options),
      oauth.OperationProcessingError,
    )
  })

  test('takes no ID token for a JWT access token', async () => {
    const client = await register()
    const { tokens } = await logIn(client)
    const headers = { authorization: `Bearer ${tokens.id_token}` }
    const request = new Request('https://orders.example.com', { headers })
    await assert.rejects(
      oauth.validateJwtAccessToken(server, request, client.client_id, options),
      /"typ"/,
    )
  })
})
