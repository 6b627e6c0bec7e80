/** JWT Secured Authorization Response Mode for OAuth 2.0 (JARM), section by section. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  compactDecrypt,
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  importJWK,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { askFor, assertOnPage, enter, sentTo } from '../support/authorization.ts'
import { type Browser, formsOf, type Page } from '../support/browser.ts'
import { keySetOf, newKeys } from '../support/client-keys.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { push, pushedPath, tryPush } from '../support/pushing.ts'
import { type Registered, register, requestOf, tryRegister } from '../support/registered.ts'
import { start, startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

const everyType = {
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code', 'token', 'id_token', 'id_token token', 'code token', 'code id_token'],
}
const site = openDocumentSiteBefore()
let client: Registered
let approved: Browser
const started = startBefore(start, async () => {
  client = await register(started, everyType)
  approved = await enter(started)
})

/** What the JWT says, once its signature, audience, issuer and time are checked. */
const verified = async (jwt: string, audience: string, alg = 'RS256') => {
  const { body } = await started.ask('/jwks')
  const options = { issuer: started.issuer, audience, currentDate: new Date(started.now() * 1000) }
  const { payload } = await jwtVerify(jwt, createLocalJWKSet(body), options)
  assert.equal(decodeProtectedHeader(jwt).alg, alg)
  assert.equal(payload.exp, started.now() + 600)
  return payload
}

const separators = { query: '?', fragment: '#' } as const

/** The one parameter of an answer by this way. */
const responseIn = (page: Page, way: 'query' | 'fragment' | 'form_post', at: string): string => {
  if (way !== 'form_post') {
    const { response, ...others } = sentTo(page, at + separators[way])
    assert.deepEqual(others, {})
    return response ?? ''
  }
  const [form] = formsOf(page.text)
  assert.equal(form?.action, at)
  assert.deepEqual(Object.keys(form?.fields ?? {}), ['response'])
  return form?.fields.response?.[0] ?? ''
}

const claimsOf = ({ iss, aud, exp, ...others }: JWTPayload) => others

const allow = async (request: Readonly<Record<string, string | readonly string[]>>) => {
  const page = await approved.go(authorizePath(request))
  return page.url.includes('/consent') ? approved.submit(page, { decision: 'allow' }) : page
}

describe('section 2.3: response modes', () => {
  const ways = { jwt: 'query', 'query.jwt': 'query', 'fragment.jwt': 'fragment' } as const
  for (const [mode, way] of Object.entries({ ...ways, 'form_post.jwt': 'form_post' } as const)) {
    test(`${mode} carries a code`, async () => {
      const page = await allow({ ...codeRequest, response_mode: mode })
      const claims = await verified(responseIn(page, way, callback), 'photo-printer')
      const { code, ...others } = claimsOf(claims)
      assert.deepEqual(others, { state: 'xyz' })
      assert.equal((await redeem(started, String(code))).status, 200)
    })

    test(`${mode} carries an error`, async () => {
      const page = await askFor(started, { response_mode: mode, scope: 'attic' }, approved)
      const claims = await verified(responseIn(page, way, callback), 'photo-printer')
      assert.deepEqual([claims.error, claims.state], ['invalid_scope', 'xyz'])
      assert.match(String(claims.latchkey_reference), /^[0-9a-z]{26}$/)
    })
  }

  for (const type of everyType.response_types.filter((name) => name !== 'code')) {
    test(`jwt of ${type} goes to the fragment, and query.jwt is refused`, async () => {
      const scope = 'openid photos:read'
      const asked = requestOf(client, { response_type: type, response_mode: 'jwt', scope })
      const jwt = responseIn(await allow(asked), 'fragment', client.redirectUri)
      const names = Object.keys(claimsOf(await verified(jwt, client.id)))
      for (const one of type.split(' ')) {
        assert.ok(names.includes(one === 'token' ? 'access_token' : one), String(names))
      }
      const wrong = await approved.ask(authorizePath({ ...asked, response_mode: 'query.jwt' }))
      const refused = responseIn(wrong, 'fragment', client.redirectUri)
      const { error } = await verified(refused, client.id)
      assert.equal(error, 'invalid_request')
      const pushed = { ...asked, response_mode: 'query.jwt' }
      const { status, body } = await tryPush(started, pushed, client.credentials)
      assert.deepEqual([status, body.error], [400, 'invalid_request'])
    })
  }

  test('a denial of the owner, and login_required, are signed', async () => {
    const asked = { ...codeRequest, response_mode: 'jwt', prompt: 'consent' }
    const page = await approved.submit(await approved.go(authorizePath(asked)), {
      decision: 'deny',
    })
    const denied = await verified(responseIn(page, 'query', callback), 'photo-printer')
    assert.equal(denied.error, 'access_denied')
    const silent = await askFor(started, { response_mode: 'jwt', prompt: 'none' })
    const told = await verified(responseIn(silent, 'query', callback), 'photo-printer')
    assert.equal(told.error, 'login_required')
  })

  test('a state with line breaks may be posted inside', async () => {
    const state = 'a\r\nb'
    const page = await allow({ ...codeRequest, response_mode: 'form_post.jwt', state })
    const claims = await verified(responseIn(page, 'form_post', callback), 'photo-printer')
    assert.equal(claims.state, state)
  })

  test('an unproven redirect URI gets nothing', async () => {
    const redirect_uri = 'https://evil.example/'
    const page = await askFor(started, { response_mode: 'jwt', redirect_uri }, approved)
    assertOnPage(page, 'redirect_uri is not registered for this client')
  })

  test('in a pushed request', async () => {
    const uri = await push(started, { ...codeRequest, response_mode: 'jwt' })
    const page = await approved.ask(pushedPath(uri))
    const claims = await verified(responseIn(page, 'query', callback), 'photo-printer')
    assert.equal(typeof claims.code, 'string')
  })
})

