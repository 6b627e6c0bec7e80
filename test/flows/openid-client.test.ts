/** Log in with openid-client, which checks every signature and claim that it knows of. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import * as client from 'openid-client'
import { jwsAlgorithms } from '../../src/model/key.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { type Listening, listen } from '../support/listening.ts'
import { walk } from '../support/printing.ts'
import { reach } from '../support/reach.ts'

const redirectUri = 'http://127.0.0.1:6750/callback'
const grantTypes = ['authorization_code', 'refresh_token']

let service: Listening

before(async () => {
  service = await listen()
})
after(() => service.close())

/** Registers a client over `/register`, as an application does that meets a new provider. */
const register = async (
  metadata: Partial<client.ClientMetadata> = {},
  authentication?: client.ClientAuth,
) => {
  const config = await client.dynamicClientRegistration(
    new URL(service.issuer),
    { redirect_uris: [redirectUri], grant_types: grantTypes, ...metadata },
    authentication,
    { execute: [client.allowInsecureRequests] },
  )
  client.enableNonRepudiationChecks(config)
  return config
}

/** Alice logs in and allows everything; answers where the browser is sent. */
const approve = async (
  authorization: URL,
  browser = new Browser(reach(service.issuer)),
): Promise<Page> => {
  const parameters = Object.fromEntries(authorization.searchParams)
  return walk(reach(service.issuer), parameters, {}, browser)
}

const locationOf = (page: Page): URL => new URL(page.headers.get('location') ?? '')

const begin = async (
  config: client.Configuration,
  further: Readonly<Record<string, string>> = {},
) => {
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
    ...further,
  })
  const checks = { pkceCodeVerifier, expectedNonce, expectedState, maxAge: 300 }
  return { authorization, checks }
}

const logIn = async (
  config: client.Configuration,
  browser = new Browser(reach(service.issuer)),
  further: Readonly<Record<string, string>> = {},
) => {
  const { authorization, checks } = await begin(config, further)
  return { answer: locationOf(await approve(authorization, browser)), checks }
}

