/** Attacks on tokens that are bound to a key, at APIs elsewhere: asked for each time, cached, and offline. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { dpopLimits } from '../../src/resource/dpop-proof.ts'
import { type Needs, protect } from '../../src/resource/node.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import { digestToken, makeProver, type Prover, postProven } from '../support/dpop.ts'
import { orders, startWithJwts, tools } from '../support/elsewhere.ts'
import { type OfflineApi, offlineApi } from '../support/offline.ts'
import { callback, codeRequest, obtainCode } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { introspect } from '../support/tokens.ts'

let owner: Prover
let thief: Prover

const service = startBefore(startWithJwts, async () => {
  owner = await makeProver(service.now)
  thief = await makeProver(service.now)
})

/** A token of alice for one of the APIs, bound to the key of its owner. */
const obtain = async (scope: string, resource: string, by = owner): Promise<string> => {
  const code = await obtainCode(service, { ...codeRequest, scope, resource, prompt: 'consent' })
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  const proof = await by.prove('POST', `${service.issuer}/token`)
  const { body } = await postProven(service, form, photoPrinter, proof)
  assert.equal(body.token_type, 'DPoP')
  return body.access_token
}

const askedTools = () => ({
  resource: tools,
  clientId: houseApp[0],
  clientSecret: houseApp[1],
  offline: false,
})

const wrongProof = [401, 'DPoP invalid_dpop_proof']
const wrongToken = [401, 'DPoP invalid_token']

interface Sent {
  readonly proof?: string | readonly string[] | undefined
  readonly scheme?: string
  readonly method?: string
  readonly url?: string
}

