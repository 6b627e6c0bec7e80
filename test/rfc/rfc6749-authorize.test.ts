/** RFC 6749: the authorization endpoint (sections 3.1, 4.1.1, 4.1.2) and the implicit grant (section 4.2). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { requestLimits } from '../../src/requests/limits.ts'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { askFor, assertOnPage, assertOnTheWay, enter, sentTo } from '../support/authorization.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { challenge, galleryCallback } from '../support/gallery.ts'
import { authorizePath, callback, codeRequest, obtainCode, walk } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { assertRefused, type Changes, redeem } from '../support/tokens.ts'
import { deadCode, everything, unknownTarget } from '../support/told.ts'

let operator: Operator
/** A browser in which alice is logged in and has approved the demo's web application. */
let approved: Browser

const service = startBefore(start, async () => {
  operator = await operatorOf(service)
  approved = await enter(service)
  await walk(service, codeRequest, {}, approved)
})

const createClient = async (metadata: Readonly<Record<string, unknown>>) => {
  const { status, body } = await operator('POST', 'clients', metadata)
  assert.equal(status, 201)
  return body as { client_id: string; client_secret: string }
}

/** What a refused request carries back, beside `state` and `iss`. */
const refused = (error: string, error_description: string) => ({ error, error_description })

const assertSentBack = async (changes: Changes, error: string, said: string) => {
  const page = await askFor(service, changes)
  const expected = { ...refused(error, said), state: 'xyz', iss: service.issuer }
  assert.deepEqual(sentTo(page, `${callback}?`), expected)
}

const repeated = (name: string): string => `parameter ${name} came more than once`

