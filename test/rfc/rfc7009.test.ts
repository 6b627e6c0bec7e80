/** RFC 7009: token revocation. Ours answers `{}` where the RFC leaves the body open (contract, section 3). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerOf } from '../support/browser.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { obtainCode, obtainTokens, walk } from '../support/printing.ts'
import { type Answer, startBefore } from '../support/start.ts'

const started = startBefore()

const invalidToken = [401, 'invalid_token']

/** What comes of using an access token. */
const used = async (token: string): Promise<unknown[]> => {
  const { status, body } = await started.ask('/api/photos', {
    headers: { authorization: `Bearer ${token}` },
  })
  return status === 200 ? [200] : [status, body.error]
}

const refreshed = async (token: string): Promise<unknown[]> => {
  const form = { grant_type: 'refresh_token', refresh_token: token }
  const { status, body } = await started.post('/token', form, photoPrinter)
  return status === 200 ? [200] : [status, body.error]
}

const assertRevoked = (answer: Answer): void => {
  assert.deepEqual([answer.status, answer.text], [200, '{}'])
  assert.equal(answer.headers.get('content-type'), 'application/json;charset=UTF-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('pragma'), 'no-cache')
}

const assertRefused = (answer: Answer, status: number, error: string, said: string): void => {
  assert.equal(answer.status, status)
  assert.deepEqual(answer.body, { error, error_description: said })
  assert.equal(answer.headers.get('cache-control'), 'no-store')
}

describe('section 2: a POST of a form', () => {
  test('RV-01: no other method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await started.ask('/revoke?token=x', { method })
      assertRefused(answer, 405, 'method_not_allowed', 'this path has no such method')
      assert.equal(answer.headers.get('allow'), 'POST, OPTIONS')
    }
  })

  test('RV-01: no other type of body, and nothing in the query', async () => {
    const tokens = await obtainTokens(started)
    const json = await started.ask('/revoke', { json: { token: tokens.access_token } })
    assert.deepEqual([json.status, json.body.error], [400, 'invalid_request'])
    const query = await started.post('/revoke?x=y', { token: tokens.access_token }, photoPrinter)
    assertRefused(query, 400, 'invalid_request', 'parameters belong in the body')
    assert.deepEqual(await used(tokens.access_token), [200])
  })
})

describe('section 2.1: who may revoke', () => {
  test('RV-01: a confidential client authenticates', async () => {
    const { access_token: token } = await obtainTokens(started)
    const forms = [{ token }, { token, client_id: 'photo-printer' }]
    for (const form of forms) {
      const answer = await started.post('/revoke', form)
      assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client'])
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic /)
    }
    const wrong = await started.post('/revoke', { token }, ['photo-printer', 'wrong'])
    assertRefused(wrong, 401, 'invalid_client', 'client authentication failed')
    assert.deepEqual(await used(token), [200])
  })

  test('RV-01: by Basic or in the body', async () => {
    const { access_token: token } = await obtainTokens(started)
    const form = { token, client_id: 'photo-printer', client_secret: 'photo-printer-secret' }
    assertRevoked(await started.post('/revoke', form))
    assert.deepEqual(await used(token), invalidToken)
  })

  test('RV-02: a public client says its name, and its token is dead', async () => {
    const request = {
      response_type: 'token',
      client_id: 'gallery',
      redirect_uri: 'http://127.0.0.1:6750/gallery',
    }
    const { access_token: token = '' } = answerOf(await walk(started, request))
    assert.deepEqual(await used(token), [200])
    assertRevoked(await started.post('/revoke', { token, client_id: 'gallery' }))
    assert.deepEqual(await used(token), invalidToken)
  })

  test("RV-03: another client's token is refused and stays alive", async () => {
    const tokens = await obtainTokens(started)
    const service = await started.post(
      '/token',
      { grant_type: 'client_credentials' },
      nightlyReport,
    )
    const rows = [
      [tokens.access_token, houseApp],
      [tokens.refresh_token, houseApp],
      [service.body.access_token, photoPrinter],
    ] as const
    for (const [token, client] of rows) {
      const answer = await started.post('/revoke', { token }, client)
      assertRefused(answer, 400, 'unauthorized_client', 'the token was issued to another client')
    }
    const stranger = { token: tokens.refresh_token, client_id: 'gallery' }
    assert.equal((await started.post('/revoke', stranger)).body.error, 'unauthorized_client')
    assert.deepEqual(await used(tokens.access_token), [200])
    assert.deepEqual(await used(service.body.access_token), [200])
    assert.deepEqual(await refreshed(tokens.refresh_token), [200])
  })
})

