/** Attacks: request objects that a client did not make for this service, and hostile hosts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CompactSign, exportSPKI, importJWK, SignJWT } from 'jose'
import { refusalLimits } from '../../src/events/limits.ts'
import { signatureAlgorithms } from '../../src/model/key.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { type KeyPair, keySetOf, newKeys, objectClaims, sign } from '../support/client-keys.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { authorizePath, walk } from '../support/printing.ts'
import {
  type Registered,
  register,
  requestOf,
  tokensOf,
  tryRegister,
} from '../support/registered.ts'
import { start, startBefore } from '../support/start.ts'

let keys: KeyPair
let client: Registered
const site = openDocumentSiteBefore()
const started = startBefore(start, async () => {
  keys = await newKeys('RS256', 'k-1')
  client = await register(started, { jwks: keySetOf(keys) })
})

/** The error and its description for a request of alice, logged in. */
const outcomeOf = async (request: Readonly<Record<string, string>>, of = client) => {
  const browser = new Browser(started)
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  const outside = { response_type: 'code', redirect_uri: of.redirectUri }
  const parameters = { client_id: of.id, ...outside, ...request }
  let page = await browser.go(authorizePath(parameters))
  if (page.url.includes('/consent')) page = await browser.submit(page, { decision: 'allow' })
  const { error, error_description: said } = answerOf(page)
  return [error, said]
}

const unsigned = (header: object, claims: object): string =>
  `${[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`

const algorithms = `the request object has to be signed with ${signatureAlgorithms.join(', ')}`
const signature = 'no registered key of the client signed the request object'

describe('what an object may cost', () => {
  test('several keys fit: kid has to name one', async () => {
    const [one, other] = [await newKeys('ES256', 'a'), await newKeys('ES256', 'b')]
    const of = await register(started, { jwks: keySetOf(one, other) })
    const claims = objectClaims(started, of)
    const header = { typ: 'oauth-authz-req+jwt' }
    const said = 'several keys of the client fit: kid in the request object has to name one'
    const unnamed = await sign(claims, other, { ...header, kid: undefined })
    assert.deepEqual(await outcomeOf({ request: unnamed }, of), ['invalid_request_object', said])
    const named = await sign(claims, other, header)
    assert.deepEqual(await outcomeOf({ request: named }, of), [undefined, undefined])
  })

  test('none of a network with many refused ones is verified, whatever the client', async () => {
    const from = async (request: string, of: Registered, peer = '192.0.2.7') => {
      const asked = { client_id: of.id, redirect_uri: of.redirectUri, response_type: 'code' }
      const url = started.issuer + authorizePath({ ...asked, request })
      return (await started.server().fetch(new Request(url), peer)).status
    }
    const other = await register(started, { jwks: keySetOf(keys) })
    const good = await sign(objectClaims(started, other), keys, { typ: 'oauth-authz-req+jwt' })
    for (let n = 0; n < refusalLimits.refusedObjects; n++) {
      assert.equal(await from(`${good}x`, client), 400)
    }
    assert.deepEqual([await from(good, other), await from(good, client)], [429, 429])
    assert.equal(await from(good, other, '192.0.2.8'), 302)
    await started.advance(60)
    assert.equal(await from(good, other), 302)
  })
})

describe('keys in a registration', () => {
  const jwksAfter = async (jwks: object) => {
    const json = { redirect_uris: ['https://app.example/cb'], jwks }
    const { status, body } = await started.ask('/register', { json })
    assert.equal(status, 201, JSON.stringify(body))
    return body.jwks
  }

  test('an empty set counts as absent', async () => {
    assert.equal(await jwksAfter({ keys: [] }), undefined)
  })

  test('unknown keys are passed over', async () => {
    const { publicKey } = keys
    const unknown = { kty: 'AKP', alg: 'SLH-DSA-SHA2-128s', pub: 'x' }
    assert.deepEqual(await jwksAfter({ keys: [unknown, publicKey] }), { keys: [publicKey] })
    assert.equal(await jwksAfter({ keys: [unknown] }), undefined)
  })

  test('RSA has at most 4,096 bits', async () => {
    const of = (characters: number) => ({
      redirect_uris: ['https://app.example/cb'],
      jwks: { keys: [{ kty: 'RSA', n: 'x'.repeat(characters), e: 'AQAB' }] },
    })
    assert.equal((await started.ask('/register', { json: of(683) })).status, 201)
    assert.equal((await started.ask('/register', { json: of(684) })).status, 400)
  })
})

