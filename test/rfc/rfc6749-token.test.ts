/** RFC 6749, the token endpoint and what leads to it: sections 2.3, 3.2, 4.1.3, 4.3, 4.4, 5 and 6. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { loadSettings } from '../../src/config/load.ts'
import { tokenGrants } from '../support/advertised.ts'
import { houseApp, latchkeyAdmin, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { galleryRequest, redeemPublicly } from '../support/gallery.ts'
import { obtainCode, obtainTokens } from '../support/printing.ts'
import { basic, type Form, formBody, startBefore } from '../support/start.ts'
import { assertGranted, assertRefused, redeem, refresh } from '../support/tokens.ts'
import { deadCode, deadRefreshToken, everything, failedClient } from '../support/told.ts'

const service = startBefore()

const formType = 'application/x-www-form-urlencoded'
const ownGrant = { grant_type: 'client_credentials' }

/** A request with the form as text and any headers. */
const send = (body: string, headers: Readonly<Record<string, string>>, path = '/token') =>
  service.ask(path, { method: 'POST', body, headers })

const sendForm = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  send(body, { 'content-type': formType, authorization: basic(nightlyReport), ...headers })

describe('section 2.3: client authentication', () => {
  test('CA-01: a wrong secret in the header is 401 with a Basic challenge', async () => {
    const answer = await service.post('/token', ownGrant, ['nightly-report', 'wrong'])
    assertRefused(answer, 'invalid_client', failedClient)
  })

  test('CA-02: a wrong secret in the body is 401 with a challenge, too', async () => {
    const answer = await service.post('/token', {
      ...ownGrant,
      client_id: 'nightly-report',
      client_secret: 'wrong',
    })
    assertRefused(answer, 'invalid_client', failedClient)
  })

  test('CA-03: not more than one method in a request, even when both are right', async () => {
    const both = { ...ownGrant, client_secret: nightlyReport[1] }
    const said =
      'the request has credentials in the Authorization header and in client_secret: use one of the two'
    for (const form of [both, { ...both, client_id: 'nightly-report' }]) {
      const answer = await service.post('/token', form, nightlyReport)
      assertRefused(answer, 'invalid_request', said)
    }
  })

  test('CA-04: a client_id in the body that differs from the header is refused', async () => {
    const answer = await service.post(
      '/token',
      { ...ownGrant, client_id: 'photo-printer' },
      nightlyReport,
    )
    const said = 'client_id in the body differs from the one in the Authorization header'
    assertRefused(answer, 'invalid_request', said)
  })

  test('section 2.3.1: the secret by Basic or in the body, whichever was registered', async () => {
    // The contract (section 3) decides against CA-08 between these two methods.
    const inBody = { ...ownGrant, client_id: 'nightly-report', client_secret: nightlyReport[1] }
    const answers = [
      await service.post('/token', ownGrant, nightlyReport),
      await service.post('/token', { ...ownGrant, client_id: 'nightly-report' }, nightlyReport),
      await service.post('/token', inBody),
    ]
    for (const answer of answers) {
      assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: false })
    }
  })

  test('T-12, section 2.3.1: nothing of the query is read, least of all credentials', async () => {
    const code = await obtainCode(service)
    const credentials = 'client_id=nightly-report&client_secret=nightly-report-secret'
    const queries = [
      `?${credentials}`,
      '?grant_type=client_credentials',
      `?code=${code}`,
      '?x',
      `?${credentials}&grant_type=client_credentials`,
    ]
    for (const query of queries) {
      const form = { ...ownGrant, client_id: 'nightly-report', client_secret: nightlyReport[1] }
      const whole = await service.post(`/token${query}`, form)
      assertRefused(whole, 'invalid_request', 'parameters belong in the body')
      const empty = await send('', { 'content-type': formType }, `/token${query}`)
      assertRefused(empty, 'invalid_request', 'parameters belong in the body')
    }
    assert.equal((await redeem(service, code)).status, 200)
  })
})