describe('section 3.1: the endpoint', () => {
  test('A-01: GET works, and leads through our pages to code and state', async () => {
    const browser = new Browser(service)
    assertOnTheWay(await askFor(service, {}, browser), 'login')
    const { code = '', ...rest } = sentTo(
      await walk(service, codeRequest, {}, browser),
      `${callback}?`,
    )
    assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
    assert.equal((await redeem(service, code)).status, 200)
  })

  test('A-11: POST of a form is the same as GET', async () => {
    const browser = new Browser(service)
    // Without cookies, as another site's form arrives, it is first turned into a GET, which has them.
    const turned = await browser.ask('/authorize', codeRequest)
    assert.deepEqual(
      [turned.status, turned.headers.get('location'), turned.headers.getSetCookie()],
      [303, authorizePath(codeRequest), []],
    )
    assertOnTheWay(await browser.ask(authorizePath(codeRequest)), 'login')
    assert.match((await browser.go('/authorize', codeRequest)).url, /\/login\?journey=/)
    const answer = await approved.ask('/authorize', codeRequest)
    assert.match(sentTo(answer, `${callback}?`).code ?? '', /^lk_ac_/)
    const wrong = await browser.ask('/authorize', { ...codeRequest, response_type: 'foo' })
    assert.equal(sentTo(wrong, `${callback}?`).error, 'unsupported_response_type')
  })

  test('A-11: no other body, no other method', async () => {
    const json = await service.ask('/authorize', { json: codeRequest })
    assertOnPage(json, 'Content-Type has to be application/x-www-form-urlencoded in UTF-8')
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await service.ask(authorizePath(codeRequest), { method })
      assert.equal(answer.status, 405)
      assert.equal(answer.headers.get('allow'), 'GET, POST, HEAD, OPTIONS')
      assert.equal(answer.headers.get('location'), null)
    }
  })

  test('A-12: no page of another origin may read an answer', async () => {
    const headers = { origin: 'https://a.example' }
    for (const method of ['GET', 'OPTIONS']) {
      for (const path of [authorizePath(codeRequest), '/authorize']) {
        const answer = await service.ask(path, { method, headers })
        assert.equal(answer.headers.get('access-control-allow-origin'), null)
        assert.equal(answer.headers.get('access-control-allow-methods'), null)
      }
    }
  })

  test('A-19: its address has no fragment', async () => {
    const { body } = await service.ask('/.well-known/oauth-authorization-server')
    assert.equal(body.authorization_endpoint, `${service.issuer}/authorize`)
  })

  test('A-10: parameters that nobody knows are ignored', async () => {
    const page = await askFor(service, { extra: 'foobar', nonce: 'n'.repeat(1024) }, approved)
    const { code, ...rest } = sentTo(page, `${callback}?`)
    assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
  })

  test('A-09: an empty value is as good as none', async () => {
    const { code = '', ...rest } = sentTo(
      await askFor(service, { state: '', scope: '', prompt: '', resource: '' }, approved),
      `${callback}?`,
    )
    assert.deepEqual(rest, { iss: service.issuer })
    assert.equal((await redeem(service, code)).body.scope, everything)
    assertOnPage(await askFor(service, { client_id: '' }), 'parameter client_id is missing')
    assertOnPage(await askFor(service, { redirect_uri: '' }), 'parameter redirect_uri is missing')
    const said = 'parameter response_type is missing'
    await assertSentBack({ response_type: '' }, 'invalid_request', said)
    const twice = await askFor(service, { state: ['', 'xyz', ''] }, approved)
    assert.equal(sentTo(twice, `${callback}?`).state, 'xyz')
  })

  test('A-06: no parameter comes twice', async () => {
    const names = ['scope', 'code_challenge', 'prompt', 'max_age', 'response_mode', 'extra']
    for (const name of names) {
      for (const values of [
        ['a', 'a'],
        ['a', 'b'],
      ]) {
        await assertSentBack({ [name]: values }, 'invalid_request', repeated(name))
      }
    }
    for (const types of [
      ['code', 'code'],
      ['code', 'foo'],
      ['foo', 'code'],
    ]) {
      await assertSentBack({ response_type: types }, 'invalid_request', repeated('response_type'))
    }
  })

  test('A-07: nor client_id or redirect_uri, and then nobody is redirected to', async () => {
    const clients = [
      ['photo-printer', 'photo-printer'],
      ['photo-printer', 'gallery'],
    ]
    for (const client_id of clients) {
      const page = await askFor(service, { client_id })
      assertOnPage(page, 'parameter client_id came more than once')
    }
    const uris = [
      [callback, callback],
      [callback, 'https://evil.example/'],
      ['https://evil.example/', callback],
    ]
    for (const redirect_uri of uris) {
      const page = await askFor(service, { redirect_uri })
      assertOnPage(page, 'parameter redirect_uri came more than once')
    }
  })

  test('A-06: nor in the query and in the body of a POST', async () => {
    const { client_id = '', redirect_uri = '', response_type = '' } = codeRequest
    const form = { client_id, redirect_uri, response_type, scope: 'photos' }
    const post = (query: string) => approved.ask(`/authorize${query}`, form)
    const page = await post('?scope=contacts')
    assert.equal(answerOf(page).error_description, repeated('scope'))
    assert.equal(answerOf(await post('')).error, undefined)
    assertOnPage(await post(`?client_id=${client_id}`), repeated('client_id'))
  })

  test('A-08: nor state, and then none is returned', async () => {
    for (const state of [
      ['a', 'b'],
      ['a', 'a'],
    ]) {
      const page = await askFor(service, { state }, approved)
      const expected = { ...refused('invalid_request', repeated('state')), iss: service.issuer }
      assert.deepEqual(sentTo(page, `${callback}?`), expected)
    }
  })

  test('what is not UTF-8 is told on a page, never repaired', async () => {
    const path = authorizePath(codeRequest)
    for (const broken of ['%', '%zz', '%ff', '%c3%28', '%ed%a0%80']) {
      const page = await service.ask(`${path}&scope=${broken}`)
      assertOnPage(page, 'a parameter is not percent-encoded UTF-8')
    }
    for (const broken of ['%00', '%ef%bf%bd']) {
      const page = await service.ask(`${path}&scope=${broken}`)
      assertOnPage(page, 'a parameter holds NUL or is not UTF-8')
    }
  })
})