describe('a forged signature', () => {
  for (const alg of ['none', 'None', 'NONE', '']) {
    test(`alg "${alg}"`, async () => {
      const request = unsigned({ alg, typ: 'oauth-authz-req+jwt' }, objectClaims(started, client))
      assert.deepEqual(await outcomeOf({ request }), ['invalid_request_object', algorithms])
    })
  }

  test('HS256 with the public key, or with the client secret, as the secret', async () => {
    const spki = await exportSPKI((await importJWK(keys.publicKey, 'RS256')) as CryptoKey)
    const modulus = Buffer.from(String(keys.publicKey.n), 'base64url')
    for (const secret of [Buffer.from(spki), modulus, Buffer.from(client.secret)]) {
      const request = await new SignJWT(objectClaims(started, client))
        .setProtectedHeader({ alg: 'HS256', kid: 'k-1', typ: 'oauth-authz-req+jwt' })
        .sign(secret)
      assert.deepEqual(await outcomeOf({ request }), ['invalid_request_object', algorithms])
    }
  })

  test('a key of the attacker in the header of the object', async () => {
    const own = await newKeys('RS256', 'k-1')
    const jku = site.answer('/evil.json', (_request, response) => {
      response.end(JSON.stringify(keySetOf(own)))
    })
    for (const header of [{ jwk: own.publicKey }, { jku }, { x5u: jku }]) {
      const request = await sign(objectClaims(started, client), own, {
        typ: 'oauth-authz-req+jwt',
        ...header,
      })
      assert.deepEqual(await outcomeOf({ request }), ['invalid_request_object', signature])
    }
    assert.equal(site.asked('/evil.json'), 0)
  })

  test('another algorithm than the registered one', async () => {
    const strict = await register(started, {
      jwks: keySetOf(keys),
      request_object_signing_alg: 'PS256',
    })
    const request = await sign(objectClaims(started, strict), keys, { typ: 'oauth-authz-req+jwt' })
    assert.deepEqual(await outcomeOf({ request }, strict), [
      'invalid_request_object',
      'the request object has to be signed with PS256',
    ])
  })
})