describe('section 3.2: the token endpoint', () => {
  test('T-01: POST alone; a code in the query of a GET stays usable', async () => {
    const code = await obtainCode(service)
    const query = formBody({ grant_type: 'authorization_code', code })
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers, body } = await service.ask(`/token?${query}`, {
        method,
        headers: { authorization: basic(photoPrinter) },
      })
      assert.equal(status, 405)
      assert.equal(headers.get('allow'), 'POST, OPTIONS')
      assert.equal(body?.access_token, undefined)
    }
    assert.equal((await redeem(service, code)).status, 200)
  })

  test('T-02: a form body alone', async () => {
    const json = JSON.stringify({ ...ownGrant, client_id: 'x' })
    const multipart = '--b\r\nContent-Disposition: form-data; name="grant_type"\r\n\r\nx\r\n--b--'
    const rows: readonly (readonly [string, string])[] = [
      ['application/json', json],
      ['multipart/form-data; boundary=b', multipart],
      ['text/plain', formBody(ownGrant)],
      [`application/json, ${formType}`, formBody(ownGrant)],
      [`${formType}x`, formBody(ownGrant)],
      ['', formBody(ownGrant)],
    ]
    for (const [type, body] of rows) {
      const answer = await sendForm(body, { 'content-type': type })
      const said = 'Content-Type has to be application/x-www-form-urlencoded in UTF-8'
      assertRefused(answer, 'invalid_request', said)
    }
  })

  test('T-03: UTF-8 by whichever spelling, and no other charset', async () => {
    const types = [
      `${formType};charset=UTF-8`,
      `${formType}; charset="utf-8"`,
      formType.toUpperCase(),
      `${formType} ; CHARSET=Utf-8`,
    ]
    for (const type of types) {
      const answer = await sendForm(formBody(ownGrant), { 'content-type': type })
      assert.equal(answer.status, 200, type)
    }
    for (const charset of ['utf-16', 'iso-2022-jp', 'utf-7', 'latin1']) {
      const answer = await sendForm(formBody(ownGrant), {
        'content-type': `${formType};charset=${charset}`,
      })
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'])
    }
  })

  test('T-04: no parameter twice, even with the same value, known or not', async () => {
    const twice = [
      'grant_type=client_credentials',
      'scope=photos',
      'client_id=nightly-report',
      'x=y',
    ]
    for (const pair of twice) {
      const answer = await sendForm(`${formBody(ownGrant)}&${pair}&${pair}`)
      const [name = ''] = pair.split('=')
      assertRefused(answer, 'invalid_request', `parameter ${name} came more than once`)
    }
    for (const name of ['code', 'redirect_uri', 'code_verifier']) {
      const code = await obtainCode(service)
      const answer = await redeem(service, code, photoPrinter, { [name]: ['a', 'a'] })
      assertRefused(answer, 'invalid_request', `parameter ${name} came more than once`)
    }
    // RFC 8707 section 2 lets `resource` come several times.
    const resource = [`${service.issuer}/api/photos`, `${service.issuer}/api/contacts`]
    const answer = await service.post('/token', { ...ownGrant, resource }, nightlyReport)
    const scope = 'contacts:read contacts:write photos:read photos:write'
    assertGranted(answer, { scope, expires_in: 3600, refreshable: false })
  })

  test('T-05: a parameter without a value counts as absent, an unknown one is ignored', async () => {
    const empty = await redeem(service, '')
    assertRefused(empty, 'invalid_request', 'parameter code is missing')
    const answer = await sendForm(`${formBody(ownGrant)}&scope=&foo=1&scope=&__proto__=x&code=`)
    assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: false })
  })

  test('T-13: pages of other origins may ask, without cookies; the origin null may not', async () => {
    const ask = (origin: string) => sendForm(formBody(ownGrant), { origin })
    const { headers } = await ask('https://app.example')
    assert.equal(headers.get('access-control-allow-origin'), 'https://app.example')
    assert.equal(headers.get('access-control-allow-credentials'), null)
    assert.equal(headers.get('vary'), 'Origin')
    for (const origin of ['null', 'file://', 'https://a.example https://b.example', '*']) {
      assert.equal((await ask(origin)).headers.get('access-control-allow-origin'), null)
    }
    const preflight = await service.ask('/token', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://app.example')
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST, OPTIONS')
    assert.equal(preflight.headers.get('access-control-allow-credentials'), null)
  })

  test('T-14: the service does not start for others over plain http', () => {
    const load = (issuer: string) =>
      loadSettings({ env: { LATCHKEY_ISSUER: issuer }, flags: {}, cwd: import.meta.dirname })
    assert.throws(() => load('http://auth.example'), /https/)
    assert.equal(load('https://auth.example').issuer, 'https://auth.example')
  })

  test('section 3.2.1: a confidential client authenticates (CA-07)', async () => {
    const code = await obtainCode(service)
    const { refresh_token } = await obtainTokens(service)
    const answers = [
      await redeem(service, code, null, { client_id: 'photo-printer' }),
      await refresh(service, refresh_token, null, { client_id: 'photo-printer' }),
      await service.post('/token', { ...ownGrant, client_id: 'nightly-report' }),
    ]
    for (const answer of answers) assertRefused(answer, 'invalid_client', failedClient)
    assert.equal((await redeem(service, code)).status, 200)
    assert.equal((await refresh(service, refresh_token)).status, 200)
  })
})

