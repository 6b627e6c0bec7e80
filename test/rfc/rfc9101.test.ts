/** Request objects (RFC 9101; OpenID Connect Core section 6): `request` and `request_uri`. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { signatureAlgorithms } from '../../src/model/key.ts'
import { assertOnPage } from '../support/authorization.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { type KeyPair, keySetOf, newKeys, objectClaims, sign } from '../support/client-keys.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { authorizePath, walk } from '../support/printing.ts'
import { type Registered, register, tryRegister } from '../support/registered.ts'
import { start, startBefore } from '../support/start.ts'

let keys: KeyPair
let client: Registered
const site = openDocumentSiteBefore()
const started = startBefore(start, async () => {
  keys = await newKeys('ES256', 'k-1')
  client = await register(started, { jwks: keySetOf(keys) })
})

const typed = { typ: 'oauth-authz-req+jwt' }

/** A good object of the client, with changes to its claims and header. */
const objectOf = (changes: object = {}, header: object = {}, of = client, by = keys) =>
  sign({ ...objectClaims(started, of), ...changes }, by, { ...typed, ...header })

const tokensFor = async (code: string, of = client) => {
  const form = { grant_type: 'authorization_code', code, redirect_uri: of.redirectUri }
  return (await started.post('/token', form, of.credentials)).body
}

const answered = async (parameters: Readonly<Record<string, string>>) =>
  answerOf(await walk(started, parameters))

/** The refusal of an object, sent to the client: alice is logged in, and the parameters outside prove the client. */
const refusedAs = async (request: string, of = client) => {
  const browser = new Browser(started)
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  const outside = { response_type: 'code', redirect_uri: of.redirectUri, state: 'outside' }
  const page = await browser.go(authorizePath({ client_id: of.id, request, ...outside }))
  const { error, error_description: said, state } = answerOf(page)
  assert.equal(state, 'outside')
  return { error, said }
}

describe('section 5.1: request by value', () => {
  test('a signed object alone is the request', async () => {
    const { code, state, iss } = await answered({ client_id: client.id, request: await objectOf() })
    assert.deepEqual([state, iss], ['inside', started.issuer])
    const { id_token: idToken, scope } = await tokensFor(code ?? '')
    assert.equal(scope, 'openid photos:read')
    assert.equal(decodeJwt(idToken).nonce, 'n-1')
  })

  for (const algorithm of signatureAlgorithms) {
    test(`signed with ${algorithm}`, async () => {
      const own = await newKeys(algorithm)
      const other = await register(started, {
        jwks: keySetOf(own),
        request_object_signing_alg: algorithm,
      })
      const request = await objectOf({}, {}, other, own)
      const { code = '' } = await answered({ client_id: other.id, request })
      assert.equal((await tokensFor(code, other)).scope, 'openid photos:read')
    })
  }

  for (const [registered, signed] of [
    ['EdDSA', 'Ed25519'],
    ['Ed25519', 'EdDSA'],
  ] as const) {
    test(`registered for ${registered}, signed with ${signed}: both are one algorithm`, async () => {
      const own = await newKeys(signed)
      const other = await register(started, {
        jwks: keySetOf(own),
        request_object_signing_alg: registered,
      })
      const request = await objectOf({}, {}, other, own)
      const { state } = await answered({ client_id: other.id, request })
      assert.equal(state, 'inside')
    })
  }

  test('numbers, lists and objects inside become parameters', async () => {
    const resource = [`${started.issuer}/api/photos`, `${started.issuer}/api/contacts`]
    const scope = 'openid photos:read contacts:read'
    const request = await objectOf({ max_age: 600, resource, scope })
    const { code = '' } = await answered({ client_id: client.id, request })
    assert.equal((await tokensFor(code)).scope, 'contacts:read openid photos:read')
  })

  test('section 6.3: parameters outside count for nothing', async () => {
    const outside = {
      scope: 'photos:write',
      state: 'outside',
      nonce: 'n-2',
      response_type: 'token',
    }
    const request = await objectOf()
    const { code, state } = await answered({ client_id: client.id, request, ...outside })
    assert.equal(state, 'inside')
    const { scope, id_token: idToken } = await tokensFor(code ?? '')
    assert.equal(scope, 'openid photos:read')
    assert.equal(decodeJwt(idToken).nonce, 'n-1')
  })

  test('a parameter missing inside is missing, though it stands outside', async () => {
    const request = await objectOf({ redirect_uri: undefined })
    const page = await new Browser(started).go(
      authorizePath({ client_id: client.id, request, redirect_uri: client.redirectUri }),
    )
    assert.equal(page.status, 400)
    assert.match(page.text, /redirect_uri/)
  })

  test('it is resolved once: the pages go on after its expiry', async () => {
    const browser = new Browser(started)
    const request = await objectOf({ exp: started.now() + 60, prompt: 'consent' })
    const page = await browser.go(authorizePath({ client_id: client.id, request }))
    started.pass(61)
    const consent = await browser.logIn(page, 'alice', 'wonderland')
    const answer = answerOf(await browser.submit(consent, { decision: 'allow' }))
    assert.equal(answer.state, 'inside')
    assert.equal(typeof answer.code, 'string')
  })

  test('typ may be JWT, or absent, also without OpenID Connect', async () => {
    for (const typ of ['JWT', 'jwt', undefined, 'application/oauth-authz-req+jwt']) {
      for (const scope of ['openid', 'photos:read']) {
        const request = await objectOf({ scope }, { typ })
        const { code } = await answered({ client_id: client.id, request })
        assert.equal(typeof code, 'string')
      }
    }
  })

  test('any other typ is refused', async () => {
    for (const typ of ['at+jwt', 'client-authentication+jwt', 'dpop+jwt', '', 1, null]) {
      const { error, said } = await refusedAs(await objectOf({}, { typ }))
      assert.equal(error, 'invalid_request_object')
      assert.match(said ?? '', /typ .* oauth-authz-req\+jwt/)
    }
  })
})

