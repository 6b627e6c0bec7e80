/** RFC 7662: token introspection. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { codeRequest, obtainCode, obtainTokens } from '../support/printing.ts'
import { type Answer, start, startBefore } from '../support/start.ts'

let tokens: Awaited<ReturnType<typeof obtainTokens>>
let sub: string

const started = startBefore(start, async () => {
  tokens = await obtainTokens(started)
  const { access_token } = await obtainTokens(started, { ...codeRequest, scope: 'openid' })
  const headers = { authorization: `Bearer ${access_token}` }
  sub = (await started.ask('/userinfo', { headers })).body.sub
})

const introspect = (
  token: string,
  client = photoPrinter as readonly [string, string],
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> => started.post('/introspect', { token, ...more }, client)

/** The headers that say how an answer is to be read and kept. */
const headersOf = ({ headers }: Answer): unknown[] =>
  ['content-type', 'cache-control', 'pragma', 'x-content-type-options'].map((name) =>
    headers.get(name),
  )

const assertInactive = (answer: Answer): void => {
  assert.deepEqual([answer.status, answer.text], [200, '{"active":false}'])
  assert.deepEqual(headersOf(answer), [
    'application/json;charset=UTF-8',
    'no-store',
    'no-cache',
    'nosniff',
  ])
}

describe('section 2.1: who asks', () => {
  const challenge = 'Basic realm="latchkey", charset="UTF-8"'

  test('IN-01: nobody asks without authentication', async () => {
    const rows: [Readonly<Record<string, string>>, string][] = [
      [{}, 'parameter client_id is missing, and there is no Authorization header'],
      [{ client_id: 'photo-printer' }, 'client authentication failed'],
      [{ client_id: 'photo-printer', client_secret: 'wrong' }, 'client authentication failed'],
      [{ client_id: 'nobody', client_secret: 'wrong' }, 'client authentication failed'],
    ]
    for (const [form, error_description] of rows) {
      const answer = await started.post('/introspect', { token: tokens.access_token, ...form })
      assert.equal(answer.status, 401)
      assert.deepEqual(answer.body, { error: 'invalid_client', error_description })
      assert.equal(answer.headers.get('www-authenticate'), challenge)
    }
  })

  test('IN-01: an access token is no authentication here, not even its own', async () => {
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const form = { token: tokens.access_token }
    const answer = await started.ask('/introspect', { form, headers })
    assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client'])
  })

  test('IN-01: a public client proves nothing, so it may not ask', async () => {
    const form = { token: tokens.access_token, client_id: 'gallery' }
    const answer = await started.post('/introspect', form)
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('www-authenticate'), challenge)
    assert.deepEqual(answer.body, {
      error: 'invalid_client',
      error_description: 'introspection is for clients that authenticate',
    })
  })

  test('by POST of a form alone', async () => {
    const get = await started.ask(`/introspect?token=${tokens.access_token}`)
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS'])
    const json = await started.ask('/introspect', { json: { token: tokens.access_token } })
    assert.deepEqual([json.status, json.body.error], [400, 'invalid_request'])
    const query = await started.post('/introspect?a=b', { token: 'x' }, photoPrinter)
    assert.deepEqual([query.status, query.body.error], [400, 'invalid_request'])
  })

  test('with one token', async () => {
    const none = await started.post('/introspect', {}, photoPrinter)
    assert.deepEqual(none.body, {
      error: 'invalid_request',
      error_description: 'parameter token is missing',
    })
    const form = { token: [tokens.access_token, tokens.access_token] }
    const two = await started.post('/introspect', form, photoPrinter)
    assert.deepEqual([two.status, two.body.error], [400, 'invalid_request'])
  })

  for (const token_type_hint of ['access_token', 'refresh_token', 'foo']) {
    test(`and the hint ${token_type_hint} changes nothing`, async () => {
      const access = await introspect(tokens.access_token, photoPrinter, { token_type_hint })
      assert.equal(access.body.token_type, 'Bearer')
      const refresh = await introspect(tokens.refresh_token, photoPrinter, { token_type_hint })
      assert.equal(refresh.body.token_type, 'refresh_token')
    })
  }
})

describe('section 2.2: what is told', () => {
  const resources = ['calendar', 'contacts', 'photos']

  test('of an access token that an owner stands behind', async () => {
    const answer = await introspect(tokens.access_token)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {
      active: true,
      scope: tokens.scope,
      client_id: 'photo-printer',
      username: 'alice',
      token_type: 'Bearer',
      exp: started.now() + 3600,
      iat: started.now(),
      auth_time: started.now(),
      acr: '1',
      sub,
      aud: resources.map((name) => `${started.issuer}/api/${name}`),
      iss: started.issuer,
      jti: answer.body.jti,
    })
    assert.match(answer.body.jti, /^[0-9a-z]{26}\.0$/)
    assert.deepEqual(headersOf(answer), headersOf(await introspect('x')))
  })

  test("of a client's own token, which has no username", async () => {
    const form = { grant_type: 'client_credentials', scope: 'photos:read' }
    const { access_token } = (await started.post('/token', form, nightlyReport)).body
    const { body } = await introspect(access_token, nightlyReport)
    assert.deepEqual(body, {
      active: true,
      scope: 'photos:read',
      client_id: 'nightly-report',
      token_type: 'Bearer',
      exp: started.now() + 3600,
      iat: started.now(),
      sub: 'nightly-report',
      aud: [`${started.issuer}/api/photos`],
      iss: started.issuer,
      jti: body.jti,
    })
    assert.match(body.jti, /^[0-9a-z]{26}$/)
  })

  test('of a refresh token, to its own client', async () => {
    const { body } = await introspect(tokens.refresh_token)
    assert.deepEqual(body, {
      active: true,
      scope: tokens.scope,
      client_id: 'photo-printer',
      username: 'alice',
      token_type: 'refresh_token',
      exp: started.now() + 30 * 24 * 3600,
      iat: started.now(),
      sub,
      iss: started.issuer,
      refresh_token_timeout: 30 * 24 * 3600,
    })
  })

  test('IN-02: unknown, revoked, another client’s, a code: all the same', async () => {
    const revoked = await obtainTokens(started)
    await started.post('/revoke', { token: revoked.refresh_token }, photoPrinter)
    const form = { grant_type: 'password', username: 'bob', password: 'builder' }
    const foreign = (await started.post('/token', form, houseApp)).body
    const inactive = [
      'x',
      'lk_at_x',
      tokens.access_token.slice(0, -1),
      tokens.access_token.replace('lk_at_', 'lk_rt_'),
      revoked.access_token,
      revoked.refresh_token,
      foreign.access_token,
      foreign.refresh_token,
      await obtainCode(started),
    ]
    for (const token of inactive) assertInactive(await introspect(token))
    assert.equal((await introspect(foreign.access_token, houseApp)).body.active, true)
  })

  test('IN-02: expired', async () => {
    const form = { grant_type: 'password', username: 'bob', password: 'builder' }
    const own = (await started.post('/token', form, houseApp)).body
    await started.advance(3599)
    assert.equal((await introspect(own.access_token, houseApp)).body.active, true)
    await started.advance(1)
    assertInactive(await introspect(own.access_token, houseApp))
    await started.advance(30 * 24 * 3600 - 3601)
    assert.equal((await introspect(own.refresh_token, houseApp)).body.active, true)
    await started.advance(1)
    assertInactive(await introspect(own.refresh_token, houseApp))
  })
})