describe('section 3.1.2: the redirection endpoint', () => {
  const twoUris = ['https://app.example/one', 'https://app.example/two']

  test('R-04: with several registered it has to be said which', async () => {
    const { client_id } = await createClient({ redirect_uris: twoUris })
    for (const response_type of ['code', 'token']) {
      const page = await askFor(service, { client_id, redirect_uri: undefined, response_type })
      assertOnPage(page, 'parameter redirect_uri is missing')
    }
  })

  // Decision 4: our specification requires redirect_uri for a code, so R-05 holds for tokens only.
  test('R-05: with one registered it may be left out, but not for a code', async () => {
    const page = await askFor(service, { redirect_uri: undefined })
    assertOnPage(page, 'parameter redirect_uri is missing')
    const request = { response_type: 'token', client_id: 'gallery', state: 'xyz' }
    assert.ok(sentTo(await walk(service, request), `${galleryCallback}#`).access_token)
  })

  test('R-06: a client without redirect URIs gets no answer at all', async () => {
    for (const client_id of ['nightly-report', 'latchkey-admin', 'house-app']) {
      for (const response_type of ['code', 'token', 'foo']) {
        const absent = await askFor(service, { client_id, response_type, redirect_uri: undefined })
        assertOnPage(absent, 'parameter redirect_uri is missing')
        const given = await askFor(service, { client_id, response_type })
        assertOnPage(given, 'redirect_uri is not registered for this client')
      }
    }
  })

  test('R-09: a code goes with the redirect URI that it was asked with', async () => {
    const { client_id, client_secret } = await createClient({ redirect_uris: twoUris })
    const client = [client_id, client_secret] as const
    const [redirect_uri = '', other] = twoUris
    const code = await obtainCode(service, { ...codeRequest, client_id, redirect_uri })
    const wrong = await redeem(service, code, client, { redirect_uri: other })
    assertRefused(wrong, 'invalid_grant', deadCode)
    const none = await redeem(service, code, client, { redirect_uri: undefined })
    assertRefused(none, 'invalid_request', 'parameter redirect_uri is missing')
    assert.equal((await redeem(service, code, client, { redirect_uri })).status, 200)
  })

  test('R-10: the query of a registered URI is kept as it is', async () => {
    const redirect_uri = 'https://app.example/callback?x=1&y=%2F&a'
    const { client_id } = await createClient({
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'implicit'],
    })
    const asked = { ...codeRequest, client_id, redirect_uri }
    assert.ok(sentTo(await walk(service, asked), `${redirect_uri}&`).code)
    const implicit = await walk(service, { ...asked, response_type: 'token' })
    assert.ok(sentTo(implicit, `${redirect_uri}#`).access_token)
  })

  test('R-11: an answer in the query has no fragment of ours', async () => {
    const page = await askFor(service, {}, approved)
    assert.doesNotMatch(page.headers.get('location') ?? '', /#/)
  })
})