describe('section 6: an object that does not count', () => {
  const faults: readonly (readonly [what: string, change: () => object, said: RegExp])[] = [
    ['has expired', () => ({ exp: started.now() }), /has expired/],
    ['is not valid yet', () => ({ nbf: started.now() + 120 }), /not valid yet/],
    ['has an exp that is no number', () => ({ exp: 'tomorrow' }), /exp and nbf .* numbers/],
    ['is for another service', () => ({ aud: 'https://other.example' }), /aud .* has to be/],
    ['is of another issuer', () => ({ iss: 'photo-printer' }), /iss .* client_id/],
    [
      'names another client',
      () => ({ client_id: 'photo-printer' }),
      /client_id has to be the same/,
    ],
    ['names a request object', () => ({ request: 'x' }), /names no other one/],
    ['names a request URI', () => ({ request_uri: 'https://x.example/' }), /names no other one/],
    ['has a null', () => ({ prompt: null }), /prompt must not be null/],
    ['proves a client', () => ({ sub: client.id }), /sub .* must not be the client_id/],
  ]
  for (const [what, change, said] of faults) {
    test(`one that ${what}`, async () => {
      const refused = await refusedAs(await objectOf(change()))
      assert.equal(refused.error, 'invalid_request_object')
      assert.match(refused.said ?? '', said)
    })
  }

  test('RFC 9101 section 4: iss and aud may be absent', async () => {
    const request = await objectOf({ iss: undefined, aud: undefined })
    assert.equal((await answered({ client_id: client.id, request })).state, 'inside')
  })

  test('of a client that has to send them: iss, aud and exp may not be absent', async () => {
    const own = await newKeys('ES256', 'k-strict')
    const strict = await register(started, {
      jwks: keySetOf(own),
      require_signed_request_object: true,
    })
    const times = { exp: started.now() + 300 }
    const request = await objectOf(times, {}, strict, own)
    assert.equal((await answered({ client_id: strict.id, request })).state, 'inside')
    for (const name of ['iss', 'aud', 'exp']) {
      const without = await objectOf({ ...times, [name]: undefined }, {}, strict, own)
      const refused = await refusedAs(without, strict)
      assert.equal(refused.error, 'invalid_request_object', name)
      assert.match(refused.said ?? '', new RegExp(name))
    }
  })

  test('one that is no JWT', async () => {
    const refused = await refusedAs('not.a.jwt')
    assert.equal(refused.error, 'invalid_request_object')
  })

  test('one of which a byte was changed', async () => {
    const [head, , signature] = (await objectOf()).split('.')
    const claims = { ...objectClaims(started, client), scope: 'photos:write' }
    const body = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const refused = await refusedAs(`${head}.${body}.${signature}`)
    assert.deepEqual(refused, {
      error: 'invalid_request_object',
      said: 'no registered key of the client signed the request object',
    })
  })

  test('goes to a page where the redirect URI is not proven outside', async () => {
    const request = await objectOf({ exp: 1 })
    const page = await new Browser(started).go(authorizePath({ client_id: client.id, request }))
    assert.equal(page.status, 400)
    assert.match(page.text, /the request object has expired/)
  })

  test('sends a stranger nowhere by itself, to a client that registered itself', async () => {
    const request = await objectOf({ exp: 1 })
    const outside = { response_type: 'code', redirect_uri: client.redirectUri }
    const browser = new Browser(started)
    const page = await browser.go(authorizePath({ client_id: client.id, request, ...outside }))
    assertOnPage(page, 'The request object cannot be used')
    assert.equal(answerOf(page).error, 'invalid_request_object')
  })

  test('request and request_uri together', async () => {
    const browser = new Browser(started)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    const both = { request: await objectOf(), request_uri: 'https://x.example/o' }
    const page = await browser.go(
      authorizePath({
        client_id: client.id,
        redirect_uri: client.redirectUri,
        response_type: 'code',
        ...both,
      }),
    )
    assert.equal(answerOf(page).error, 'invalid_request')
  })
})