const testApi = (
  name: string,
  resource: string,
  scope: string,
  open: () => Parameters<typeof offlineApi>[1],
): void => {
  describe(name, () => {
    let api: OfflineApi
    let token: string
    before(async () => {
      api = offlineApi(service, open())
      token = await obtain(scope, resource)
    })
    after(() => api.close())

    const url = `${resource}/items`
    const ath = () => digestToken(token)
    const prove = (claims = {}, header = {}, by = owner): Promise<string> =>
      by.prove('GET', url, { ath: ath(), ...claims }, header)

    const send = async ({ proof, scheme = 'DPoP', method = 'GET', url: at = url }: Sent) => {
      const headers = new Headers({ authorization: `${scheme} ${token}` })
      for (const one of [proof ?? []].flat()) headers.append('dpop', one)
      const answer = await api.send(new Request(at, { method, headers }))
      const challenge = answer.headers.get('www-authenticate')
      const told = challenge?.replace(/^(\w+) .*error="(\w+)".*$/, '$1 $2')
      return told === undefined ? answer.status : [answer.status, told]
    }

    test('its owner is let in, with each proof once', async () => {
      for (let time = 0; time < 3; time++) assert.equal(await send({ proof: await prove() }), 200)
    })

    test('a stolen token: as Bearer, without a proof, and with a proof of the thief', async () => {
      assert.deepEqual(await send({ scheme: 'Bearer' }), wrongToken)
      assert.deepEqual(await send({ scheme: 'Bearer', proof: await prove() }), wrongToken)
      assert.deepEqual(await send({}), wrongToken)
      assert.deepEqual(await send({ proof: await prove({}, {}, thief) }), wrongToken)
    })

    test('the cache: who was let in a moment ago needs a proof again', async () => {
      assert.equal(await send({ proof: await prove() }), 200)
      assert.deepEqual(await send({ scheme: 'Bearer' }), wrongToken)
      assert.deepEqual(await send({}), wrongToken)
    })

    test('a replayed proof, and one that differs in its iat alone', async () => {
      const proof = await prove({ jti: 'once' })
      assert.equal(await send({ proof }), 200)
      assert.deepEqual(await send({ proof }), wrongProof)
      const later = await prove({ jti: 'once', iat: service.now() - 1 })
      assert.deepEqual(await send({ proof: later }), wrongProof)
    })

    test('a race of one proof has one winner', async () => {
      const proof = await prove()
      const answers = await Promise.all(Array.from({ length: 8 }, () => send({ proof })))
      assert.deepEqual(
        answers.filter((one) => one === 200),
        [200],
      )
    })

    test('a jti of the thief stands in the way of no other key', async () => {
      const proof = await prove({ jti: 'mine' }, {}, thief)
      assert.deepEqual(await send({ proof }), wrongToken)
      assert.equal(await send({ proof: await prove({ jti: 'mine' }) }), 200)
    })

    test('a stolen proof at another method, path, host, port or scheme', async () => {
      const { host } = new URL(resource)
      assert.deepEqual(await send({ proof: await prove(), method: 'DELETE' }), wrongProof)
      assert.deepEqual(await send({ proof: await prove(), url: `${resource}/other` }), wrongProof)
      const elsewhere = [
        `https://${host}.evil.example/items`,
        `https://x@${host}/items`,
        `${resource.replace(host, `${host}:8443`)}/items`,
        `${resource.replace('https:', 'http:')}/items`,
        `${resource}/items/`,
        `${resource}/Items`,
        `${resource}/it%2Fems`,
        `${resource}//items`,
        `${service.issuer}/items`,
        '/items',
        '',
      ]
      for (const htu of elsewhere) {
        assert.deepEqual(await send({ proof: await prove({ htu }) }), wrongProof, htu)
      }
    })

    test('another spelling of the same URL is the same URL', async () => {
      const { host } = new URL(resource)
      const same = [
        url.replace(host, host.toUpperCase()),
        url.replace(host, `${host}:443`),
        url.replace('https', 'HTTPS'),
        url.replace('items', '%69tem%73'),
        url.replace('items', 'x/../items'),
        url.replace('items', './items'),
        url.replace('items', '%2e/items'),
        `${url}?page=2`,
        `${url}#top`,
      ]
      for (const htu of same) assert.equal(await send({ proof: await prove({ htu }) }), 200, htu)
      const proof = await prove({ htu: `${resource}/~a` })
      assert.equal(await send({ proof, url: `${resource}/%7Ea?b=c` }), 200)
    })

    test('a proof for another token, or for none', async () => {
      const other = await obtain(scope, resource)
      for (const wrong of [digestToken(other), undefined, '', 7]) {
        assert.deepEqual(await send({ proof: await prove({ ath: wrong }) }), wrongProof)
      }
    })

    test('an old proof, and one from ahead', async () => {
      const { pastSeconds, aheadSeconds } = dpopLimits
      const rows: [unknown, boolean][] = [
        [-pastSeconds, true],
        [-pastSeconds - 1, false],
        [aheadSeconds, true],
        [aheadSeconds + 1, false],
      ]
      for (const [by, isTaken] of rows) {
        const proof = await prove({ iat: service.now() + Number(by) })
        assert.deepEqual(await send({ proof }), isTaken ? 200 : wrongProof)
      }
      const shapes = [undefined, String(service.now()), null, Number.MAX_SAFE_INTEGER]
      for (const iat of shapes)
        assert.deepEqual(await send({ proof: await prove({ iat }) }), wrongProof)
    })

    test('a proof is remembered for as long as its time would be taken', async () => {
      const proof = await prove({ iat: service.now() + dpopLimits.aheadSeconds })
      assert.equal(await send({ proof }), 200)
      service.pass(dpopLimits.aheadSeconds + dpopLimits.pastSeconds)
      assert.equal(await send({ proof: await prove() }), 200)
      assert.deepEqual(await send({ proof }), wrongProof)
      service.pass(1)
      assert.deepEqual(await send({ proof }), wrongProof)
    })

    test('two headers, both right; and no JWT, or a long one', async () => {
      assert.deepEqual(await send({ proof: [await prove(), await prove()] }), wrongProof)
      const long = await prove({ more: 'x'.repeat(dpopLimits.proofCharacters) })
      for (const proof of ['', 'x', 'a.b.c', '..', `${await prove()}.x`, long]) {
        assert.deepEqual(await send({ proof: [proof] }), wrongProof)
      }
    })

    test('headers that would let anybody sign: none, HS256, a private key, another typ', async () => {
      const [, claims] = (await prove()).split('.')
      const { publicKey } = owner.pair
      const code = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
      const unsigned = code({ typ: 'dpop+jwt', alg: 'none', jwk: publicKey })
      const secret = { kty: 'oct', k: 'AAAA' }
      const symmetric = code({ typ: 'dpop+jwt', alg: 'HS256', jwk: secret })
      const wrong = [
        `${unsigned}.${claims}.`,
        `${unsigned}.${claims}.AAAA`,
        `${symmetric}.${claims}.AAAA`,
        await prove({}, { jwk: { ...publicKey, d: 'AAAA' } }),
        await prove({}, { jwk: secret }),
        await prove({}, { jwk: thief.pair.publicKey }),
        await prove({}, { typ: 'JWT' }),
        await prove({}, { typ: undefined }),
        await prove({}, { jwk: undefined }),
      ]
      for (const proof of wrong) assert.deepEqual(await send({ proof }), wrongProof, proof)
    })

    test('a flood of wrong proofs fills nothing: right ones are still let in', async () => {
      for (let i = 0; i < 50; i++) await send({ proof: await prove({}, {}, thief) })
      assert.equal(await send({ proof: await prove() }), 200)
    })
  })
}