describe('section 4.1.3: the access token request', () => {
  test('a public client says who it is with client_id', async () => {
    const code = await obtainCode(service, galleryRequest)
    const nameless = await redeemPublicly(service, code, { client_id: undefined })
    const said = 'parameter client_id is missing, and there is no Authorization header'
    assertRefused(nameless, 'invalid_client', said)
    const named = await redeemPublicly(service, code)
    assertGranted(named, { scope: everything, expires_in: 3600, refreshable: true })
  })

  test('the code was issued to the client that sends it', async () => {
    const code = await obtainCode(service, galleryRequest)
    assertRefused(await redeem(service, code), 'invalid_grant', deadCode)
    assert.equal((await redeemPublicly(service, code)).status, 200)
  })

  test('the redirect_uri is the one of the authorization request', async () => {
    const code = await obtainCode(service)
    for (const uri of ['http://127.0.0.1:6751/callback', 'http://127.0.0.1:6750/callback/']) {
      const answer = await redeem(service, code, photoPrinter, { redirect_uri: uri })
      assertRefused(answer, 'invalid_grant', deadCode)
    }
    assert.equal((await redeem(service, code)).status, 200)
  })

  test('section 4.1.2: a code is used once', async () => {
    const code = await obtainCode(service)
    assert.equal((await redeem(service, code)).status, 200)
    assertRefused(await redeem(service, code), 'invalid_grant', deadCode)
  })
})

describe('sections 4.3 and 4.4: password and client credentials', () => {
  const alice = { grant_type: 'password', username: 'alice', password: 'wonderland' }

  test('section 4.3.3: the password earns an access token and a refresh token', async () => {
    const answer = await service.post('/token', alice, houseApp)
    assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: true })
  })

  test('section 4.3.2: only for a client that authenticates', async () => {
    const answer = await service.post('/token', { ...alice, client_id: 'house-app' })
    assertRefused(answer, 'invalid_client', failedClient)
  })

  test('section 4.4.3, RF-14: a client of its own gets no refresh token', async () => {
    const answer = await service.post(
      '/token',
      { ...ownGrant, scope: 'photos:read' },
      nightlyReport,
    )
    assertGranted(answer, { scope: 'photos:read', expires_in: 3600, refreshable: false })
  })

  test('section 4.4: for confidential clients only (CC-01)', async () => {
    const answer = await service.post('/token', { ...ownGrant, client_id: 'gallery' })
    const said = 'the client may not use this grant_type'
    assertRefused(answer, 'unauthorized_client', said)
  })
})

describe('section 5: the answer', () => {
  test('T-09, T-10, section 5.1: every grant answers in the same form', async () => {
    const code = await obtainCode(service, { ...galleryRequest, scope: 'photos:read' })
    const tokens = await redeemPublicly(service, code)
    const renewed = await refresh(service, tokens.body.refresh_token, null, {
      client_id: 'gallery',
    })
    const byPassword = await service.post(
      '/token',
      { grant_type: 'password', username: 'bob', password: 'builder', scope: 'photos:read' },
      houseApp,
    )
    for (const answer of [tokens, renewed, byPassword]) {
      assertGranted(answer, { scope: 'photos:read', expires_in: 3600, refreshable: true })
    }
  })

  const refusals: readonly (readonly [string, Form, readonly [string, string], string, string])[] =
    [
      [
        'T-06: no grant_type',
        {},
        nightlyReport,
        'invalid_request',
        'parameter grant_type is missing',
      ],
      [
        'T-07: an unknown grant_type',
        { grant_type: 'magic' },
        nightlyReport,
        'unsupported_grant_type',
        `grant_type has to be one of ${tokenGrants.join(', ')}`,
      ],
      [
        'T-07: implicit is no grant_type of this endpoint',
        { grant_type: 'implicit' },
        nightlyReport,
        'unsupported_grant_type',
        `grant_type has to be one of ${tokenGrants.join(', ')}`,
      ],
      [
        'T-08: a grant_type that is not registered',
        ownGrant,
        photoPrinter,
        'unauthorized_client',
        'the client may not use this grant_type',
      ],
      [
        'T-08: refresh_token, too',
        { grant_type: 'refresh_token', refresh_token: 'x' },
        latchkeyAdmin,
        'unauthorized_client',
        'the client may not use this grant_type',
      ],
      [
        'an unknown scope',
        { ...ownGrant, scope: 'attic:read' },
        nightlyReport,
        'invalid_scope',
        'scope names no permission that this client may ask for: attic:read',
      ],
      [
        'a malformed scope',
        { ...ownGrant, scope: 'photos:read "' },
        nightlyReport,
        'invalid_scope',
        'scope holds a character that no scope name may have',
      ],
      [
        'an unknown code',
        { grant_type: 'authorization_code', code: 'lk_ac_x', redirect_uri: 'x' },
        photoPrinter,
        'invalid_grant',
        deadCode,
      ],
      [
        'an unknown refresh token',
        { grant_type: 'refresh_token', refresh_token: 'lk_rt_x' },
        photoPrinter,
        'invalid_grant',
        deadRefreshToken,
      ],
    ]
  for (const [name, form, client, error, said] of refusals) {
    test(`section 5.2: ${name}`, async () => {
      assertRefused(await service.post('/token', form, client), error, said)
    })
  }

  test('T-11: nothing of what was sent comes back', async () => {
    const hostile = 'hostile<script>"\\\r\n\u00e4'
    const forms: readonly Form[] = [
      { grant_type: hostile },
      { ...ownGrant, scope: hostile },
      { ...ownGrant, resource: hostile },
      { ...ownGrant, client_assertion: hostile },
      { ...ownGrant, client_id: hostile },
      { grant_type: 'refresh_token', refresh_token: hostile },
      { grant_type: 'password', username: hostile, password: hostile },
    ]
    for (const form of forms) {
      const answer = await service.post('/token', form, nightlyReport)
      assertRefused(answer, answer.body.error, answer.body.error_description)
      assert.equal(/hostile|[<\u00e4]/.test(answer.text), false)
    }
  })
})