describe('section 5.2: request by reference', () => {
  const serve = (path: string, text: () => string | Promise<string>): string =>
    site.answer(path, async (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/oauth-authz-req+jwt' })
      response.end(await text())
    })

  test('a registered URI is fetched once, for each request', async () => {
    const uri = serve('/object.jwt', () => objectOf({}, {}, referring))
    const referring: Registered = await register(started, {
      jwks: keySetOf(keys),
      request_uris: [uri],
    })
    const { code, state } = await answered({ client_id: referring.id, request_uri: uri })
    assert.equal(state, 'inside')
    assert.equal((await tokensFor(code ?? '', referring)).scope, 'openid photos:read')
    assert.equal(site.asked('/object.jwt'), 1)
    await answered({ client_id: referring.id, request_uri: `${uri}#hash` })
    assert.equal(site.asked('/object.jwt'), 2)
  })

  test('one that is not registered is not fetched', async () => {
    const uri = serve('/unregistered.jwt', () => objectOf())
    const page = await new Browser(started).go(
      authorizePath({ client_id: client.id, request_uri: uri }),
    )
    assert.equal(page.status, 400)
    assert.match(page.text, /request_uri is not registered for this client/)
    assert.equal(site.asked('/unregistered.jwt'), 0)
  })

  test('one that cannot be had is invalid_request_uri', async () => {
    const uri = site.url('/nowhere.jwt')
    const referring = await register(started, { jwks: keySetOf(keys), request_uris: [uri] })
    const browser = new Browser(started)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    const outside = { response_type: 'code', redirect_uri: referring.redirectUri }
    const page = await browser.go(
      authorizePath({ client_id: referring.id, request_uri: uri, ...outside }),
    )
    const { error, error_description: said } = answerOf(page)
    assert.deepEqual(
      [error, said],
      [
        'invalid_request_uri',
        'request_uri cannot be used: its host answers with status 404 instead of 200',
      ],
    )
  })
})