describe('section 3: client metadata', () => {
  const answerFor = async (metadata: object) => {
    const made = await register(started, metadata)
    const page = await allow(requestOf(made, { response_mode: 'jwt' }))
    return { client: made, jwt: responseIn(page, 'query', made.redirectUri) }
  }

  for (const alg of ['RS256', 'ES256', 'EdDSA', 'Ed25519']) {
    test(`authorization_signed_response_alg ${alg}`, async () => {
      const metadata = { authorization_signed_response_alg: alg }
      const { client: made, jwt } = await answerFor(metadata)
      assert.equal(made.body.authorization_signed_response_alg, alg)
      assert.equal(typeof (await verified(jwt, made.id, alg)).code, 'string')
    })
  }

  for (const [alg, kind] of [
    ['RSA-OAEP-256', 'RS256'],
    ['ECDH-ES', 'ES256'],
  ] as const) {
    test(`authorization_encrypted_response_alg ${alg}`, async () => {
      const keys = await newKeys(kind, 'enc-1')
      const { client: made, jwt } = await answerFor({
        jwks: keySetOf(keys),
        authorization_encrypted_response_alg: alg,
        authorization_encrypted_response_enc: 'A256GCM',
      })
      const header = decodeProtectedHeader(jwt)
      assert.deepEqual([header.alg, header.enc, header.cty], [alg, 'A256GCM', 'JWT'])
      const own = await importJWK(await exportJWK(keys.privateKey), alg)
      const { plaintext } = await compactDecrypt(jwt, own)
      const signed = Buffer.from(plaintext).toString()
      assert.equal(typeof (await verified(signed, made.id)).code, 'string')
    })
  }

  test('a key that cannot be had: a page, and a pushed request is not used up', async () => {
    const made = await register(started, {
      jwks_uri: site.url('/missing.json'),
      authorization_encrypted_response_alg: 'ECDH-ES',
    })
    const asked = requestOf(made, { response_mode: 'jwt' })
    const uri = await push(started, asked, made.credentials)
    const consent = await approved.go(pushedPath(uri, made.id))
    const page = await approved.submit(consent, { decision: 'allow' })
    assert.equal(page.status, 400)
    const keys = await newKeys('ES256', 'enc-1')
    site.answer('/missing.json', (_request, response) => {
      response.end(JSON.stringify(keySetOf(keys)))
    })
    started.pass(31)
    const again = await approved.go(pushedPath(uri, made.id))
    const done = again.url.includes('/consent')
      ? await approved.submit(again, { decision: 'allow' })
      : again
    const jwt = responseIn(done, 'query', made.redirectUri)
    assert.equal(decodeProtectedHeader(jwt).alg, 'ECDH-ES')
  })

  for (const [what, metadata, said] of [
    ['alg none', { authorization_signed_response_alg: 'none' }, /RS256, ES256, EdDSA/],
    ['HS256', { authorization_signed_response_alg: 'HS256' }, /RS256, ES256, EdDSA/],
    [
      'encryption without keys',
      { authorization_encrypted_response_alg: 'RSA-OAEP' },
      /authorization_encrypted_response_alg needs the keys of the client: jwks or jwks_uri/,
    ],
    [
      'enc without alg',
      { authorization_encrypted_response_enc: 'A256GCM' },
      /authorization_encrypted_response_enc needs authorization_encrypted_response_alg/,
    ],
  ] as const) {
    test(`refused at registration: ${what}`, async () => {
      const { status, body } = await tryRegister(started, metadata)
      assert.deepEqual([status, body.error], [400, 'invalid_client_metadata'])
      assert.match(body.error_description, said)
    })
  }
})

describe('section 4: server metadata', () => {
  test('names the modes and algorithms', async () => {
    const { body } = await started.ask('/.well-known/oauth-authorization-server')
    const modes = ['query', 'fragment', 'form_post']
    const signed = modes.map((mode) => `${mode}.jwt`)
    assert.deepEqual(body.response_modes_supported, [...modes, 'jwt', ...signed])
    const algorithms = [
      'RS256',
      'ES256',
      'EdDSA',
      'Ed25519',
      ...['44', '65', '87'].map((set) => `ML-DSA-${set}`),
    ]
    assert.deepEqual(body.authorization_signing_alg_values_supported, algorithms)
  })
})

describe('section 5: attacks', () => {
  test('a response is no ID token: neither a hint nor a request object', async () => {
    const page = await allow({ ...codeRequest, response_mode: 'jwt' })
    const jwt = responseIn(page, 'query', callback)
    const hint = await askFor(started, { id_token_hint: jwt }, approved)
    assert.equal(sentTo(hint, `${callback}?`).error, 'invalid_request')
    const object = await askFor(started, { request: jwt }, approved)
    assert.equal(sentTo(object, `${callback}?`).error, 'invalid_request_object')
    const named = await approved.ask('/logout?client_id=photo-printer')
    assert.match(named.text, /Photo Printer/)
    const logout = await approved.ask(`/logout?id_token_hint=${jwt}`)
    assert.doesNotMatch(logout.text, /Photo Printer/)
  })

  test('a state that looks like a claim is a state', async () => {
    const state = '","iss":"https://evil.example'
    const page = await allow({ ...codeRequest, response_mode: 'jwt', state })
    const claims = await verified(responseIn(page, 'query', callback), 'photo-printer')
    assert.equal(claims.state, state)
  })
})
