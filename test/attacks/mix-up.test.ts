/**
 * Mix-up (RFC 9207, RFC 9700 section 4.4): a client of several servers learns which one answered.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { askFor, assertOnPage, sentTo } from '../support/authorization.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { callback, codeRequest, obtainCode, obtainTokens, walk } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'
import { assertRefused, introspect, redeem, refresh, use } from '../support/tokens.ts'
import { deadCode, deadRefreshToken } from '../support/told.ts'

/** Two whole services; the demo's clients have the same names and secrets at both. */
let honest: Started
let attacker: Started
before(async () => {
  ;[honest, attacker] = await Promise.all([
    start({ issuer: 'http://127.0.0.1:6749' }),
    start({ issuer: 'http://127.0.0.1:6751' }),
  ])
})
after(async () => {
  await honest.close()
  await attacker.close()
})

const client: oauth.Client = { client_id: 'photo-printer' }

/** A server as the client knows it, out of its metadata. */
const discover = async (service: Started): Promise<oauth.AuthorizationServer> => {
  const { body } = await service.ask('/.well-known/oauth-authorization-server')
  return body
}

const locationOf = async (service: Started, changes = {}): Promise<URL> => {
  const page = await walk(service, { ...codeRequest, ...changes })
  return new URL(page.headers.get('location') ?? '')
}

describe('the client sees whose answer it is', () => {
  test('A-15: a code of the one is not taken for one of the other', async () => {
    const location = await locationOf(honest)
    const right = oauth.validateAuthResponse(await discover(honest), client, location, 'xyz')
    assert.match(right.get('code') ?? '', /^lk_ac_/)
    const wrong = await discover(attacker)
    assert.throws(() => oauth.validateAuthResponse(wrong, client, location, 'xyz'), /"iss"/)
  })

  test('A-15: nor is an error', async () => {
    const location = await locationOf(honest, { scope: 'attic' })
    const wrong = await discover(attacker)
    assert.throws(() => oauth.validateAuthResponse(wrong, client, location, 'xyz'), /"iss"/)
    const own = await discover(honest)
    assert.throws(
      () => oauth.validateAuthResponse(own, client, location, 'xyz'),
      oauth.AuthorizationResponseError,
    )
  })

  test('an answer that was stripped of its iss is missed it, for the metadata promise one', async () => {
    const location = await locationOf(honest)
    location.searchParams.delete('iss')
    const own = await discover(honest)
    assert.throws(() => oauth.validateAuthResponse(own, client, location, 'xyz'), /"iss"/)
  })

  test('a request cannot choose the iss, nor add a second one', async () => {
    const changes = { iss: attacker.issuer, state: `xyz&iss=${attacker.issuer}` }
    for (const scope of ['photos', 'attic']) {
      const page = await walk(honest, { ...codeRequest, ...changes, scope })
      const answer = sentTo(page, `${callback}?`)
      assert.deepEqual([answer.iss, answer.state], [honest.issuer, changes.state])
    }
  })
})

describe('what the one issued is nothing to the other', () => {
  test('a code', async () => {
    const code = await obtainCode(honest)
    assertRefused(await redeem(attacker, code), 'invalid_grant', deadCode)
    assert.equal((await redeem(honest, code)).status, 200)
  })

  test('an access token', async () => {
    const { access_token } = await obtainTokens(honest)
    assert.deepEqual(
      [await use(attacker, access_token), await use(honest, access_token)],
      [401, 200],
    )
    assert.deepEqual(await introspect(attacker, access_token), { active: false })
    await attacker.post('/revoke', { token: access_token }, photoPrinter)
    assert.equal(await use(honest, access_token), 200)
  })

  test('a refresh token', async () => {
    const { refresh_token } = await obtainTokens(honest)
    assertRefused(await refresh(attacker, refresh_token), 'invalid_grant', deadRefreshToken)
    assert.equal((await refresh(honest, refresh_token)).status, 200)
  })

  test('a page on the way', async () => {
    const login = await askFor(honest)
    const path = login.headers.get('location') ?? ''
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    assert.equal((await honest.ask(path, { headers: { cookie } })).status, 200)
    assertOnPage(
      await attacker.ask(path, { headers: { cookie } }),
      'it belongs to another browser, was changed, or cookies are off',
    )
  })
})
