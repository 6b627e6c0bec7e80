/** JWTs under the keys of the service: a key is imported once, and a known JWT is not checked again. */
import assert from 'node:assert/strict'
import crypto, { generateKeyPairSync } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { describe, type TestContext, test } from 'node:test'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import {
  openOwnPublicKey,
  openPrivateKey,
  signJwt,
  verifyOwnJwt,
} from '../../../src/crypto/own-jws.ts'
import { signingAlgorithms } from '../../../src/model/key.ts'
import { type Operator, operatorOf } from '../../flows/operator.ts'
import { obtainFor, orders, startWithJwts } from '../../support/elsewhere.ts'
import { startBefore } from '../../support/start.ts'
import { introspect } from '../../support/tokens.ts'

type Counted = 'verify' | 'createPublicKey' | 'sign'

/** Counts the calls of a function of `node:crypto`, wherever it was imported. */
const count = (t: TestContext, name: Counted) => {
  const counted = t.mock.method(crypto, name)
  syncBuiltinESMExports()
  t.after(() => {
    counted.mock.restore()
    syncBuiltinESMExports()
  })
  return counted.mock
}

let operator: Operator
const service = startBefore(startWithJwts, async () => {
  operator = await operatorOf(service)
})

const obtain = async (): Promise<string> =>
  (await obtainFor(service, 'orders:read', orders)).access_token

describe('introspection of a JWT', () => {
  test('checks its signature once', async (t) => {
    const token = await obtain()
    const checks = count(t, 'verify')
    for (let i = 0; i < 3; i++) assert.equal((await introspect(service, token)).active, true)
    assert.equal(checks.callCount(), 1)
  })

  test('imports the key once for all JWTs', async (t) => {
    assert.equal((await introspect(service, await obtain())).active, true)
    const imports = count(t, 'createPublicKey')
    assert.equal((await introspect(service, await obtain())).active, true)
    assert.equal(imports.callCount(), 0)
  })

  test('a forged JWT is checked each time, and a known one has one spelling', async (t) => {
    const token = await obtain()
    await introspect(service, token)
    const forged = `${token.slice(0, -8)}AAAAAAAA`
    const checks = count(t, 'verify')
    for (let i = 0; i < 2; i++)
      assert.deepEqual(await introspect(service, forged), { active: false })
    assert.equal(checks.callCount(), 2)
    for (const spelling of [`${token}=`, `${token}!`, token.replace(/.$/, (one) => `\n${one}`)]) {
      assert.deepEqual(await introspect(service, spelling), { active: false })
    }
  })

  test('a known JWT ends with its key', async () => {
    const token = await obtain()
    assert.equal((await introspect(service, token)).active, true)
    const { kid = '' } = decodeProtectedHeader(token)
    const { status } = await operator('DELETE', `keys/${kid}`)
    assert.equal(status, 200)
    await service.advance(5)
    assert.deepEqual(await introspect(service, token), { active: false })
  })
})

test('a signature is made on the thread pool', async (t) => {
  const signs = count(t, 'sign')
  await obtain()
  assert.equal(signs.callCount(), 1)
  assert.equal(typeof signs.calls[0]?.arguments.at(-1), 'function')
})

const pairs = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  'ML-DSA-44': () => generateKeyPairSync('ml-dsa-44'),
  'ML-DSA-65': () => generateKeyPairSync('ml-dsa-65'),
  'ML-DSA-87': () => generateKeyPairSync('ml-dsa-87'),
} as const

for (const algorithm of signingAlgorithms) {
  test(`${algorithm}: others can check it, and other bits are refused`, async () => {
    const { privateKey, publicKey } = pairs[algorithm]()
    const jwk = publicKey.export({ format: 'jwk' }) as Record<string, string>
    const key = openPrivateKey(Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    const claims = { sub: 'alice' }
    const text = await signJwt(claims, { alg: algorithm, kid: 'one', typ: 'JWT' }, key)
    const { payload } = await jwtVerify(text, await importJWK(jwk, algorithm))
    assert.deepEqual(payload, claims)
    const own = openOwnPublicKey(jwk)
    assert.deepEqual(verifyOwnJwt(text, own, algorithm), claims)
    const [head = '', , tag = ''] = text.split('.')
    const other = Buffer.from('{"sub":"bob"}').toString('base64url')
    assert.equal(verifyOwnJwt(`${head}.${other}.${tag}`, own, algorithm), null)
  })
}