describe('section 10.5: a client may require signed request objects', () => {
  test('then a request without one is refused, before and after the login', async () => {
    const strict = await register(started, {
      jwks: keySetOf(keys),
      require_signed_request_object: true,
    })
    const { error, error_description: said } = await answered({
      client_id: strict.id,
      response_type: 'code',
      redirect_uri: strict.redirectUri,
    })
    assert.equal(error, 'invalid_request')
    assert.equal(said, 'the client is registered for signed request objects only')
    const request = await objectOf({}, {}, strict)
    assert.equal(typeof (await answered({ client_id: strict.id, request })).code, 'string')
  })

  test('it needs keys at its registration', async () => {
    const { body } = await tryRegister(started, { require_signed_request_object: true })
    assert.equal(body.error, 'invalid_client_metadata')
    assert.match(body.error_description, /needs the keys of the client: jwks or jwks_uri/)
  })
})

describe('section 4 of RFC 7591 and RFC 9101 section 10.5: registration', () => {
  const rsa = { kty: 'RSA', n: 'x'.repeat(342), e: 'AQAB' }
  const refused: readonly (readonly [string, object, RegExp])[] = [
    ['alg none', { request_object_signing_alg: 'none' }, /RS256, PS256, ES256/],
    ['a symmetric algorithm', { request_object_signing_alg: 'HS256' }, /RS256, PS256, ES256/],
    [
      'a symmetric key',
      { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } },
      /jwks has to be a set/,
    ],
    [
      'a private key',
      { jwks: { keys: [{ ...rsa, d: 'x' }] } },
      /without private or symmetric ones/,
    ],
    [
      'a short RSA key',
      { jwks: { keys: [{ ...rsa, n: 'x'.repeat(171) }] } },
      /2,048 to 4,096 bits/,
    ],
    [
      'a short RSA key behind zeros',
      { jwks: { keys: [{ ...rsa, n: 'A'.repeat(260) + 'x'.repeat(82) }] } },
      /RSA of 2,048 to 4,096 bits.*; the numbers of each have to make a key$/,
    ],
    [
      'a point that is on no curve',
      { jwks: { keys: [rsa, { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) }] } },
      /jwks has to be .*; the numbers of each have to make a key$/,
    ],
    [
      'a point of the wrong length',
      { jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }] } },
      /jwks has to be .*; the numbers of each have to make a key$/,
    ],
    ['an endless exponent', { jwks: { keys: [{ ...rsa, e: 'x'.repeat(342) }] } }, /jwks has to be/],
    ['no set', { jwks: [rsa] }, /jwks has to be/],
    ['21 keys', { jwks: { keys: Array(21).fill(rsa) } }, /at most 20 public keys/],
    [
      'both kinds of sets',
      { jwks: { keys: [rsa] }, jwks_uri: 'https://x.example/jwks' },
      /jwks and jwks_uri exclude each other/,
    ],
    ['a jwks_uri without TLS', { jwks_uri: 'http://x.example/jwks' }, /jwks_uri .* https URL/],
    [
      'a request URI without TLS',
      { request_uris: ['http://x.example/o'] },
      /request_uris .* https/,
    ],
  ]
  for (const [what, metadata, said] of refused) {
    test(`${what} is refused`, async () => {
      const { status, body } = await tryRegister(started, metadata)
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_client_metadata')
      assert.match(body.error_description, said)
    })
  }

  test('what is in force is told: public members alone', async () => {
    const { body } = await register(started, {
      jwks: { keys: [{ ...keys.publicKey, use: 'sig', x5c: ['MII'], extra: 1 }] },
    })
    assert.deepEqual(body.jwks, { keys: [{ ...keys.publicKey, use: 'sig', x5c: ['MII'] }] })
  })

  test('the metadata says what there is', async () => {
    const { body } = await started.ask('/.well-known/openid-configuration')
    assert.equal(body.request_parameter_supported, true)
    assert.equal(body.request_uri_parameter_supported, true)
    assert.equal(body.require_request_uri_registration, true)
    assert.equal(body.require_signed_request_object, false)
    assert.deepEqual(body.request_object_signing_alg_values_supported, [
      'RS256',
      'PS256',
      'ES256',
      'EdDSA',
      'Ed25519',
      'ML-DSA-44',
      'ML-DSA-65',
      'ML-DSA-87',
    ])
  })
})
