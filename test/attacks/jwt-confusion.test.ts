/** Forged and mistaken JWTs at an API that verifies them by itself, and lies in its feed. */
import assert from 'node:assert/strict'
import { createHmac, createPublicKey } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { guardLimits } from '../../src/resource/guard-limits.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { invoices, obtainFor, startWithJwts, tools } from '../support/elsewhere.ts'
import { handTimer, poll } from '../support/feed.ts'
import { type OfflineApi, offlineApi } from '../support/offline.ts'
import { codeRequest, obtainCode } from '../support/printing.ts'
import type { Started } from '../support/start.ts'
import { introspect, redeem } from '../support/tokens.ts'

const timer = handTimer()
let service: Started
let api: OfflineApi
let token: string
let idToken: string
before(async () => {
  service = await startWithJwts({ every: timer.every })
  api = offlineApi(service)
  const code = await obtainCode(service, { ...codeRequest, scope: 'openid orders:read' })
  const { body } = await redeem(service, code)
  token = body.access_token
  idToken = body.id_token
})
after(async () => {
  api.close()
  await service.close()
})

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const [header, claims] = [() => decodeProtectedHeader(token), () => decodeJwt(token)]

/** Refused by the API, and by the service itself. */
const assertRefused = async (forged: string): Promise<void> => {
  assert.equal(await api.use(forged), 401)
  assert.deepEqual(await introspect(service, forged), { active: false })
}

describe('a forged access token', () => {
  test('the true one is let in', async () => {
    assert.equal(await api.use(token), 200)
  })

  test('alg none', async () => {
    for (const alg of ['none', 'None', 'NONE']) {
      await assertRefused(`${part({ ...header(), alg })}.${part(claims())}.`)
    }
  })

  test('HS256 with the public key as its secret', async () => {
    const { keys } = (await service.ask('/jwks')).body
    const jwk = keys.find(({ kid }: { kid: string }) => kid === header().kid)
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const der = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' })
    for (const secret of [pem, der, JSON.stringify(jwk)]) {
      const signed = `${part({ ...header(), alg: 'HS256' })}.${part(claims())}`
      const tag = createHmac('sha256', secret).update(signed).digest('base64url')
      await assertRefused(`${signed}.${tag}`)
    }
  })

  test('a key of its own, under the kid of the service, by jwk, jku, or as a path', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const jwk = await exportJWK(publicKey)
    const headers = [
      header(),
      { ...header(), jwk },
      { ...header(), kid: 'mine', jwk },
      { ...header(), kid: 'mine', jku: 'https://evil.example/jwks' },
      { ...header(), kid: '../../../dev/null' },
      { ...header(), kid: "' or 1=1 --" },
      { ...header(), kid: '__proto__' },
    ]
    for (const one of headers) {
      const forged = await new SignJWT(claims())
        .setProtectedHeader({ ...one, alg: 'RS256' })
        .sign(privateKey)
      await assertRefused(forged)
    }
  })

  test('an unknown kid fetches the keys once in a while only', async () => {
    service.pass(guardLimits.keysSeconds)
    const fetched = () => api.asked.filter((path) => path === '/jwks').length
    const before = fetched()
    for (let i = 0; i < 10; i++) {
      const [, ...rest] = token.split('.')
      await api.use([part({ ...header(), kid: `unknown-${i}` }), ...rest].join('.'))
    }
    assert.equal(fetched(), before + 1)
  })

  test('other claims, or other bits of the signature', async () => {
    const [first = '', , signature = ''] = token.split('.')
    await assertRefused([first, part({ ...claims(), scope: 'orders:write' }), signature].join('.'))
    await assertRefused(`${token.slice(0, -8)}AAAAAAAA`)
  })
})

