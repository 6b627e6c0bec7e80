/** Introspection as a signed JWT (RFC 9701). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { obtainFor, orders, startWithJwts } from '../support/elsewhere.ts'
import { basic, startBefore } from '../support/start.ts'
import { introspect } from '../support/tokens.ts'

const service = startBefore(startWithJwts)

const type = 'application/token-introspection+jwt'

const ask = (token: string, client: readonly [string, string], accept = type) =>
  service.ask('/introspect', {
    form: { token },
    headers: { authorization: basic(client), accept },
  })

const verified = async (jwt: string, audience: string) =>
  (
    await jwtVerify(jwt, createLocalJWKSet((await service.ask('/jwks')).body), {
      typ: 'token-introspection+jwt',
      audience,
      issuer: service.issuer,
      algorithms: ['RS256'],
    })
  ).payload

describe('section 5: the answer', () => {
  test('holds what the JSON holds, for the asking client', async () => {
    const { access_token: token } = await obtainFor(service, 'orders:read', orders)
    const answer = await ask(token, nightlyReport)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type])
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.deepEqual(await verified(answer.text, nightlyReport[0]), {
      iss: service.issuer,
      aud: nightlyReport[0],
      iat: service.now(),
      token_introspection: await introspect(service, token, nightlyReport),
    })
  })

  test('about a token for another API is that it is inactive', async () => {
    const { access_token: token } = await obtainFor(service, 'orders:read', orders)
    const { text } = await ask(token, houseApp)
    const { token_introspection: said } = await verified(text, houseApp[0])
    assert.deepEqual(said, { active: false })
  })

  test('is no access token', async () => {
    const { access_token: token } = await obtainFor(service, 'orders:read', orders)
    const { text } = await ask(token, nightlyReport)
    assert.deepEqual(await introspect(service, text, nightlyReport), { active: false })
  })
})

describe('section 4: the request', () => {
  test('without the type in Accept is answered with JSON', async () => {
    const { access_token: token } = await obtainFor(service, 'orders:read', orders)
    for (const accept of ['*/*', 'application/json', 'application/*', 'application/jwt']) {
      const answer = await ask(token, photoPrinter, accept)
      assert.equal(answer.headers.get('content-type'), 'application/json;charset=UTF-8')
      assert.equal(answer.body.active, true)
    }
  })

  test('may name it among others', async () => {
    const { access_token: token } = await obtainFor(service, 'orders:read', orders)
    const answer = await ask(token, photoPrinter, `application/json;q=0.5, ${type};q=1`)
    assert.equal(answer.headers.get('content-type'), type)
  })
})