describe('section 4.1.1: the authorization request', () => {
  test('A-02: an unknown client is told so on a page', async () => {
    const unknown = 'client_id names no client of this service'
    for (const redirect_uri of ['https://evil.example/', callback]) {
      for (const client_id of ['nope', 'PHOTO-PRINTER', 'photo-printer ', 'x'.repeat(5000)]) {
        assertOnPage(await askFor(service, { client_id, redirect_uri }), unknown)
      }
    }
  })

  test('A-02: as is one that is disabled or deleted', async () => {
    const { client_id } = await createClient({ redirect_uris: [callback] })
    assertOnTheWay(await askFor(service, { client_id }), 'login')
    await operator('PATCH', `clients/${client_id}`, { disabled: true })
    const unknown = 'client_id names no client of this service'
    assertOnPage(await askFor(service, { client_id }), unknown)
    await operator('PATCH', `clients/${client_id}`, { disabled: false })
    assertOnTheWay(await askFor(service, { client_id }), 'login')
    await operator('DELETE', `clients/${client_id}`)
    assertOnPage(await askFor(service, { client_id }), unknown)
  })

  test('A-03: so is a request that names none', async () => {
    const page = await askFor(service, { client_id: undefined })
    assertOnPage(page, 'parameter client_id is missing')
  })

  test('A-04: response_type is required', async () => {
    const said = 'parameter response_type is missing'
    await assertSentBack({ response_type: undefined }, 'invalid_request', said)
  })

  test('A-05: and one of those that there are', async () => {
    const said =
      'response_type has to be one of code, token, id_token, id_token token, code id_token, code token, code id_token token'
    for (const type of ['foo', 'Code', 'code foo', 'code code', ' code', 'id-token', 'none']) {
      await assertSentBack({ response_type: type }, 'unsupported_response_type', said)
    }
  })

  test('A-20: and one that the client is registered for', async () => {
    const expected = {
      ...refused('unauthorized_client', 'the client is not registered for this response_type'),
      state: 'xyz',
      iss: service.issuer,
    }
    const token = await askFor(service, { response_type: 'token' }, approved)
    assert.deepEqual(sentTo(token, `${callback}#`), expected)
    const { client_id } = await createClient({
      redirect_uris: [callback],
      grant_types: ['implicit'],
    })
    const code = await askFor(service, { client_id }, approved)
    assert.deepEqual(sentTo(code, `${callback}?`), expected)
  })

  describe('what is not supported is not passed over', () => {
    const unsupported = [
      [
        'authorization_details',
        'invalid_authorization_details',
        'authorization_details has to be a JSON list of one object or more',
      ],
      [
        'audience',
        'invalid_request',
        'audience is not supported: name the API with resource (RFC 8707)',
      ],
    ] as const
    for (const [name, error, said] of unsupported) {
      test(name, () => assertSentBack({ [name]: '[]' }, error, said))
    }
  })

  test('a request that would not fit our own URLs is told on a page', async () => {
    const page = await askFor(service, {
      extra: 'x'.repeat(requestLimits.authorizationRequestCharacters),
    })
    assertOnPage(page, 'the authorization request is longer than 16384 characters')
  })

  test('more parameters than anyone needs are told on a page', async () => {
    const extra = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x${i}`, 'y']))
    assertOnPage(await askFor(service, extra), 'more than 100 parameters')
  })
})

describe('section 4.1.2: the authorization response', () => {
  /** Any text that UTF-8 can write; NUL and the replacement character are refused as such. */
  const states = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 400 })
    .filter((state) => !/[\0\ufffd]/.test(state))

  const assertReturned = (location: string | null, state: string): void => {
    const [, given = ''] = /[?&#]state=([^&]*)/.exec(location ?? '') ?? []
    assert.equal(given, encodeURIComponent(state))
    assert.equal(decodeURIComponent(given), state)
  }

  test('A-13: state comes back as it was, with a code', async () => {
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        const page = await askFor(service, { state }, approved)
        assert.ok(answerOf(page).code)
        assertReturned(page.headers.get('location'), state)
      }),
      { numRuns: 100 },
    )
  })

  test('A-13: and with an error, in query and fragment', async () => {
    await fc.assert(
      fc.asyncProperty(states, fc.constantFrom('foo', 'token'), async (state, response_type) => {
        const page = await askFor(service, { state, response_type })
        assert.ok(answerOf(page).error)
        assertReturned(page.headers.get('location'), state)
      }),
      { numRuns: 100 },
    )
  })

  const awkward = ['+', '%2B', '%252B', 'a&code=x', '"><script>', '=', '#', ' ', 'ä€𝄞', "'", '\r\n']
  for (const state of awkward) {
    test(`A-13: through login and consent: ${JSON.stringify(state)}`, async () => {
      const { client_id } = await createClient({ redirect_uris: [callback] })
      const long = state.repeat(Math.floor(2048 / new TextEncoder().encode(state).length / 3))
      const page = await walk(service, { ...codeRequest, client_id, state: long })
      const { code, ...rest } = sentTo(page, `${callback}?`)
      assert.match(code ?? '', /^lk_ac_/)
      assert.deepEqual(rest, { state: long, iss: service.issuer })
    })
  }

  test('A-14: a long state is taken, one too long is refused, none is cut', async () => {
    for (const length of [1024, requestLimits.stateCharacters]) {
      const state = 's'.repeat(length)
      assert.equal(sentTo(await askFor(service, { state }, approved), `${callback}?`).state, state)
    }
    const state = 's'.repeat(requestLimits.stateCharacters + 1)
    const page = await askFor(service, { state }, approved)
    const said = refused('invalid_request', 'state is longer than 4096 characters')
    assert.deepEqual(sentTo(page, `${callback}?`), { ...said, iss: service.issuer })
  })

  test('A-16: the owner denies', async () => {
    const { client_id } = await createClient({ redirect_uris: [callback] })
    for (const changes of [{ decision: 'deny' }, { decision: 'allow', permission: [] }]) {
      const page = await walk(service, { ...codeRequest, client_id }, changes)
      assert.deepEqual(sentTo(page, `${callback}?`), {
        ...refused('access_denied', 'the resource owner denied access'),
        state: 'xyz',
        iss: service.issuer,
      })
    }
    const { body } = await operator('GET', `authorizations?client=${client_id}`)
    assert.deepEqual(body.items, [])
  })

  test('invalid_scope', async () => {
    const said = 'scope names no permission that this client may ask for: attic'
    await assertSentBack({ scope: 'attic' }, 'invalid_scope', said)
  })
})

describe('section 4.2: the implicit grant', () => {
  const request = {
    response_type: 'token',
    client_id: 'gallery',
    redirect_uri: galleryCallback,
    state: 'xyz',
  }

  test('IM-01, IM-04, IM-07: all in the fragment, no refresh token', async () => {
    const page = await walk(service, request)
    const { access_token = '', ...rest } = sentTo(page, `${galleryCallback}#`)
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: '3600',
      scope: everything,
      state: 'xyz',
      iss: service.issuer,
    })
    assert.match(access_token, /^lk_at_[\w-]{60,}$/)
    const headers = { authorization: `Bearer ${access_token}` }
    assert.equal((await service.ask('/api/photos', { headers })).body.items.length, 3)
  })

  test('IM-02: errors too', async () => {
    const asked = [
      ['access_denied', 'the resource owner denied access', {}],
      [
        'invalid_scope',
        'scope names no permission that this client may ask for: attic',
        { scope: 'attic' },
      ],
      ['invalid_target', unknownTarget(service.issuer), { resource: 'x' }],
      ['login_required', 'the resource owner has to log in', { prompt: 'none' }],
    ] as const
    for (const [error, said, changes] of asked) {
      const page = await walk(service, { ...request, ...changes }, { decision: 'deny' })
      const expected = { ...refused(error, said), state: 'xyz', iss: service.issuer }
      assert.deepEqual(sentTo(page, `${galleryCallback}#`), expected)
    }
  })

  test('IM-03: off for a client unless it is registered for it', async () => {
    const { client_id } = await createClient({ redirect_uris: [callback] })
    for (const client of [client_id, 'photo-printer']) {
      const page = await askFor(service, { client_id: client, response_type: 'token' }, approved)
      assert.equal(sentTo(page, `${callback}#`).error, 'unauthorized_client')
    }
  })

  test('IM-05: a token never goes into the query', async () => {
    const browser = await enter(service)
    for (const response_mode of ['query', 'query fragment', 'web_message', '#']) {
      const page = await browser.ask(authorizePath({ ...request, response_mode }))
      assert.deepEqual(sentTo(page, `${galleryCallback}#`), {
        ...refused(
          'invalid_request',
          'response_mode has to be fragment or form_post here, each also with .jwt, or jwt',
        ),
        state: 'xyz',
        iss: service.issuer,
      })
    }
    const page = await walk(service, { ...request, response_mode: 'fragment' })
    assert.ok(sentTo(page, `${galleryCallback}#`).access_token)
  })

  test('PKCE is for codes: a challenge changes nothing', async () => {
    const page = await walk(service, { ...request, ...challenge })
    assert.ok(sentTo(page, `${galleryCallback}#`).access_token)
  })
})

describe('response_mode of a code', () => {
  test('in the query where nothing is said, in the fragment where that is asked', async () => {
    const modes = [
      [undefined, '?'],
      ['query', '?'],
      ['fragment', '#'],
    ] as const
    for (const [response_mode, mark] of modes) {
      const page = await askFor(service, { response_mode }, approved)
      assert.ok(sentTo(page, `${callback}${mark}`).code)
      const wrong = await askFor(service, { response_mode, scope: 'attic' }, approved)
      assert.equal(sentTo(wrong, `${callback}${mark}`).error, 'invalid_scope')
    }
  })

  test('any other is refused, in the query', async () => {
    const said =
      'response_mode has to be query or fragment or form_post here, each also with .jwt, or jwt'
    await assertSentBack({ response_mode: 'web_message' }, 'invalid_request', said)
  })
})
