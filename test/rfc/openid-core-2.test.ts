/** ID tokens (OpenID Connect Core sections 2, 3.1.3 and 12): their claims and their signature. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { callback, codeRequest, obtainCode } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'

const printer = ['photo-printer', 'photo-printer-secret'] as const

const started = startBefore()

const request = { ...codeRequest, scope: 'openid photos:read', nonce: 'n-1' }

const tokensFor = async (parameters: Readonly<Record<string, string>>) => {
  const code = await obtainCode(started, parameters)
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return (await started.post('/token', form, printer)).body
}

const refreshed = async (refreshToken: string) => {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  return (await started.post('/token', form, printer)).body
}

const verified = async (idToken: string) => {
  const keys = createLocalJWKSet((await started.ask('/jwks')).body)
  return jwtVerify(idToken, keys, {
    issuer: started.issuer,
    audience: 'photo-printer',
    currentDate: new Date(started.now() * 1000),
  })
}

const leftHalf = (text: string): string => {
  const hash = createHash('sha256').update(text).digest()
  return hash.subarray(0, 16).toString('base64url')
}

describe('section 3.1.3.3: a code with openid earns an ID token', () => {
  test('all of its claims', async () => {
    const { id_token: idToken, access_token: accessToken } = await tokensFor(request)
    const { payload, protectedHeader } = await verified(idToken)
    const { sub, sid, ...claims } = payload
    assert.equal(protectedHeader.alg, 'RS256')
    assert.match(String(sub), /^[0-9a-z]{26}$/)
    assert.match(String(sid), /^[\w-]{22}$/)
    assert.deepEqual(claims, {
      iss: started.issuer,
      aud: 'photo-printer',
      azp: 'photo-printer',
      iat: started.now(),
      exp: started.now() + 3600,
      auth_time: started.now(),
      acr: '1',
      amr: ['pwd'],
      nonce: 'n-1',
      at_hash: leftHalf(accessToken),
    })
  })

  test('the subject is the one of /userinfo (section 5.3.2)', async () => {
    const { id_token: idToken, access_token: accessToken } = await tokensFor(request)
    const { payload } = await verified(idToken)
    const headers = { authorization: `Bearer ${accessToken}` }
    assert.equal((await started.ask('/userinfo', { headers })).body.sub, payload.sub)
  })

  test('none without openid', async () => {
    const { id_token: idToken } = await tokensFor({ ...codeRequest, scope: 'profile photos:read' })
    assert.equal(idToken, undefined)
  })
})

describe('section 12.2: a refresh brings a new one', () => {
  test('without nonce, about the same login', async () => {
    const { id_token: first, refresh_token: refreshToken } = await tokensFor(request)
    const before = (await verified(first)).payload
    await started.advance(60)
    const { id_token: second, access_token: accessToken } = await refreshed(refreshToken)
    const { payload } = await verified(second)
    const { nonce: _, ...others } = before
    assert.deepEqual(payload, {
      ...others,
      iat: Number(before.iat) + 60,
      exp: Number(before.exp) + 60,
      at_hash: leftHalf(accessToken),
    })
  })

  test('none where its scope has no openid any more', async () => {
    const { refresh_token: refreshToken } = await tokensFor(request)
    const form = {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      scope: 'photos:read',
    }
    assert.equal((await started.post('/token', form, printer)).body.id_token, undefined)
  })
})

describe('section 2: the algorithm is that of the registration', () => {
  const register = (json: object) =>
    started.ask('/register', { json: { redirect_uris: [callback], ...json } })

  const lattices = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87']

  for (const algorithm of ['RS256', 'ES256', 'EdDSA', 'Ed25519', ...lattices]) {
    test(algorithm, async () => {
      const { body } = await register({ id_token_signed_response_alg: algorithm })
      assert.equal(body.id_token_signed_response_alg, algorithm)
      const code = await obtainCode(started, { ...request, client_id: body.client_id })
      const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
      const answer = await started.post('/token', form, [body.client_id, body.client_secret])
      const idToken = answer.body.id_token
      assert.equal(decodeProtectedHeader(idToken).alg, algorithm)
      const keys = createLocalJWKSet((await started.ask('/jwks')).body)
      const currentDate = new Date(started.now() * 1000)
      await jwtVerify(idToken, keys, { audience: body.client_id, currentDate })
    })
  }

  for (const algorithm of ['none', 'HS256', 'PS256', 'rs256', 'ML-DSA', 'ml-dsa-44', '']) {
    test(`"${algorithm}" is refused`, async () => {
      const { status, body } = await register({ id_token_signed_response_alg: algorithm })
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_client_metadata')
      assert.match(body.error_description, /id_token_signed_response_alg .*RS256, ES256, EdDSA/)
    })
  }
})

describe('section 10.1: the keys', () => {
  test('have no private half, and are those that the metadata points to', async () => {
    const { keys } = (await started.ask('/jwks')).body
    const members = keys.map((key: object) => Object.keys(key).toSorted().join(' '))
    assert.deepEqual(members.toSorted(), [
      'alg crv kid kty use x y',
      'alg e kid kty n use',
      ...Array(3).fill('alg kid kty pub use'),
      'crv kid kty use x',
    ])
    const { body } = await started.ask('/.well-known/openid-configuration')
    assert.equal(body.jwks_uri, `${started.issuer}/jwks`)
    assert.deepEqual(body.id_token_signing_alg_values_supported, [
      'RS256',
      'ES256',
      'EdDSA',
      'Ed25519',
      'ML-DSA-44',
      'ML-DSA-65',
      'ML-DSA-87',
    ])
  })

  test('are the same after a restart', async () => {
    const before = (await started.ask('/jwks')).text
    await started.restart()
    assert.equal((await started.ask('/jwks')).text, before)
  })
})