describe('a JWT that was made for something else', () => {
  test('the object of another client', async () => {
    const request = await sign(objectClaims(started, client), keys)
    const other = await register(started, { jwks: keySetOf(await newKeys('RS256', 'k-1')) })
    assert.deepEqual(await outcomeOf({ request }, other), ['invalid_request_object', signature])
    const sharing = await register(started, { jwks: keySetOf(keys) })
    assert.deepEqual(await outcomeOf({ request }, sharing), [
      'invalid_request_object',
      'iss of the request object has to be the client_id',
    ])
  })

  test('an object for another service', async () => {
    const claims = { ...objectClaims(started, client), aud: 'https://other.example' }
    const [error, said] = await outcomeOf({ request: await sign(claims, keys) })
    assert.equal(error, 'invalid_request_object')
    assert.equal(said, `aud of the request object has to be ${started.issuer}`)
  })

  test('an ID token of this service', async () => {
    const { id_token: request } = await tokensOf(started, client)
    assert.deepEqual(await outcomeOf({ request }), ['invalid_request_object', signature])
  })

  test('a proof of the client for the token endpoint', async () => {
    const { id } = client
    const proof = { iss: id, sub: id, aud: started.issuer, jti: 'j', exp: started.now() + 60 }
    const request = await sign({ ...proof, scope: 'openid' }, keys, { typ: 'JWT' })
    assert.deepEqual(await outcomeOf({ request }), [
      'invalid_request_object',
      'sub of a request object must not be the client_id',
    ])
  })

  test('any signed JWT that says it is something else', async () => {
    const claims = objectClaims(started, client)
    for (const typ of ['logout+jwt', 'at+jwt', 'dpop+jwt', 'client-authentication+jwt']) {
      const [error, said] = await outcomeOf({ request: await sign(claims, keys, { typ }) })
      assert.equal(error, 'invalid_request_object')
      assert.equal(said, 'typ of the request object has to be oauth-authz-req+jwt, JWT or absent')
    }
  })

  test('a signed text that is no object of claims', async () => {
    for (const text of ['"client"', '[]', 'null', 'no JSON']) {
      const request = await new CompactSign(Buffer.from(text))
        .setProtectedHeader({ alg: 'RS256', kid: 'k-1' })
        .sign(keys.privateKey)
      assert.equal((await outcomeOf({ request }))[0], 'invalid_request_object')
    }
  })
})

describe('an object that was used before', () => {
  test('asks another owner anew: nothing of the first answer comes back', async () => {
    const claims = { ...objectClaims(started, client), prompt: 'consent' }
    const request = await sign(claims, keys)
    const parameters = { client_id: client.id, request }
    const first = answerOf(await walk(started, parameters))
    const browser = new Browser(started)
    const page = await browser.go(authorizePath(parameters))
    const consent = await browser.logIn(page, 'bob', 'builder')
    assert.match(consent.url, /\/consent/)
    const second = answerOf(await browser.submit(consent, { decision: 'deny' }))
    assert.equal(second.error, 'access_denied')
    assert.equal(typeof first.code, 'string')
  })

  test('counts no more once it has expired', async () => {
    const request = await sign({ ...objectClaims(started, client), exp: started.now() + 5 }, keys)
    started.pass(5)
    assert.deepEqual(await outcomeOf({ request }), [
      'invalid_request_object',
      'the request object has expired',
    ])
  })
})

describe('a parameter smuggled beside the object', () => {
  test('cannot widen the scope, turn the prompt off or change the redirect URI', async () => {
    const two = await register(started, {
      redirect_uris: ['https://app.example/cb', 'https://app.example/open'],
      jwks: keySetOf(keys),
    })
    const request = await sign({ ...objectClaims(started, two), prompt: 'consent' }, keys)
    const smuggled = {
      scope: 'photos:write',
      prompt: 'none',
      redirect_uri: 'https://app.example/open',
    }
    const page = await walk(started, { client_id: two.id, request, ...smuggled })
    const { code = '' } = answerOf(page)
    assert.ok(page.headers.get('location')?.startsWith('https://app.example/cb?'))
    const form = { grant_type: 'authorization_code', code, redirect_uri: two.redirectUri }
    const { body } = await started.post('/token', form, two.credentials)
    assert.equal(body.scope, 'openid photos:read')
  })

  test('an object without a redirect URI does not borrow the one outside', async () => {
    const { redirect_uri: _, ...claims } = objectClaims(started, client)
    const request = await sign(claims, keys)
    const page = await new Browser(started).go(authorizePath({ ...requestOf(client), request }))
    assert.equal(page.status, 400)
  })
})

