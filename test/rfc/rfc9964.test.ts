/** ML-DSA signatures (RFC 9964): keys of the service and of clients, and all that the service signs for others. */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { createLocalJWKSet, decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose'
import { signingAlgorithms } from '../../src/model/key.ts'
import { keyLimits } from '../../src/tokens/keys/kinds.ts'
import { operatorOf } from '../flows/operator.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { newKeys } from '../support/client-keys.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { invoices, obtainFor, orders, startWithJwts } from '../support/elsewhere.ts'
import { eventsOf, handTimer, poll } from '../support/feed.ts'
import { offlineApi } from '../support/offline.ts'
import { walk } from '../support/printing.ts'
import { register, requestOf, tokensOf, tryRegister } from '../support/registered.ts'
import { basic, type Started, start } from '../support/start.ts'
import { introspect } from '../support/tokens.ts'

const lattices = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'] as const
/** Bytes of a public key and of a signature (FIPS 204, table 2). */
const sizes = {
  'ML-DSA-44': [1312, 2420],
  'ML-DSA-65': [1952, 3309],
  'ML-DSA-87': [2592, 4627],
} as const

const keysOf = async (service: Started): Promise<readonly JWK[]> =>
  (await service.ask('/jwks')).body.keys

const algorithmsOf = (keys: readonly JWK[]): readonly unknown[] => keys.map(({ alg }) => alg)

const bytesIn = (text = ''): number => Buffer.from(text, 'base64url').length

describe('section 3: keys of the service', () => {
  let service: Started
  before(async () => {
    service = await start()
  })
  after(() => service.close())

  const usual = ['RS256', 'ES256', undefined]

  test('are none where nothing was signed so, whoever reads /jwks or rotates', async () => {
    assert.deepEqual(new Set(algorithmsOf(await keysOf(service))), new Set(usual))
    const operator = await operatorOf(service)
    const rotated = await operator('POST', 'keys', { use: 'signing', now: true })
    const named = ({ algorithm }: { algorithm: string }) => algorithm
    assert.deepEqual(rotated.body.keys.map(named), ['RS256', 'ES256', 'EdDSA'])
    await service.advance(keyLimits.keyHurrySeconds)
    const { body } = await operator('GET', 'keys')
    const listed: readonly string[] = body.items.map(named)
    assert.ok(!listed.some((name) => name.startsWith('ML-DSA')), listed.join())
    await tryRegister(service, { id_token_signed_response_alg: 'ML-DSA-44' })
    assert.deepEqual(new Set(algorithmsOf(await keysOf(service))), new Set(usual))
  })

  for (const algorithm of lattices) {
    test(`${algorithm}: the first signature makes one, of the right form and length`, async () => {
      const before = await keysOf(service)
      const client = await register(service, { id_token_signed_response_alg: algorithm })
      const { id_token: idToken } = await tokensOf(service, client)
      const made = (await keysOf(service)).filter(({ kid }) =>
        before.every((one) => one.kid !== kid),
      )
      assert.equal(made.length, 1)
      const [key] = made
      const { kid, pub, ...others } = key ?? {}
      assert.deepEqual(others, { kty: 'AKP', alg: algorithm, use: 'sig' })
      assert.deepEqual(decodeProtectedHeader(idToken), { alg: algorithm, kid, typ: 'JWT' })
      const [, , signature] = idToken.split('.')
      assert.deepEqual([bytesIn(pub as string), bytesIn(signature)], sizes[algorithm])
      const currentDate = new Date(service.now() * 1000)
      await jwtVerify(idToken, await importJWK(key as JWK, algorithm), { currentDate })
      await tokensOf(service, client)
      assert.equal((await keysOf(service)).length, before.length + 1)
    })
  }

  test('stay after a restart, rotate, and are withdrawn as all others', async () => {
    const published = (await service.ask('/jwks')).text
    await service.restart()
    assert.equal((await service.ask('/jwks')).text, published)
    const operator = await operatorOf(service)
    const { body } = await operator('POST', 'keys', { use: 'signing', now: true })
    const rotated = body.keys.map(({ algorithm }: { algorithm: string }) => algorithm)
    assert.deepEqual(rotated, signingAlgorithms)
    await service.advance(keyLimits.keyHurrySeconds)
    const client = await register(service, { id_token_signed_response_alg: 'ML-DSA-87' })
    const { id_token: idToken } = await tokensOf(service, client)
    const { kid = '' } = decodeProtectedHeader(idToken)
    const next = body.keys.find(({ algorithm }: { algorithm: string }) => algorithm === 'ML-DSA-87')
    assert.equal(kid, next.id)
    const withdrawn = await operator('DELETE', `keys/${kid}`)
    assert.equal(withdrawn.status, 200, withdrawn.text)
    await service.advance(keyLimits.keyHurrySeconds)
    const again = await tokensOf(service, client)
    assert.equal(decodeProtectedHeader(again.id_token).kid, withdrawn.body.successor)
  })

  test('sign ID tokens that come back as a hint, also after many claims', async () => {
    const client = await register(service, {
      id_token_signed_response_alg: 'ML-DSA-87',
      post_logout_redirect_uris: ['https://app.example/bye'],
    })
    const browser = new Browser(service)
    const claims = JSON.stringify({ id_token: { email: null, name: null, picture: null } })
    const nonce = 'n'.repeat(2000)
    const asked = { scope: 'openid profile email', claims, nonce }
    const { id_token: hint } = await tokensOf(service, client, asked, browser)
    assert.ok(hint.length > 8192)
    const silent = requestOf(client, { id_token_hint: hint })
    assert.ok(answerOf(await walk(service, silent, {}, browser)).code)
    const end = { id_token_hint: hint, post_logout_redirect_uri: 'https://app.example/bye' }
    const page = await browser.ask(`/logout?${new URLSearchParams(end)}`)
    assert.equal(page.headers.get('location'), 'https://app.example/bye')
  })
})

describe('section 3: keys of clients', () => {
  let service: Started
  before(async () => {
    service = await start()
  })
  after(() => service.close())

  const jwksAfter = async (...keys: readonly object[]) => {
    const { status, body } = await tryRegister(service, { jwks: { keys } })
    return [status, body.jwks?.keys]
  }

  test('are kept as they are, and no other member with them', async () => {
    for (const algorithm of lattices) {
      const { publicKey } = await newKeys(algorithm, 'k-1')
      assert.deepEqual(await jwksAfter({ ...publicKey, extra: 'x', ext: true }), [201, [publicKey]])
    }
  })

  test('of a length that is not of their parameter set are refused', async () => {
    const { publicKey: small } = await newKeys('ML-DSA-44')
    const { publicKey: large } = await newKeys('ML-DSA-87')
    const wrong = [
      { ...small, alg: 'ML-DSA-87' },
      { ...large, alg: 'ML-DSA-44' },
      { ...small, pub: `${small.pub}A` },
      { ...small, pub: String(small.pub).slice(1) },
      { ...small, pub: '' },
      { kty: 'AKP', alg: 'ML-DSA-44' },
      { ...small, pub: `+${String(small.pub).slice(1)}` },
    ]
    for (const key of wrong) assert.deepEqual(await jwksAfter(key), [400, undefined])
  })

  test('without alg, or with another one, are of no known kind', async () => {
    const { publicKey } = await newKeys('ML-DSA-44')
    const { alg: _, ...without } = publicKey
    const others = [without, { ...publicKey, alg: 'RS256' }, { ...publicKey, alg: 'ML-DSA-45' }]
    for (const key of others) assert.deepEqual(await jwksAfter(key), [201, undefined])
    assert.deepEqual(await jwksAfter({ ...publicKey, alg: 7 }), [201, undefined])
  })

  test('with their seed are refused: they are no secret any more', async () => {
    const { publicKey } = await newKeys('ML-DSA-44')
    assert.deepEqual(await jwksAfter({ ...publicKey, priv: 'A'.repeat(43) }), [400, undefined])
  })
})

describe('what an API gets', () => {
  const timer = handTimer()
  let service: Started
  let patch: (path: string, json: object) => Promise<void>
  before(async () => {
    service = await startWithJwts({ every: timer.every })
    const operator = await operatorOf(service)
    patch = async (path, json) => {
      const { status, text } = await operator('PATCH', path, json)
      assert.equal(status, 200, text)
    }
    await patch('resources/orders', { access_token_signing_alg: 'ML-DSA-87' })
    await patch('clients/nightly-report', { introspection_signed_response_alg: 'ML-DSA-65' })
  })
  after(() => service.close())

  const obtain = async (scope = 'orders:read') => (await obtainFor(service, scope, [])).access_token

  const begin = (t: TestContext) => {
    const api = offlineApi(service)
    t.after(api.close)
    return api
  }

  test('is a JWT access token under the algorithm of its resource (RFC 9068)', async () => {
    const token = await obtain()
    assert.equal(decodeProtectedHeader(token).alg, 'ML-DSA-87')
    const keys = createLocalJWKSet({ keys: [...(await keysOf(service))] })
    const currentDate = new Date(service.now() * 1000)
    const { payload } = await jwtVerify(token, keys, { audience: orders, currentDate })
    assert.equal((await introspect(service, token)).jti, payload.jti)
  })

  test('is an opaque token where two APIs want different signatures', async () => {
    assert.match(await obtain('orders:read invoices:read'), /^lk_at_/)
    assert.equal(decodeProtectedHeader(await obtain('invoices:read')).alg, 'RS256')
    await patch('resources/invoices', { access_token_signing_alg: 'ML-DSA-87' })
    const both = await obtain('orders:read invoices:read openid')
    assert.equal(decodeProtectedHeader(both).alg, 'ML-DSA-87')
    const { aud } = await introspect(service, both)
    assert.deepEqual(new Set(aud), new Set([`${service.issuer}/userinfo`, invoices, orders]))
    await patch('resources/invoices', { access_token_signing_alg: null })
    assert.equal(decodeProtectedHeader(await obtain('invoices:read')).alg, 'RS256')
  })

  test('is let in by an offline guard, and refused after its revocation', async (t) => {
    const api = begin(t)
    const token = await obtain()
    assert.equal(await api.use(token), 200)
    const { next } = (await poll(service, nightlyReport)).body
    await service.post('/revoke', { token }, ['photo-printer', 'photo-printer-secret'])
    const news = await poll(service, nightlyReport, { after: next })
    const [set] = Object.values<string>(news.body.sets)
    assert.equal(decodeProtectedHeader(set ?? '').alg, 'ML-DSA-65')
    const [subject] = (await eventsOf(service, news, nightlyReport[0])).map(([of]) => of)
    assert.equal(subject, 'token')
    const later = begin(t)
    assert.equal(await later.use(token), 401)
    assert.equal(await later.use(await obtain()), 200)
  })

  test('is introspection signed as it registered (RFC 9701)', async () => {
    const answer = await service.ask('/introspect', {
      form: { token: await obtain() },
      headers: {
        authorization: basic(nightlyReport),
        accept: 'application/token-introspection+jwt',
      },
    })
    assert.equal(decodeProtectedHeader(answer.text).alg, 'ML-DSA-65')
    const keys = createLocalJWKSet({ keys: [...(await keysOf(service))] })
    const { payload } = await jwtVerify(answer.text, keys, { audience: nightlyReport[0] })
    assert.equal((payload.token_introspection as { active: boolean }).active, true)
  })

  test('is 503 from a guard on a runtime without ML-DSA, and one line says why', async (t) => {
    const importKey = crypto.subtle.importKey.bind(crypto.subtle)
    const without = async (...given: Parameters<typeof importKey>) => {
      const [, key] = given
      if ((key as JWK).kty === 'AKP') throw new DOMException('unknown', 'NotSupportedError')
      return importKey(...given)
    }
    t.mock.method(crypto.subtle, 'importKey', without)
    const api = begin(t)
    await patch('clients/nightly-report', { introspection_signed_response_alg: null })
    const token = await obtain()
    assert.deepEqual([await api.use(token), await api.use(token)], [503, 503])
    assert.deepEqual(api.logged, [
      'latchkey/resource: this Node cannot check ML-DSA-87: use Node 24.7 or later, or set offline to false',
    ])
    // Others of the same API go on.
    await patch('resources/orders', { access_token_signing_alg: null })
    assert.equal(await api.use(await obtain()), 200)
  })

  test('needs an algorithm that there is', async () => {
    const operator = await operatorOf(service)
    for (const name of ['PS256', 'HS256', 'none', 'ML-DSA', 7]) {
      const answer = await operator('PATCH', 'resources/orders', { access_token_signing_alg: name })
      assert.equal(answer.status, 400)
      assert.match(answer.text, /RS256, ES256, EdDSA, Ed25519, ML-DSA-44, ML-DSA-65, ML-DSA-87 as/)
    }
  })
})
