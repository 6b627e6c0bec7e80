/**
 * Codes and ID tokens in the wrong hands (OpenID Connect Core sections 15.5.2 and 16.11): each names its
 * own client, nonce and access token, so that a client sees a substitution.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { photoPrinter } from '../support/demo-clients.ts'
import { registerClient } from '../support/logout.ts'
import { codeRequest, obtainCode } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { assertRefused, redeem, refresh } from '../support/tokens.ts'
import { deadCode, deadRefreshToken } from '../support/told.ts'

/** The attacker's own client, with a secret. */
let attacker: readonly [string, string]

const service = startBefore(start, async () => {
  const { clientId, secret } = await registerClient(service)
  attacker = [clientId, secret]
})

const codeFor = (nonce: string, client: readonly [string, string] = photoPrinter) =>
  obtainCode(service, { ...codeRequest, client_id: client[0], scope: 'openid', nonce })

describe('a stolen code', () => {
  test('earns another client no ID token', async () => {
    const code = await codeFor('n-1')
    const { text, ...answer } = await redeem(service, code, attacker)
    assertRefused({ ...answer, text }, 'invalid_grant', deadCode)
    assert.equal(answer.body.id_token, undefined)
  })

  test('brings the nonce of its own login into the session of the attacker', async () => {
    const [victim, own] = [await codeFor('of-the-victim'), await codeFor('of-the-attacker')]
    assert.equal(decodeJwt((await redeem(service, victim)).body.id_token).nonce, 'of-the-victim')
    assert.equal(decodeJwt((await redeem(service, own)).body.id_token).nonce, 'of-the-attacker')
  })

  test('gets no other nonce at the token endpoint', async () => {
    const form = { grant_type: 'authorization_code', redirect_uri: codeRequest.redirect_uri ?? '' }
    const further = { code: await codeFor('n-1'), nonce: 'n-2' }
    const { body } = await service.post('/token', { ...form, ...further }, photoPrinter)
    assert.equal(decodeJwt(body.id_token).nonce, 'n-1')
  })

  test('earns no second ID token, and ends the tokens of the first', async () => {
    const code = await codeFor('n-1')
    const { body } = await redeem(service, code)
    const again = await redeem(service, code)
    assertRefused(again, 'invalid_grant', deadCode)
    assertRefused(await refresh(service, body.refresh_token), 'invalid_grant', deadRefreshToken)
  })
})

describe('a substituted token', () => {
  test('an ID token names one client alone', async () => {
    const { body } = await redeem(service, await codeFor('n-1'))
    const { aud, azp } = decodeJwt(body.id_token)
    assert.deepEqual([aud, azp], [photoPrinter[0], photoPrinter[0]])
    const other = await redeem(service, await codeFor('n-1', attacker), attacker)
    assert.equal(decodeJwt(other.body.id_token).aud, attacker[0])
  })

  test('an ID token does not fit the access token of another login', async () => {
    const [one, other] = [
      (await redeem(service, await codeFor('n-1'))).body,
      (await redeem(service, await codeFor('n-1'))).body,
    ]
    const half = (token: string) =>
      createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')
    const { at_hash: bound } = decodeJwt(one.id_token)
    assert.equal(bound, half(one.access_token))
    assert.notEqual(bound, half(other.access_token))
  })

  test('a nonce is not repeated by a refresh', async () => {
    const { body } = await redeem(service, await codeFor('n-1'))
    const refreshed = await refresh(service, body.refresh_token)
    assert.equal(decodeJwt(refreshed.body.id_token).nonce, undefined)
  })
})