describe('openid-client', () => {
  for (const algorithm of jwsAlgorithms) {
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

  for (const algorithm of ['RS256', 'EdDSA', 'ML-DSA-65']) {
    test(`code id_token in ${algorithm}: checks the first ID token and its c_hash before it redeems the code`, async () => {
      const config = await register({
        response_types: ['code id_token'],
        id_token_signed_response_alg: algorithm,
        grant_types: [...grantTypes, 'implicit'],
      })
      client.useCodeIdTokenResponseType(config)
      const { answer, checks } = await logIn(config)
      assert.match(answer.hash, /^#.*id_token=/)
      const tokens = await client.authorizationCodeGrant(config, answer, checks)
      const { sub = '' } = tokens.claims() ?? {}
      assert.equal((await client.fetchUserInfo(config, tokens.access_token, sub)).sub, sub)
    })
  }

  test('id_token by form_post: takes what the browser posts', async () => {
    const config = await register({ response_types: ['id_token'], grant_types: ['implicit'] })
    client.useIdTokenResponseType(config)
    const { authorization, checks } = await begin(config, { response_mode: 'form_post' })
    authorization.searchParams.delete('code_challenge')
    authorization.searchParams.delete('code_challenge_method')
    const [form] = formsOf((await approve(authorization)).text)
    assert.ok(form)
    assert.equal(form.action, redirectUri)
    const fields = Object.entries(form.fields).map(([name, [value = '']]) => [name, value])
    const posted = new Request(form.action, { method: 'POST', body: new URLSearchParams(fields) })
    const { expectedNonce, expectedState, maxAge } = checks
    const expected = { expectedState, maxAge }
    const claims = await client.implicitAuthentication(config, posted, expectedNonce, expected)
    assert.equal(claims.iss, service.issuer)
  })

  test('claims and acr_values: the ID token has the claim that was asked for', async () => {
    const config = await register()
    const claims = JSON.stringify({ id_token: { email: { essential: true } } })
    const further = { claims, acr_values: '1' }
    const { answer, checks } = await logIn(config, undefined, further)
    const tokens = await client.authorizationCodeGrant(config, answer, checks)
    assert.deepEqual([tokens.claims()?.email, tokens.claims()?.acr], ['alice@example.com', '1'])
  })

  test('a pairwise subject: one at the ID token and userinfo, another than the public one', async () => {
    const subjects: string[] = []
    for (const subject_type of ['public', 'pairwise']) {
      const config = await register({ subject_type })
      const { answer, checks } = await logIn(config)
      const tokens = await client.authorizationCodeGrant(config, answer, checks)
      const { sub = '' } = tokens.claims() ?? {}
      assert.equal((await client.fetchUserInfo(config, tokens.access_token, sub)).sub, sub)
      subjects.push(sub)
    }
    assert.equal(new Set(subjects).size, 2)
  })

  test('RP-initiated logout: back at the client, and logged out', async () => {
    const goodbye = 'http://127.0.0.1:6750/goodbye'
    const config = await register({ post_logout_redirect_uris: [goodbye] })
    const browser = new Browser(reach(service.issuer))
    const { answer, checks } = await logIn(config, browser)
    const tokens = await client.authorizationCodeGrant(config, answer, checks)
    const end = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: goodbye,
      state: 'bye',
    })
    assert.equal((await browser.ask('/account')).status, 200)
    assert.equal(locationOf(await browser.go(end.href)).href, `${goodbye}?state=bye`)
    assert.notEqual((await browser.ask('/account')).status, 200)
  })

  test('a signed request: nobody else could have asked', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const key = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: 'k-1' }
    const config = await register({ jwks: { keys: [key] }, request_object_signing_alg: 'ES256' })
    const { authorization, checks } = await begin(config)
    const parameters = Object.fromEntries(authorization.searchParams)
    const signing = { key: privateKey, kid: 'k-1' }
    const signed = await client.buildAuthorizationUrlWithJAR(config, parameters, signing)
    assert.deepEqual([...signed.searchParams.keys()].toSorted(), ['client_id', 'request'])
    const answer = locationOf(await approve(signed))
    const tokens = await client.authorizationCodeGrant(config, answer, checks)
    assert.equal(tokens.claims()?.nonce, checks.expectedNonce)
  })

  // The library writes Ed25519 wherever a registration says EdDSA.
  test('an Ed25519 key: assertions, a request object, and tokens bound by DPoP', async () => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA')
    const key = { ...(await exportJWK(publicKey)), alg: 'EdDSA', use: 'sig', kid: 'k-1' }
    const signing = { key: privateKey, kid: 'k-1' }
    const metadata = {
      jwks: { keys: [key] },
      request_object_signing_alg: 'EdDSA',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'EdDSA',
    }
    const config = await register(metadata, client.PrivateKeyJwt(signing))
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('Ed25519'))
    const { authorization, checks } = await begin(config)
    const asked = Object.fromEntries(authorization.searchParams)
    const signed = await client.buildAuthorizationUrlWithJAR(config, asked, signing)
    const pushed = Object.fromEntries(signed.searchParams)
    const url = await client.buildAuthorizationUrlWithPAR(config, pushed, { DPoP })
    const answer = locationOf(await approve(url))
    const bound = { DPoP }
    const tokens = await client.authorizationCodeGrant(config, answer, checks, undefined, bound)
    assert.equal(tokens.token_type, 'dpop')
    const { sub = '' } = tokens.claims() ?? {}
    const owner = await client.fetchUserInfo(config, tokens.access_token, sub, bound)
    assert.equal(owner.name, 'Alice Liddell')
  })

  test('answers that only the client can read: ID token and userinfo are encrypted', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ECDH-ES')
    const key = { ...(await exportJWK(publicKey)), alg: 'ECDH-ES', use: 'enc', kid: 'e-1' }
    const config = await register({
      jwks: { keys: [key] },
      id_token_encrypted_response_alg: 'ECDH-ES',
      id_token_encrypted_response_enc: 'A256GCM',
      userinfo_signed_response_alg: 'ES256',
      userinfo_encrypted_response_alg: 'ECDH-ES',
      userinfo_encrypted_response_enc: 'A256GCM',
    })
    client.enableDecryptingResponses(config, ['A256GCM'], { key: privateKey, kid: 'e-1' })
    const { answer, checks } = await logIn(config)
    const tokens = await client.authorizationCodeGrant(config, answer, checks)
    // A JWE has five parts, a JWS three.
    assert.equal(tokens.id_token?.split('.').length, 5)
    const { sub = '' } = tokens.claims() ?? {}
    const owner = await client.fetchUserInfo(config, tokens.access_token, sub)
    assert.deepEqual([owner.sub, owner.name], [sub, 'Alice Liddell'])
  })
})
