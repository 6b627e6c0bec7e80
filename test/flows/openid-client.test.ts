/** Log in with openid-client, which checks every signature and claim that it knows of. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as client from 'openid-client'
import { walk } from '../support/browser.ts'
import { type Listening, listen } from '../support/listening.ts'
import { reach } from '../support/reach.ts'

const redirectUri = 'http://127.0.0.1:6750/callback'
const grantTypes = ['authorization_code', 'refresh_token']

let service: Listening

before(async () => {
  service = await listen()
})
after(() => service.close())

/** Registers a client over `/register`, as an application does that meets a new provider. */
const register = async (metadata: Partial<client.ClientMetadata> = {}) => {
  const config = await client.dynamicClientRegistration(
    new URL(service.issuer),
    { redirect_uris: [redirectUri], grant_types: grantTypes, ...metadata },
    undefined,
    { execute: [client.allowInsecureRequests] },
  )
  client.enableNonRepudiationChecks(config)
  return config
}

/** Alice logs in and allows everything; answers where the browser is sent. */
const approve = async (authorization: URL): Promise<URL> => {
  const parameters = Object.fromEntries(authorization.searchParams)
  const page = await walk(reach(service.issuer), parameters)
  return new URL(page.headers.get('location') ?? '')
}

const logIn = async (config: client.Configuration) => {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedNonce = client.randomNonce()
  const expectedState = client.randomState()
  const authorization = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    nonce: expectedNonce,
    state: expectedState,
    max_age: '300',
  })
  const checks = { pkceCodeVerifier, expectedNonce, expectedState, maxAge: 300 }
  return { answer: await approve(authorization), checks }
}

describe('openid-client', () => {
  for (const algorithm of ['RS256', 'ES256', 'EdDSA', 'Ed25519']) {
    test(`registers for ${algorithm}, logs in, asks userinfo, and refreshes`, async () => {
      const config = await register({ id_token_signed_response_alg: algorithm })
      const { answer, checks } = await logIn(config)
      const tokens = await client.authorizationCodeGrant(config, answer, {
        ...checks,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      assert.ok(claims)
      const owner = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      assert.deepEqual([owner.sub, owner.name], [claims.sub, 'Alice Liddell'])
      const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
      assert.equal(again.claims()?.sub, claims.sub)
      assert.equal(again.claims()?.auth_time, claims.auth_time)
    })
  }

  test('refuses a nonce of another login', async () => {
    const config = await register()
    const { answer, checks } = await logIn(config)
    const wrong = { ...checks, expectedNonce: client.randomNonce() }
    await assert.rejects(client.authorizationCodeGrant(config, answer, wrong), {
      code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
    })
  })

  test('refuses the userinfo of somebody else', async () => {
    const config = await register()
    const { answer, checks } = await logIn(config)
    const tokens = await client.authorizationCodeGrant(config, answer, checks)
    await assert.rejects(client.fetchUserInfo(config, tokens.access_token, 'bob'), {
      code: 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
    })
  })
})
