/** Forward auth for tokens that are bound to a key: the proof is for the request at the proxy (RFC 9449). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { houseApp } from '../support/demo-clients.ts'
import { digestToken, makeProver, type Prover, postProven } from '../support/dpop.ts'
import { start, startBefore } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const origin = 'https://orders.example.com'
let prover: Prover
let thief: Prover
let token: string

const service = startBefore(
  () => start({ trustedProxies: ['10.0.0.0/8'] }),
  async () => {
    const operator = await operatorOf(service)
    const orders = { name: 'orders', title: 'Orders', read: 'See', write: 'Change' }
    await operator('POST', 'resources', { ...orders, uri: `${origin}/v1` })
    await operator('PATCH', `clients/${houseApp[0]}`, { scope: 'orders photos' })
    prover = await makeProver(service.now)
    thief = await makeProver(service.now)
    token = await obtain('orders:read')
  },
)

const obtain = async (scope: string): Promise<string> => {
  const form = { grant_type: 'password', username: 'alice', password: 'wonderland', scope }
  const proof = await prover.prove('POST', `${service.issuer}/token`)
  const { body } = await postProven(service, form, houseApp, proof)
  assert.equal(body.token_type, 'DPoP')
  return body.access_token
}

/** What a proxy says of the request; null leaves a header out. */
interface Asked {
  readonly method?: string | null
  readonly uri?: string | null
  readonly scheme?: string
  readonly proofs?: readonly string[]
  readonly resource?: string
  readonly scope?: string
}

const ask = async ({
  method = 'GET',
  uri = '/v1/orders?page=2',
  scheme = 'DPoP',
  proofs = [],
  resource = `${origin}/v1`,
  scope = 'orders:read',
}: Asked) => {
  const headers = new Headers({ authorization: `${scheme} ${token}` })
  for (const proof of proofs) headers.append('dpop', proof)
  if (method !== null) headers.set('x-forwarded-method', method)
  if (uri !== null) headers.set('x-forwarded-uri', uri)
  const question = new URLSearchParams({ resource, scope })
  const answer = await service.ask(`/forward-auth?${question}`, { headers })
  const challenge = answer.headers.get('www-authenticate')
  const told = challenge?.replace(/^(\w+) .*error="(\w+)".*$/, '$1 $2')
  return { outcome: told === undefined ? answer.status : [answer.status, told], answer, challenge }
}

const outcomeOf = async (asked: Asked): Promise<unknown> => (await ask(asked)).outcome

const prove = (method = 'GET', path = '/v1/orders', by = prover, claims = {}) =>
  by.prove(method, path.startsWith('/') ? origin + path : path, {
    ath: digestToken(token),
    ...claims,
  })

const wrongProof = [401, 'DPoP invalid_dpop_proof']
const wrongToken = [401, 'DPoP invalid_token']

describe('a bound token behind a proxy', () => {
  test('is let through with a proof for the request at the proxy, and told a nonce', async () => {
    const { outcome, answer } = await ask({ proofs: [await prove()] })
    assert.equal(outcome, 200)
    assert.equal(answer.headers.get('remote-user'), 'alice')
    assert.match(answer.headers.get('dpop-nonce') ?? '', /^[\w-]{60,160}$/)
  })

  test('with any method, and in any spelling of the path', async () => {
    assert.equal(await outcomeOf({ method: 'PUT', proofs: [await prove('PUT')] }), 200)
    assert.equal(await outcomeOf({ uri: '/v1/%6frders', proofs: [await prove()] }), 200)
    const upper = await prove('GET', 'HTTPS://ORDERS.example.com:443/v1/orders#x')
    assert.equal(await outcomeOf({ proofs: [upper] }), 200)
  })

  test('is refused with a proof that came before', async () => {
    const proofs = [await prove()]
    assert.equal(await outcomeOf({ proofs }), 200)
    assert.deepEqual(await outcomeOf({ proofs }), wrongProof)
  })

  test('is refused with a proof for another method, path or host, or for the question', async () => {
    const question = `${service.issuer}/forward-auth`
    const wrong = [
      await prove('POST'),
      await prove('GET', '/v1/other'),
      await prove('GET', 'https://other.example.com/v1/orders'),
      await prove('GET', 'http://orders.example.com/v1/orders'),
      await prove('GET', 'https://orders.example.com:8443/v1/orders'),
      await prove('GET', question),
      await prove('GET', '/v1/orders', prover, { ath: digestToken('another') }),
    ]
    for (const proof of wrong) assert.deepEqual(await outcomeOf({ proofs: [proof] }), wrongProof)
    const two = [await prove(), await prove()]
    assert.deepEqual(await outcomeOf({ proofs: two }), wrongProof)
  })

  test('is refused with the proof of a thief, without any, and as Bearer', async () => {
    const stolen = await prove('GET', '/v1/orders', thief)
    assert.deepEqual(await outcomeOf({ proofs: [stolen] }), wrongToken)
    assert.deepEqual(await outcomeOf({}), wrongToken)
    assert.deepEqual(await outcomeOf({ scheme: 'Bearer' }), wrongToken)
    assert.deepEqual(await outcomeOf({ scheme: 'Bearer', proofs: [await prove()] }), wrongToken)
  })

  test('is refused where the proxy does not say which request it asks about', async () => {
    const rows: Asked[] = [{ method: null }, { uri: null }, { method: '' }, { uri: '' }]
    for (const row of rows) {
      const proofs = [await prove(), await prove('GET', `${service.issuer}/forward-auth`)]
      for (const proof of proofs) {
        const { outcome, challenge } = await ask({ ...row, proofs: [proof] })
        assert.deepEqual(outcome, wrongToken)
        assert.match(challenge ?? '', /X-Forwarded-Method and X-Forwarded-Uri/)
      }
    }
  })

  test('is refused where its path could be read as another one, or came twice', async () => {
    const paths = [
      '/x/../v1/orders',
      '/v1/./orders',
      '/x/%2e%2e/v1/orders',
      '/v1/orders, /v1/x',
      'v1',
    ]
    for (const uri of paths) {
      assert.deepEqual(await outcomeOf({ uri, proofs: [await prove()] }), wrongToken)
    }
    const method = 'GET, POST'
    assert.deepEqual(await outcomeOf({ method, proofs: [await prove()] }), wrongProof)
  })

  test('of the path alone counts: no host that a visitor names', async () => {
    const uri = 'https://evil.example/v1/orders'
    const evil = await prove('GET', uri)
    assert.deepEqual(await outcomeOf({ uri, proofs: [evil] }), wrongProof)
    assert.equal(await outcomeOf({ uri, proofs: [await prove()] }), 200)
  })
})

test('a bound token that lacks a permission is challenged as DPoP', async () => {
  const scope = 'orders:write'
  const outcome = await outcomeOf({ scope, proofs: [await prove()] })
  assert.deepEqual(outcome, [403, 'DPoP insufficient_scope'])
})

test('a token that is bound to no key is let through as Bearer alone', async () => {
  const form = {
    grant_type: 'password',
    username: 'alice',
    password: 'wonderland',
    scope: 'orders',
  }
  const bound = token
  token = (await service.post('/token', form, houseApp)).body.access_token
  assert.equal(await outcomeOf({ scheme: 'Bearer' }), 200)
  assert.deepEqual(await outcomeOf({ proofs: [await prove()] }), wrongToken)
  token = bound
})