describe('a hostile host', () => {
  const redirecting = (path: string, to: string): string =>
    site.answer(path, (_request, response) => response.writeHead(302, { Location: to }).end())

  const huge = (path: string): string =>
    site.answer(path, (_request, response) => {
      response.writeHead(200).end('x'.repeat(70_000))
    })

  const hostileUris = () =>
    [
      ['redirects', redirecting('/redirect', site.url('/inside')), /its URL redirects/],
      ['answers hugely', huge('/huge'), /larger than 64 KiB/],
      [
        'is in a private network',
        'https://10.0.0.1/x',
        /an address that this service does not reach/,
      ],
      ['is the metadata of a cloud', 'https://169.254.169.254/x', /does not reach/],
      ['is not there', 'https://nowhere.example/x', /does not answer/],
    ] as const

  test('of jwks_uri', async () => {
    for (const [what, uri, said] of hostileUris()) {
      const hostile = await register(started, { jwks_uri: uri })
      const request = await sign(objectClaims(started, hostile), keys)
      const [error, told = ''] = await outcomeOf({ request }, hostile)
      assert.equal(error, 'invalid_request_object', what)
      assert.match(told, said)
    }
    assert.equal(site.asked('/inside'), 0)
  })

  test('of request_uri', async () => {
    for (const [what, uri, said] of hostileUris()) {
      const hostile = await register(started, { jwks: keySetOf(keys), request_uris: [uri] })
      const [error, told = ''] = await outcomeOf({ request_uri: uri }, hostile)
      assert.equal(error, 'invalid_request_uri', what)
      assert.match(told, said)
    }
    assert.equal(site.asked('/inside'), 0)
  })

  test('of sector_identifier_uri', async () => {
    for (const [what, uri, said] of hostileUris()) {
      const { status, body } = await tryRegister(started, {
        subject_type: 'pairwise',
        sector_identifier_uri: uri,
      })
      assert.deepEqual([status, body.error], [400, 'invalid_client_metadata'], what)
      assert.match(body.error_description, said)
    }
    assert.equal(site.asked('/inside'), 0)
  })

  test('of jwks_uri that publishes a private key: no key of it counts, not even an earlier one', async () => {
    let set: object = keySetOf(keys)
    const uri = site.answer('/leaking.json', (_request, response) => {
      response.writeHead(200, { 'Cache-Control': 'max-age=5' }).end(JSON.stringify(set))
    })
    const leaking = await register(started, { jwks_uri: uri })
    const request = await sign(objectClaims(started, leaking), keys)
    assert.equal((await outcomeOf({ request }, leaking))[0], undefined)
    set = { keys: [{ ...keys.publicKey, d: 'AQAB' }] }
    started.pass(31)
    const [error, said = ''] = await outcomeOf({ request }, leaking)
    assert.equal(error, 'invalid_request_object')
    assert.match(said, /without private or symmetric ones/)
  })

  test('is not asked again and again for keys that it does not have', async () => {
    const path = '/flooded.json'
    const uri = site.answer(path, (_request, response) => {
      response.end(JSON.stringify(keySetOf(keys)))
    })
    const flooded = await register(started, { jwks_uri: uri })
    const strange = { ...keys, publicKey: { ...keys.publicKey, kid: 'unknown' } }
    for (let times = 0; times < 5; times++) {
      const request = await sign(objectClaims(started, flooded), strange)
      assert.equal((await outcomeOf({ request }, flooded))[1], signature)
    }
    assert.equal(site.asked(path), 1)
    started.pass(30)
    const request = await sign(objectClaims(started, flooded), strange)
    await outcomeOf({ request }, flooded)
    assert.equal(site.asked(path), 2)
  })

  test('is asked once for many requests at a time', async () => {
    const path = '/parallel.json'
    const uri = site.answer(path, (_request, response) => {
      response.end(JSON.stringify(keySetOf(keys)))
    })
    const parallel = await register(started, { jwks_uri: uri })
    const request = await sign(objectClaims(started, parallel), keys)
    const query = authorizePath({ client_id: parallel.id, request })
    const pages = await Promise.all(
      Array.from({ length: 10 }, () => new Browser(started).ask(query)),
    )
    for (const page of pages) assert.match(page.headers.get('location') ?? '', /\/login\?/)
    assert.equal(site.asked(path), 1)
  })
})
