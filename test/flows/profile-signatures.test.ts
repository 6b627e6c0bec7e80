/** Under `fapi-2.0` the service signs nothing by RS256, though that is the default of OpenID Connect and RFC 9068. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { provenBy } from '../support/assertions.ts'
import { Browser } from '../support/browser.ts'
import { type KeyPair, keySetOf, newKeys } from '../support/client-keys.ts'
import { askProven, makeProver, type Prover } from '../support/dpop.ts'
import { orders, startWithJwts } from '../support/elsewhere.ts'
import { challenge, verifier } from '../support/gallery.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const algorithmOf = (jwt: string): string | undefined => decodeProtectedHeader(jwt).alg

describe('fapi-2.0: signed by ES256, where RS256 is the default or was chosen', () => {
  let keys: KeyPair
  let prover: Prover
  let id: string
  let nonce: string
  const service = startBefore(
    () => startWithJwts({ profile: 'fapi-2.0' }),
    async () => {
      keys = await newKeys('ES256', 'k-1')
      prover = await makeProver(service.now)
      const { body } = await (await operatorOf(service))('POST', 'clients', {
        grant_types: ['authorization_code', 'client_credentials'],
        redirect_uris: [callback],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: keySetOf(keys),
        userinfo_signed_response_alg: 'RS256',
        scope: 'orders:read',
      })
      id = body.client_id
      nonce = (await proven('/token', own)).headers.get('dpop-nonce') ?? ''
    },
  )
  const own = { grant_type: 'client_credentials', scope: 'orders:read', resource: orders }

  const proven = async (path: string, form: Form, headers = {}) => {
    const dpop = await prover.prove('POST', service.issuer + path, { nonce })
    const assertion = await provenBy(service, id, keys)
    return service.ask(path, { form: { ...form, ...assertion }, headers: { dpop, ...headers } })
  }

  test('an access token that is a JWT', async () => {
    const { status, body } = await proven('/token', own)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(algorithmOf(body.access_token), 'ES256')
  })

  test('an answer of introspection', async () => {
    const { body } = await proven('/token', own)
    const accept = 'application/token-introspection+jwt'
    const answer = await proven('/introspect', { token: body.access_token }, { accept })
    assert.equal(answer.headers.get('content-type'), accept)
    assert.equal(algorithmOf(answer.text), 'ES256')
  })

  test('an answer of /userinfo', async () => {
    const request = { ...codeRequest, ...challenge, client_id: id, scope: 'openid' }
    const { body: pushed } = await proven('/par', request)
    const browser = new Browser(service)
    const login = await browser.go(
      authorizePath({ client_id: id, request_uri: pushed.request_uri }),
    )
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    const page = await browser.submit(consent, { decision: 'allow' })
    const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const { body: tokens } = await proven('/token', { ...form, code_verifier: verifier })
    assert.equal(algorithmOf(tokens.id_token), 'ES256')
    const claims = { nonce }
    const answer = await askProven(service, '/userinfo', tokens.access_token, prover, { claims })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(algorithmOf(answer.text), 'ES256')
  })
})