describe('section 6: refreshing', () => {
  test('the refresh token is bound to the client it was issued to (RF-01)', async () => {
    const { refresh_token } = await obtainTokens(service)
    const own = await service.post(
      '/token',
      { grant_type: 'password', username: 'alice', password: 'wonderland' },
      houseApp,
    )
    const stolen = await refresh(service, refresh_token, houseApp)
    assertRefused(stolen, 'invalid_grant', deadRefreshToken)
    const swapped = await refresh(service, own.body.refresh_token, photoPrinter)
    assertRefused(swapped, 'invalid_grant', deadRefreshToken)
    assert.equal((await refresh(service, refresh_token)).status, 200)
    assert.equal((await refresh(service, own.body.refresh_token, houseApp)).status, 200)
  })

  test('the scope is that of the grant or less (RF-03)', async () => {
    const tokens = await obtainTokens(service, {
      response_type: 'code',
      client_id: 'photo-printer',
      redirect_uri: 'http://127.0.0.1:6750/callback',
      scope: 'photos:read',
    })
    const more = await refresh(service, tokens.refresh_token, photoPrinter, {
      scope: 'photos:read photos:write',
    })
    const said = 'scope asks for more than the refresh token was granted: photos:write'
    assertRefused(more, 'invalid_scope', said)
    const same = await refresh(service, tokens.refresh_token, photoPrinter, {
      scope: 'photos:read',
    })
    assertGranted(same, { scope: 'photos:read', expires_in: 3600, refreshable: true })
  })
})

describe('T-15: no input makes the service fail', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('client_credentials', 'password', 'refresh_token', 'authorization_code'),
    fc.constantFrom('nightly-report', 'gallery', 'photos:read', '%', '%zz', '%00', '\ud800', '+'),
  )
  const name = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'grant_type',
        'code',
        'redirect_uri',
        'client_id',
        'client_secret',
        'scope',
        'resource',
        'refresh_token',
        'username',
        'password',
        'code_verifier',
        'client_assertion',
        '__proto__',
      ),
    },
    { weight: 1, arbitrary: word },
  )
  const encoded = fc
    .array(fc.tuple(name, word), { maxLength: 8 })
    .map((pairs) =>
      pairs.map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`).join('&'),
    )
  const body = fc.oneof(
    encoded,
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => text.toWellFormed()),
  )
  const authorization = fc.oneof(
    fc.constant(basic(nightlyReport)),
    fc.base64String().map((text) => `Basic ${text}`),
    fc.string({ unit: 'grapheme-ascii' }).map((text) => text.trim()),
  )

  test('every answer is 200 or a refusal in form', async () => {
    let asked = 0
    await fc.assert(
      fc.asyncProperty(body, authorization, async (text, header) => {
        if (++asked % 500 === 0) await service.advance(60)
        const answer = await sendForm(text, { authorization: header })
        if (answer.status === 200) return
        assertRefused(answer, answer.body.error, answer.body.error_description)
      }),
      { numRuns: 600 },
    )
    const fault = service.notices.find(({ level }) => level === 'error')
    assert.equal(fault, undefined)
    assert.equal((await service.post('/token', ownGrant, nightlyReport)).status, 200)
  })
})
