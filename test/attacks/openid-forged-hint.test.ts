/**
 * Forged ID tokens as `id_token_hint` (RFC 8725 sections 2.1 and 3.1): without a signature, under a key
 * of the attacker, or under the public key as a secret.
 */
import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { answerOf } from '../support/browser.ts'
import {
  isLoggedIn,
  type LoggedIn,
  type LoggedInClient,
  logInAt,
  logoutPath,
  registerClient,
} from '../support/logout.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

let client: LoggedInClient
let alice: LoggedIn
/** The key that signed alice's ID token, as everybody can read it. */
let jwk: Readonly<Record<string, string>>

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const partsOf = (token: string) => {
  const [head = '', body = '', signature = ''] = token.split('.')
  const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
  return { header: read(head), claims: read(body), head, body, signature }
}

const service = startBefore(start, async () => {
  client = await registerClient(service)
  alice = await logInAt(service, client)
  const { keys } = (await service.ask('/jwks')).body
  const { header } = partsOf(alice.idToken)
  jwk = keys.find((key: Readonly<Record<string, string>>) => key.kid === header.kid)
})

const hmac = (text: string, secret: string | Buffer): string =>
  createHmac('sha256', secret).update(text).digest('base64url')

/** The attacker's own key pair. */
const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ownJwk = own.publicKey.export({ format: 'jwk' })
const ownSignature = (text: string): string =>
  sign('sha256', Buffer.from(text), own.privateKey).toString('base64url')

const withHeader = (members: object, seal: (text: string) => string): string => {
  const { header, body } = partsOf(alice.idToken)
  const text = `${encoded({ ...header, ...members })}.${body}`
  return `${text}.${seal(text)}`
}

const publicPem = (type: 'spki' | 'pkcs1'): string =>
  createPublicKey({ key: jwk, format: 'jwk' }).export({ type, format: 'pem' }).toString()

const publicSecrets: Readonly<Record<string, () => string | Buffer>> = {
  'the JWK': () => JSON.stringify(jwk),
  'the PEM': () => publicPem('spki'),
  'the PEM without its last line break': () => publicPem('spki').trimEnd(),
  'the PEM of PKCS #1': () => publicPem('pkcs1'),
  'the modulus': () => Buffer.from(jwk.n ?? '', 'base64url'),
  'an empty text': () => '',
  "the client's secret": () => client.secret,
}

const forgeries: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    ['none', 'None', 'NONE', 'nOnE', ''].map((alg) => [
      `alg "${alg}" without a signature`,
      () => withHeader({ alg }, () => ''),
    ]),
  ),
  'alg none with the real signature': () =>
    withHeader({ alg: 'none' }, () => partsOf(alice.idToken).signature),
  ...Object.fromEntries(
    Object.entries(publicSecrets).map(([what, secret]) => [
      `HS256 with ${what} as its secret`,
      () => withHeader({ alg: 'HS256' }, (text) => hmac(text, secret())),
    ]),
  ),
  "the attacker's key under the real kid": () => withHeader({}, ownSignature),
  "the attacker's key in jwk": () => withHeader({ jwk: ownJwk }, ownSignature),
  "the attacker's key in jwk, without a kid": () =>
    withHeader({ jwk: ownJwk, kid: undefined }, ownSignature),
  "the attacker's key at jku": () =>
    withHeader({ jku: 'https://attacker.example/jwks' }, ownSignature),
  'a kid that is a path': () => withHeader({ kid: '../../dev/null' }, (text) => hmac(text, '')),
  'the real signature under another algorithm': () =>
    withHeader({ alg: 'ES256' }, () => partsOf(alice.idToken).signature),
  'another header over the real signature': () =>
    withHeader({ crit: ['exp'] }, () => partsOf(alice.idToken).signature),
  'changed claims over the real signature': () => {
    const { head, claims, signature } = partsOf(alice.idToken)
    return [head, encoded({ ...claims, exp: claims.exp + 1 }), signature].join('.')
  },
  'no signature part': () => alice.idToken.slice(0, alice.idToken.lastIndexOf('.')),
  'an empty signature': () => alice.idToken.slice(0, alice.idToken.lastIndexOf('.') + 1),
  'a fourth part': () => `${alice.idToken}.`,
}

const silentAnswer = async (hint: string) => {
  const request = { ...codeRequest, client_id: client.clientId, scope: 'openid' }
  const path = authorizePath({ ...request, prompt: 'none', id_token_hint: hint })
  return answerOf(await alice.browser.ask(path))
}

describe('a forged id_token_hint', () => {
  for (const [what, forge] of Object.entries(forgeries)) {
    test(`${what}: /authorize refuses it, and /logout asks first`, async () => {
      const hint = forge()
      const { code, error } = await silentAnswer(hint)
      assert.deepEqual([code, error], [undefined, 'invalid_request'])
      const page = await alice.browser.ask(logoutPath({ id_token_hint: hint }))
      assert.equal(page.status, 200)
      assert.equal(await isLoggedIn(alice.browser), true)
    })
  }

  test('the real one does its work at both', async () => {
    assert.match((await silentAnswer(alice.idToken)).code ?? '', /^lk_ac_/)
    await alice.browser.ask(logoutPath({ id_token_hint: alice.idToken }))
    assert.equal(await isLoggedIn(alice.browser), false)
  })
})