describe('section 2.1: the hint is only a hint', () => {
  const hints = ['refresh_token', 'access_token', 'foo', 'lk_at_']
  for (const token_type_hint of hints) {
    test(`RV-05: ${token_type_hint} finds either kind`, async () => {
      const first = await obtainTokens(started)
      const access = { token: first.access_token, token_type_hint }
      assertRevoked(await started.post('/revoke', access, photoPrinter))
      assert.deepEqual(await used(first.access_token), invalidToken)
      const refresh = { token: first.refresh_token, token_type_hint }
      assertRevoked(await started.post('/revoke', refresh, photoPrinter))
      assert.deepEqual(await refreshed(first.refresh_token), [400, 'invalid_grant'])
    })
  }
})

test('RV-06: a refresh token takes the access tokens of its family along', async () => {
  const first = await obtainTokens(started)
  const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
  const second = (await started.post('/token', form, photoPrinter)).body
  assert.deepEqual(await used(first.access_token), [200])
  assertRevoked(await started.post('/revoke', { token: second.refresh_token }, photoPrinter))
  assert.deepEqual(await used(first.access_token), invalidToken)
  assert.deepEqual(await used(second.access_token), invalidToken)
  assert.deepEqual(await refreshed(second.refresh_token), [400, 'invalid_grant'])
})

describe('section 2.2: what is not alive needs no revoking', () => {
  const unknown = ['x', 'lk_at_x', `lk_rt_${'A'.repeat(120)}`, 'lk_at_'.repeat(600), '☃']
  for (const token of unknown) {
    test(`RV-04: unknown: ${token.slice(0, 20)}`, async () => {
      assertRevoked(await started.post('/revoke', { token }, photoPrinter))
    })
  }

  test('RV-04: revoked already', async () => {
    const tokens = await obtainTokens(started)
    for (const token of [tokens.access_token, tokens.refresh_token, tokens.access_token]) {
      assertRevoked(await started.post('/revoke', { token }, photoPrinter))
      assertRevoked(await started.post('/revoke', { token }, photoPrinter))
    }
  })

  test('RV-04: expired', async () => {
    const tokens = await obtainTokens(started)
    await started.advance(3600)
    assertRevoked(await started.post('/revoke', { token: tokens.access_token }, photoPrinter))
    await started.advance(30 * 24 * 3600)
    assertRevoked(await started.post('/revoke', { token: tokens.refresh_token }, photoPrinter))
  })

  test('RV-04: a code is no token; it is neither revoked nor used up', async () => {
    const code = await obtainCode(started)
    assertRevoked(await started.post('/revoke', { token: code }, photoPrinter))
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'http://127.0.0.1:6750/callback',
    }
    assert.equal((await started.post('/token', form, photoPrinter)).status, 200)
  })
})

describe('section 2.2.1: what is malformed', () => {
  test('RV-08: no token, or an empty one', async () => {
    for (const form of [{}, { token: '' }]) {
      const answer = await started.post('/revoke', form, photoPrinter)
      assertRefused(answer, 400, 'invalid_request', 'parameter token is missing')
    }
  })

  test('RV-08: two tokens, of which neither is revoked', async () => {
    const tokens = await obtainTokens(started)
    const form = { token: [tokens.access_token, tokens.refresh_token] }
    const answer = await started.post('/revoke', form, photoPrinter)
    assertRefused(answer, 400, 'invalid_request', 'parameter token came more than once')
    assert.deepEqual(await used(tokens.access_token), [200])
    assert.deepEqual(await refreshed(tokens.refresh_token), [200])
  })
})

describe('section 2.3: pages of other origins', () => {
  test('RV-13: may revoke by CORS', async () => {
    const { access_token: token } = await obtainTokens(started)
    const headers = { origin: 'https://app.example' }
    const form = { token, client_id: 'photo-printer', client_secret: 'photo-printer-secret' }
    const answer = await started.ask('/revoke', { form, headers })
    assertRevoked(answer)
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example')
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    assert.deepEqual(await used(token), invalidToken)
  })

  test('RV-13: never by JSONP', async () => {
    const { access_token: token } = await obtainTokens(started)
    const answer = await started.post('/revoke', { token, callback: 'evil' }, photoPrinter)
    assertRevoked(answer)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal((await started.ask(`/revoke?token=${token}&callback=evil`)).status, 405)
  })
})
