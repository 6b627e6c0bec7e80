/** JWT access tokens (RFC 9068): their claims, and what ends them at this service. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import { bearer, type Operator, operatorOf } from '../flows/operator.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { invoices, obtainFor, orders, startWithJwts } from '../support/elsewhere.ts'
import { codeRequest, obtainCode } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { introspect, redeem, refresh } from '../support/tokens.ts'

let operator: Operator
const service = startBefore(startWithJwts, async () => {
  operator = await operatorOf(service)
})

const verified = async (token: string, audience = orders) =>
  jwtVerify(token, createLocalJWKSet((await service.ask('/jwks')).body), {
    issuer: service.issuer,
    audience,
    currentDate: new Date(service.now() * 1000),
  })

const obtain = (scope: string) => obtainFor(service, scope, [])

const machine = async (scope: string) =>
  (await service.post('/token', { grant_type: 'client_credentials', scope }, nightlyReport)).body

/** Without what is new in each token. */
const withoutIds = ({ jti, lk_seal, lk_authorization, ...claims }: JWTPayload) => claims

describe('section 2: the claims', () => {
  test("of an owner's token", async () => {
    const at = service.now()
    const { access_token, scope } = await obtain('orders:read')
    assert.equal(scope, 'orders:read')
    const { protectedHeader, payload } = await verified(access_token)
    assert.deepEqual([protectedHeader.typ, protectedHeader.alg], ['at+jwt', 'RS256'])
    const told = await introspect(service, access_token)
    assert.deepEqual(withoutIds(payload), {
      iss: service.issuer,
      sub: told.sub,
      aud: orders,
      exp: at + 3600,
      iat: at,
      client_id: 'photo-printer',
      scope: 'orders:read',
      auth_time: at,
      acr: '1',
      amr: ['pwd'],
    })
    assert.equal(payload.jti, told.jti)
  })

  test('of a token of the client itself: its id is the subject', async () => {
    const at = service.now()
    const { payload } = await verified((await machine('orders:read')).access_token)
    assert.deepEqual(withoutIds(payload), {
      iss: service.issuer,
      sub: nightlyReport[0],
      aud: orders,
      exp: at + 3600,
      iat: at,
      client_id: nightlyReport[0],
      scope: 'orders:read',
    })
  })

  test('nothing personal is in it', async () => {
    const { access_token } = await obtain('openid profile email address phone orders:read')
    assert.doesNotMatch(JSON.stringify(decodeJwt(access_token)), /alice/i)
  })
})

describe('section 3: the audience follows from the request', () => {
  test('several JWT resources are one token', async () => {
    const { access_token } = await obtain('invoices:read orders:read')
    assert.deepEqual(decodeJwt(access_token).aud, [invoices, orders])
  })

  test('a word adds /userinfo, and the token works there', async () => {
    const { access_token } = await obtain('openid orders:read')
    assert.deepEqual(decodeJwt(access_token).aud, [`${service.issuer}/userinfo`, orders])
    const { status } = await service.ask('/userinfo', bearer(access_token))
    assert.equal(status, 200)
  })

  test('resource narrows it', async () => {
    const narrowed = await obtainFor(
      service,
      'invoices:read orders:read',
      [invoices, orders],
      orders,
    )
    const { aud, scope } = decodeJwt(narrowed.access_token)
    assert.deepEqual([aud, scope], [orders, 'orders:read'])
  })

  for (const scope of [
    'tools:read',
    'openid',
    'tools:read orders:read',
    'photos:read orders:read',
  ]) {
    test(`a token for ${scope} is opaque`, async () => {
      assert.match((await obtain(scope)).access_token, /^lk_at_/)
    })
  }

  test('the JWT of one API is refused by another', async () => {
    const { access_token } = await obtain('orders:read')
    await assert.rejects(verified(access_token, invoices), {
      code: 'ERR_JWT_CLAIM_VALIDATION_FAILED',
    })
    assert.equal((await service.ask('/api/photos', bearer(access_token))).status, 403)
    assert.deepEqual(await introspect(service, access_token, houseApp), { active: false })
  })
})

describe('section 2.2: a JWT always ends', () => {
  const lasting = async (seconds: number | null) => {
    await operator('PATCH', 'clients/photo-printer', { access_token_seconds: seconds })
    const code = await obtainCode(service, { ...codeRequest, scope: 'orders:read' })
    const { body } = await redeem(service, code)
    const { exp = 0, iat = 0 } = decodeJwt(body.access_token)
    return [body.expires_in, exp - iat]
  }

  test('after an hour where its client sets no end', async () => {
    assert.deepEqual(await lasting(null), [3600, 3600])
  })

  test('after a day at the latest', async () => {
    assert.deepEqual(await lasting(30 * 24 * 3600), [24 * 3600, 24 * 3600])
  })

  test('as soon as its client says', async () => {
    assert.deepEqual(await lasting(60), [60, 60])
    // The clocks of nodes differ, so a shorter lifetime counts for a moment longer.
    await service.advance(60)
    assert.deepEqual(await lasting(3600), [3600, 3600])
  })

  test('with the login session that its approval is for', async () => {
    const request = { ...codeRequest, scope: 'orders:read', prompt: 'consent' }
    await operator('PATCH', 'clients/photo-printer', { access_token_seconds: 24 * 3600 })
    const code = await obtainCode(service, request, { duration: 'session' })
    const login = service.now()
    await service.advance(30)
    const { exp } = decodeJwt((await redeem(service, code)).body.access_token)
    assert.equal(exp, login + 12 * 3600)
    await operator('PATCH', 'clients/photo-printer', { access_token_seconds: 3600 })
  })
})

describe('section 4: at this service a JWT is a token like any other', () => {
  test('it can be revoked by its client', async () => {
    const { access_token } = await obtain('orders:read')
    assert.equal((await introspect(service, access_token, nightlyReport)).active, true)
    const { status } = await service.post('/revoke', { token: access_token }, photoPrinter)
    assert.equal(status, 200)
    assert.deepEqual(await introspect(service, access_token, nightlyReport), { active: false })
  })

  test('a refresh brings another one, and a replayed refresh token ends both', async () => {
    const first = await obtain('orders:read')
    const { body: second } = await refresh(service, first.refresh_token)
    assert.notEqual(decodeJwt(second.access_token).jti, decodeJwt(first.access_token).jti)
    await service.advance(3)
    await refresh(service, second.refresh_token)
    await refresh(service, first.refresh_token)
    assert.deepEqual(await introspect(service, second.access_token), { active: false })
  })

  test('a new secret ends the JWTs of the client itself', async () => {
    const { body: made } = await operator('POST', 'clients', {
      grant_types: ['client_credentials'],
      scope: 'orders:read',
    })
    const client = [made.client_id, made.client_secret] as const
    const { body } = await service.post('/token', { grant_type: 'client_credentials' }, client)
    assert.equal((await introspect(service, body.access_token, nightlyReport)).active, true)
    await operator('POST', `clients/${made.client_id}/rotate-secret`)
    assert.deepEqual(await introspect(service, body.access_token, nightlyReport), { active: false })
  })

  test('a permission that the owner takes back is gone', async () => {
    const { access_token } = await obtain('orders')
    const code = { ...codeRequest, scope: 'orders', prompt: 'consent' }
    await obtainCode(service, code, { permission: 'orders:read' })
    assert.equal((await introspect(service, access_token, nightlyReport)).scope, 'orders:read')
  })
})
