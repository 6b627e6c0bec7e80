/** Attacks on ML-DSA signatures: a key of another parameter set, another algorithm, and other bits. */
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign as signRaw } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, type JWK } from 'jose'
import { operatorOf } from '../flows/operator.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { type KeyPair, keySetOf, newKeys, objectClaims, sign } from '../support/client-keys.ts'
import { obtainFor, startWithJwts } from '../support/elsewhere.ts'
import { type OfflineApi, offlineApi } from '../support/offline.ts'
import { authorizePath } from '../support/printing.ts'
import { type Registered, register, tokensOf } from '../support/registered.ts'
import type { Started } from '../support/start.ts'
import { introspect } from '../support/tokens.ts'

let service: Started
let api: OfflineApi
/** An access token under ML-DSA-44, and an ID token under ML-DSA-65. */
let token: string
let idToken: string
let client: Registered
before(async () => {
  service = await startWithJwts()
  api = offlineApi(service)
  const operator = await operatorOf(service)
  await operator('PATCH', 'resources/orders', { access_token_signing_alg: 'ML-DSA-44' })
  token = (await obtainFor(service, 'orders:read', [])).access_token
  client = await register(service, { id_token_signed_response_alg: 'ML-DSA-65' })
  idToken = (await tokensOf(service, client)).id_token
})
after(async () => {
  api.close()
  await service.close()
})

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWT as an attacker makes it, whatever its header says. */
const forge = (header: object, claims: object, key: KeyObject, hash: string | null = null) => {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${signRaw(hash, Buffer.from(text), key).toString('base64url')}`
}

const keyOf = async (jwt: string): Promise<JWK> => {
  const { kid } = decodeProtectedHeader(jwt)
  const { keys } = (await service.ask('/jwks')).body
  return keys.find((one: JWK) => one.kid === kid)
}

/** Refused by an API that verifies by itself, and by the service. */
const assertRefused = async (forged: string): Promise<void> => {
  assert.equal(await api.use(forged), 401)
  assert.deepEqual(await introspect(service, forged), { active: false })
}

const names = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'] as const
const ownKey = (name: (typeof names)[number]): KeyObject =>
  generateKeyPairSync(name.toLowerCase() as 'ml-dsa-44').privateKey

describe('an access token', () => {
  test('the true one is let in', async () => {
    assert.equal(decodeProtectedHeader(token).alg, 'ML-DSA-44')
    assert.equal(await api.use(token), 200)
  })

  test('under a key of its own, of each parameter set, with the kid of the service', async () => {
    const header = decodeProtectedHeader(token)
    for (const name of names) {
      const key = ownKey(name)
      for (const alg of [...names, 'RS256', 'none']) {
        await assertRefused(forge({ ...header, alg }, decodeJwt(token), key))
      }
    }
  })

  test('with the kid of a key of another parameter set', async () => {
    const { kid } = decodeProtectedHeader(idToken)
    const [, claims = '', signature = ''] = token.split('.')
    for (const alg of names) {
      const header = part({ ...decodeProtectedHeader(token), kid, alg })
      await assertRefused(`${header}.${claims}.${signature}`)
    }
  })

  test('whose header names another algorithm than its key has', async () => {
    const [, claims = '', signature = ''] = token.split('.')
    for (const alg of ['ML-DSA-65', 'ML-DSA-87', 'ML-DSA', 'ml-dsa-44', 'EdDSA', 'HS256', 'none']) {
      const header = part({ ...decodeProtectedHeader(token), alg })
      await assertRefused(`${header}.${claims}.${signature}`)
    }
  })

  test('HS256 with the public key as its secret', async () => {
    const jwk = await keyOf(token)
    const pub = String(jwk.pub)
    const header = { ...decodeProtectedHeader(token), alg: 'HS256' }
    for (const secret of [pub, Buffer.from(pub, 'base64url'), JSON.stringify(jwk)]) {
      const text = `${part(header)}.${part(decodeJwt(token))}`
      const tag = createHmac('sha256', secret).update(text).digest('base64url')
      await assertRefused(`${text}.${tag}`)
    }
  })

  test('with a signature cut short, lengthened, or with another bit', async () => {
    const [header = '', claims = '', signature = ''] = token.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(100) ^ 1, 100)
    const others = [
      bytes.subarray(0, -1),
      Buffer.concat([bytes, Buffer.alloc(1)]),
      Buffer.concat([bytes, Buffer.alloc(4627 - bytes.length)]),
      Buffer.alloc(bytes.length),
      flipped,
      Buffer.alloc(0),
    ]
    for (const one of others) {
      await assertRefused(`${header}.${claims}.${one.toString('base64url')}`)
    }
    await assertRefused(`${header}.${part({ ...decodeJwt(token), scope: 'orders' })}.${signature}`)
  })

  test('an ID token under ML-DSA is none', async () => {
    await assertRefused(idToken)
  })
})

describe('a request object', () => {
  let keys: KeyPair
  let signing: Registered
  before(async () => {
    keys = await newKeys('ML-DSA-65', 'k-1')
    signing = await register(service, { jwks: keySetOf(keys) })
  })

  const outcomeOf = async (request: string, of = signing) => {
    const browser = new Browser(service)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    const outside = { response_type: 'code', redirect_uri: of.redirectUri }
    let page = await browser.go(authorizePath({ client_id: of.id, request, ...outside }))
    if (page.url.includes('/consent')) page = await browser.submit(page, { decision: 'allow' })
    const { error, error_description: said } = answerOf(page)
    return [error, said]
  }

  const typed = { typ: 'oauth-authz-req+jwt' }
  const unsigned = [
    'invalid_request_object',
    'no registered key of the client signed the request object',
  ]

  test('the true one is taken', async () => {
    const request = await sign(objectClaims(service, signing), keys, typed)
    assert.deepEqual(await outcomeOf(request), [undefined, undefined])
  })

  test('under a key of another parameter set, with the kid of the client', async () => {
    for (const algorithm of ['ML-DSA-44', 'ML-DSA-87']) {
      const own = await newKeys(algorithm, 'k-1')
      const request = await sign(objectClaims(service, signing), own, typed)
      assert.deepEqual(await outcomeOf(request), unsigned)
    }
    for (const name of ['ML-DSA-44', 'ML-DSA-87'] as const) {
      const header = { ...typed, alg: 'ML-DSA-65', kid: 'k-1' }
      const request = forge(header, objectClaims(service, signing), ownKey(name))
      assert.deepEqual(await outcomeOf(request), unsigned)
    }
  })

  test('under another algorithm than the registered one', async () => {
    const own = await newKeys('ML-DSA-44', 'k-44')
    const strict = await register(service, {
      jwks: keySetOf(keys, own),
      request_object_signing_alg: 'ML-DSA-65',
    })
    const claims = objectClaims(service, strict)
    assert.deepEqual(await outcomeOf(await sign(claims, own, typed), strict), [
      'invalid_request_object',
      'the request object has to be signed with ML-DSA-65',
    ])
    assert.deepEqual(await outcomeOf(await sign(claims, keys, typed), strict), [
      undefined,
      undefined,
    ])
  })

  test('a key that claims another parameter set is no key', async () => {
    const { publicKey } = await newKeys('ML-DSA-44', 'k-1')
    const json = {
      redirect_uris: ['https://app.example/cb'],
      jwks: { keys: [{ ...publicKey, alg: 'ML-DSA-65' }] },
    }
    assert.equal((await service.ask('/register', { json })).status, 400)
  })
})

describe('an ID token as a hint', () => {
  test('under a key of another parameter set, or changed, names nobody', async () => {
    const header = decodeProtectedHeader(idToken)
    const claims = decodeJwt(idToken)
    const [, said = '', signature = ''] = idToken.split('.')
    const forged = [
      ...names.map((name) => forge({ ...header, alg: name }, claims, ownKey(name))),
      ...names.map((name) => forge(header, claims, ownKey(name))),
      `${part({ ...header, kid: decodeProtectedHeader(token).kid })}.${said}.${signature}`,
      `${part(header)}.${part({ ...claims, sub: 'bob' })}.${signature}`,
      `${part(header)}.${said}.${signature}AA`,
    ]
    for (const id_token_hint of forged) {
      const asked = { client_id: client.id, redirect_uri: client.redirectUri, id_token_hint }
      const browser = new Browser(service)
      await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
      const request = { ...asked, response_type: 'code', scope: 'openid', nonce: 'n' }
      const page = await browser.ask(authorizePath(request))
      assert.equal(answerOf(page).error, 'invalid_request')
    }
  })
})