testApi('an API that asks about each token', tools, 'tools', askedTools)
testApi('an API with a cache', tools, 'tools', () => ({ ...askedTools(), cacheSeconds: 600 }))
testApi('an offline API', orders, 'orders', () => ({}))

describe('tokens and keys in other ways', () => {
  /** An API whose service says this of each token. */
  const saying = (said: object, needs: Needs = []) => {
    const api = offlineApi(service, askedTools())
    api.between = (path) =>
      path === '/introspect'
        ? Response.json({
            active: true,
            token_type: 'Bearer',
            iss: service.issuer,
            aud: tools,
            sub: 'alice',
            client_id: 'x',
            scope: 'tools:read',
            ...said,
          })
        : null
    return async (scheme: string, proof?: string) => {
      const headers = { authorization: `${scheme} lk_at_x`, ...(proof && { dpop: proof }) }
      const answer = await api.send(new Request(tools, { headers }), needs)
      const challenge = answer.headers.get('www-authenticate')
      return [answer.status, challenge?.replace(/^(\w+) .*error="(\w+)".*$/, '$1 $2')]
    }
  }
  const proveX = () => owner.prove('GET', tools, { ath: digestToken('lk_at_x') })

  test('a token that is bound to no key is let in as Bearer, and refused as DPoP', async () => {
    const ask = saying({})
    assert.deepEqual(await ask('Bearer'), [200, undefined])
    assert.deepEqual(await ask('Bearer', await proveX()), [200, undefined])
    assert.deepEqual(await ask('DPoP', await proveX()), wrongToken)
  })

  test('a bound token that lacks a permission is challenged as DPoP', async () => {
    const said = { token_type: 'DPoP', cnf: { jkt: owner.jkt } }
    const ask = saying(said, ['tools:read', 'tools:write'])
    assert.deepEqual(await ask('DPoP', await proveX()), [403, 'DPoP insufficient_scope'])
  })

  test('a token that is bound in a way the guard cannot check is refused in every scheme', async () => {
    const { jkt } = owner
    const bindings: object[] = [
      { cnf: { 'x5t#S256': 'A'.repeat(43) } },
      { cnf: { jkt, 'x5t#S256': 'A'.repeat(43) } },
      { cnf: {} },
      { cnf: null },
      { cnf: jkt },
      { cnf: { jkt: 7 } },
      { cnf: [jkt] },
      { token_type: 'DPoP' },
    ]
    for (const binding of bindings) {
      const ask = saying(binding)
      const said = JSON.stringify(binding)
      assert.deepEqual(await ask('Bearer'), [401, 'Bearer invalid_token'], said)
      assert.deepEqual(await ask('DPoP', await proveX()), wrongToken, said)
    }
  })

  test('a token of another API, with a right proof, uses up no proof here', async () => {
    const api = offlineApi(service, askedTools())
    const token = await obtain('orders', orders)
    assert.equal((await introspect(service, token)).cnf.jkt, owner.jkt)
    const dpop = await owner.prove('GET', tools, { ath: digestToken(token) })
    const headers = { authorization: `DPoP ${token}`, dpop }
    assert.equal((await api.send(new Request(tools, { headers }))).status, 401)
  })
})

describe('over HTTP/2', () => {
  test('two DPoP headers are refused, one is let in', async () => {
    const { clock: _, ...options } = { ...askedTools(), clock: null }
    const said = {
      active: true,
      token_type: 'DPoP',
      iss: service.issuer,
      aud: tools,
      sub: 'alice',
      client_id: 'x',
      cnf: { jkt: owner.jkt },
    }
    const place = `${service.issuer}/introspect`
    const guard = protect({
      ...options,
      issuer: service.issuer,
      clock: () => service.now() * 1000,
      fetch: async (_url, init) =>
        Response.json(
          init?.method === 'POST'
            ? said
            : { issuer: service.issuer, introspection_endpoint: place },
        ),
    })
    const check = guard([])
    const server = createServer(async (request, response) => {
      if ((await check(request, response)) !== null) response.end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const { pathname } = new URL(tools)
    const send = async (dpop: string | string[]): Promise<number> => {
      const stream = session.request({
        ':path': `${pathname}?a`,
        authorization: 'DPoP lk_at_x',
        dpop,
      })
      const [headers] = await once(stream.resume(), 'response')
      return headers[':status']
    }
    const prove = () => owner.prove('GET', tools, { ath: digestToken('lk_at_x') })
    assert.equal(await send(await prove()), 200)
    assert.equal(await send([await prove(), await prove()]), 401)
    session.close()
    server.close()
  })
})