describe('a true JWT of another kind', () => {
  test('an ID token is no access token', async () => {
    await assertRefused(idToken)
    assert.equal((await service.ask('/userinfo', { headers: bearerOf(idToken) })).status, 401)
  })

  test('an access token is no ID token', () => {
    assert.equal(header().typ, 'at+jwt')
    assert.notEqual(decodeProtectedHeader(idToken).typ, 'at+jwt')
    assert.notEqual(claims().aud, photoPrinter[0])
  })

  test('a security event token is none', async () => {
    const { body } = await poll(service, nightlyReport)
    const form = { grant_type: 'client_credentials', scope: 'orders:read' }
    const own = (await service.post('/token', form, nightlyReport)).body.access_token
    await service.post('/revoke', { token: own }, nightlyReport)
    const news = await poll(service, nightlyReport, { after: body.next })
    const [set] = Object.values<string>(news.body.sets)
    assert.ok(set !== undefined)
    await assertRefused(set)
  })

  test('the access token of another API', async () => {
    const other = (await obtainFor(service, 'invoices:read', invoices)).access_token
    assert.equal(await api.use(other), 401)
    const opaque = (await obtainFor(service, 'tools:read', tools)).access_token
    assert.equal(await api.use(opaque), 401)
  })

  test('the seal inside a JWT is no token', async () => {
    const { lk_seal: seal } = claims()
    await assertRefused(String(seal))
    await assertRefused(`lk_at_${seal}`)
  })

  test('one of another issuer', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const forged = await new SignJWT({ ...claims(), iss: 'https://evil.example' })
      .setProtectedHeader({ ...header(), alg: 'RS256' })
      .sign(privateKey)
    await assertRefused(forged)
  })
})

const bearerOf = (text: string) => ({ authorization: `Bearer ${text}` })

describe('a feed that lies', () => {
  /** The answer of the feed to another client, or one made up. */
  const fed = async (answer: object): Promise<OfflineApi> => {
    const victim = offlineApi(service)
    victim.between = (path) => (path === '/revocation-feed' ? Response.json(answer) : null)
    return victim
  }

  test('withheld: nobody is let in', async () => {
    const victim = offlineApi(service)
    victim.between = (path) =>
      path === '/revocation-feed' ? new Response('', { status: 502 }) : null
    assert.equal(await victim.use(token), 503)
    victim.close()
  })

  test('events for another API are no news', async () => {
    const before = (await poll(service, houseApp)).body.next
    const other = (await obtainFor(service, 'invoices:read', invoices)).access_token
    await service.post('/revoke', { token: other }, photoPrinter)
    const { body } = await poll(service, houseApp, { after: before })
    assert.ok(Object.keys(body.sets).length > 0)
    const victim = await fed(body)
    assert.equal(await victim.use(token), 503)
    assert.match(victim.logged[0] ?? '', /events that are not of .* for this API/)
    victim.close()
  })

  test('an access token, or an unsigned event, is no event', async () => {
    const unsigned = `${part({ typ: 'secevent+jwt', alg: 'none', kid: header().kid })}.${part({})}.`
    for (const set of [token, unsigned, 'no JWT', 7]) {
      const victim = await fed({ sets: { one: set }, moreAvailable: false, next: 'e.1' })
      assert.equal(await victim.use(token), 503)
      victim.close()
    }
  })

  test('an event under the id of another one is refused', async () => {
    const before = (await poll(service, nightlyReport)).body.next
    const form = { grant_type: 'client_credentials', scope: 'orders:read' }
    const own = (await service.post('/token', form, nightlyReport)).body.access_token
    await service.post('/revoke', { token: own }, nightlyReport)
    const { body } = await poll(service, nightlyReport, { after: before })
    const [set] = Object.values(body.sets)
    const victim = await fed({ ...body, sets: { other: set } })
    assert.equal(await victim.use(token), 503)
    victim.close()
  })

  test('a replayed poll, with acknowledgements of all, takes no event from the API', async () => {
    const again = (await obtainFor(service, 'orders:read', [])).access_token
    const before = (await poll(service, nightlyReport)).body.next
    await service.post('/revoke', { token: again }, photoPrinter)
    const first = await poll(service, nightlyReport, { after: before })
    const ack = Object.keys(first.body.sets)
    await poll(service, nightlyReport, { after: before, ack })
    const second = await poll(service, nightlyReport, { after: before, ack })
    assert.deepEqual(Object.keys(second.body.sets), ack)
    const late = offlineApi(service)
    assert.equal(await late.use(again), 401)
    late.close()
  })
})
