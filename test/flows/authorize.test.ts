/** The authorization endpoint as our specification has it: both flows, each parameter of their tables, prompt and max_age. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askFor, assertOnPage, assertOnTheWay, enter, sentTo } from '../support/authorization.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { galleryCallback, galleryRequest } from '../support/gallery.ts'
import { authorizePath, callback, codeRequest, walk } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'
import { type Changes, redeem, use, withChanges } from '../support/tokens.ts'
import { everything } from '../support/told.ts'
import { operatorOf } from './operator.ts'

const service = startBefore()

const implicitRequest = {
  response_type: 'token',
  client_id: 'gallery',
  redirect_uri: galleryCallback,
  state: 'xyz',
}

/** A confidential client of one test's own, for which nobody has approved anything yet. */
const createClient = async (metadata: object = {}) => {
  const given = { client_name: 'A', redirect_uris: [callback], ...metadata }
  const operator = await operatorOf(service)
  const { body } = await operator('POST', 'clients', given)
  const { client_id, client_secret } = body
  return { client_id, credentials: [client_id, client_secret] as const }
}

describe('the code flow', () => {
  test('1 to 5: validated, login, choice of resources and permissions, 302, code and state', async () => {
    const { client_id, credentials } = await createClient()
    const browser = new Browser(service)
    const login = await browser.go(authorizePath({ ...codeRequest, client_id }))
    assert.deepEqual(Object.keys(formsOf(login.text)[0]?.fields ?? {}), [
      'csrf',
      'journey',
      'username',
      'password',
    ])
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    const [form] = formsOf(consent.text)
    assert.deepEqual(form?.fields.permission?.toSorted(), everything.split(' '))
    const chosen = ['photos:read', 'photos:write', 'contacts:read']
    const page = await browser.submit(consent, { decision: 'allow', permission: chosen })
    const { code = '', ...rest } = sentTo(page, `${callback}?`)
    assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
    const { body } = await redeem(service, code, credentials)
    assert.equal(body.scope, 'contacts:read photos:read photos:write')
  })

  const required = ['response_type', 'client_id', 'redirect_uri']
  for (const name of required) {
    for (const value of [undefined, '']) {
      test(`${name} is required: ${value === '' ? 'empty' : 'absent'}`, async () => {
        const page = await askFor(service, { [name]: value })
        const said = `parameter ${name} is missing`
        if (name !== 'response_type') return assertOnPage(page, said)
        assert.deepEqual(sentTo(page, `${callback}?`), {
          error: 'invalid_request',
          error_description: said,
          state: 'xyz',
          iss: service.issuer,
        })
      })
    }
  }

  test('state is recommended, not required', async () => {
    const { state: _, ...stateless } = codeRequest
    const { code, ...rest } = sentTo(await walk(service, stateless), `${callback}?`)
    assert.deepEqual(rest, { iss: service.issuer })
  })

  test('scope is optional, its names separated by commas', async () => {
    const asked = [
      [undefined, everything],
      ['photos:read,contacts:write', 'contacts:write photos:read'],
      ['photos,calendar:read', 'calendar:read photos:read photos:write'],
    ] as const
    for (const [scope, granted] of asked) {
      const page = await walk(service, withChanges(codeRequest, { scope }))
      const { body } = await redeem(service, answerOf(page).code ?? '')
      assert.equal(body.scope, granted)
    }
  })

  test('what was approved is not asked again, until more is asked', async () => {
    const { client_id } = await createClient()
    const browser = await enter(service)
    const request = { ...codeRequest, client_id, scope: 'photos:read' }
    await walk(service, request, {}, browser)
    assert.ok(sentTo(await browser.ask(authorizePath(request)), `${callback}?`).code)
    const more = { ...request, scope: 'photos:read contacts:read' }
    assertOnTheWay(await browser.ask(authorizePath(more)), 'consent')
  })

  test('each answer has a code of its own', async () => {
    const browser = await enter(service)
    const codes = new Set<string>()
    for (let i = 0; i < 5; i++) {
      codes.add(answerOf(await walk(service, codeRequest, {}, browser)).code ?? '')
    }
    assert.equal(codes.size, 5)
    for (const code of codes) assert.equal((await redeem(service, code)).status, 200)
  })
})

describe('the implicit flow', () => {
  test('access_token, expires_in and state in the fragment; the token works', async () => {
    const page = await walk(service, implicitRequest)
    const { access_token = '', ...rest } = sentTo(page, `${galleryCallback}#`)
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: '3600',
      scope: everything,
      state: 'xyz',
      iss: service.issuer,
    })
    assert.equal(await use(service, access_token), 200)
    await service.advance(3600)
    assert.equal(await use(service, access_token), 401)
  })

  test('response_type and client_id are required', async () => {
    const absent = withChanges(implicitRequest, { client_id: undefined })
    assertOnPage(
      await new Browser(service).ask(authorizePath(absent)),
      'parameter client_id is missing',
    )
    // No valid response type asks for a fragment yet, so the client looks into the query.
    const page = await askFor(service, { ...implicitRequest, response_type: undefined })
    const { error, error_description } = sentTo(page, `${galleryCallback}?`)
    assert.deepEqual(
      [error, error_description],
      ['invalid_request', 'parameter response_type is missing'],
    )
  })

  test('redirect_uri, state and scope are optional', async () => {
    const bare = { response_type: 'token', client_id: 'gallery' }
    const { access_token, ...rest } = sentTo(await walk(service, bare), `${galleryCallback}#`)
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: '3600',
      scope: everything,
      iss: service.issuer,
    })
  })

  test('the owner may leave out what was asked: scope says so', async () => {
    const asked = { ...implicitRequest, scope: 'photos,contacts' }
    const page = await walk(service, asked, { permission: ['photos:read'] })
    const { access_token = '', scope } = sentTo(page, `${galleryCallback}#`)
    assert.equal(scope, 'photos:read')
    const headers = { authorization: `Bearer ${access_token}` }
    assert.equal((await service.ask('/api/contacts', { headers })).status, 403)
  })
})

describe('prompt', () => {
  /**
   * The redirect for a request, in a browser with alice's login and her approval of photo-printer.
   */
  const lead = async (changes: Changes, browser?: Browser, request: Form = codeRequest) => {
    const own = browser ?? (await enter(service))
    await walk(service, codeRequest, {}, own)
    return own.ask(authorizePath(withChanges(request, changes)))
  }

  const rows: readonly [string | undefined, 'login' | 'consent' | 'code'][] = [
    [undefined, 'code'],
    ['none', 'code'],
    ['login', 'login'],
    ['select_account', 'login'],
    ['consent', 'consent'],
    ['login consent', 'login'],
    ['consent  login ', 'login'],
  ]
  for (const [prompt, to] of rows) {
    test(`${prompt}: ${to}`, async () => {
      const page = await lead({ prompt })
      if (to === 'code') assert.ok(sentTo(page, `${callback}?`).code)
      else assertOnTheWay(page, to)
    })
  }

  test('login is asked for once, then the request goes on', async () => {
    const { client_id } = await createClient()
    const browser = await enter(service)
    const asked = { ...codeRequest, client_id, prompt: 'login consent' }
    const login = await browser.go(authorizePath(asked))
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    const page = await browser.submit(consent, { decision: 'allow' })
    assert.ok(sentTo(page, `${callback}?`).code)
  })

  test('login is not skipped by going on without it', async () => {
    const browser = await enter(service)
    const login = await lead({ prompt: 'login' }, browser)
    const journey = new URL(login.headers.get('location') ?? '', service.issuer).search
    assertOnTheWay(await browser.ask(`/authorize${journey}`), 'login')
    const consent = await browser.ask(`/consent${journey}`)
    assert.equal(consent.headers.get('location'), `/authorize${journey}`)
  })

  const silent = [
    ['login_required', 'the resource owner has to log in', () => new Browser(service), 'code'],
    [
      'consent_required',
      'the resource owner has to consent',
      () => enter(service, 'bob', 'builder'),
      'code',
    ],
    ['login_required', 'the resource owner has to log in', () => new Browser(service), 'token'],
  ] as const
  for (const [error, said, open, type] of silent) {
    test(`none, where somebody would have to be asked, for a ${type}: ${error}`, async () => {
      const request = type === 'code' ? codeRequest : implicitRequest
      const asked = authorizePath({ ...request, prompt: 'none' })
      const page = await (await open()).ask(asked)
      const start = type === 'code' ? `${callback}?` : `${galleryCallback}#`
      assert.deepEqual(sentTo(page, start), {
        error,
        error_description: said,
        state: 'xyz',
        iss: service.issuer,
      })
    })
  }

  test('none of a public client on a device is interaction_required, however often it was approved', async () => {
    const browser = await enter(service)
    await walk(service, galleryRequest, {}, browser)
    const page = await browser.ask(authorizePath({ ...galleryRequest, prompt: 'none' }))
    assert.deepEqual(sentTo(page, `${galleryCallback}?`), {
      error: 'interaction_required',
      error_description:
        'a public client without an https redirect_uri is shown to the resource owner each time',
      state: 'xyz',
      iss: service.issuer,
    })
  })

  test('none stands alone, and there are no others', async () => {
    const wrong = {
      'none login': 'prompt none stands alone',
      'consent none': 'prompt none stands alone',
      foo: 'prompt has to be of none, login, consent, select_account',
      'login,consent': 'prompt has to be of none, login, consent, select_account',
      LOGIN: 'prompt has to be of none, login, consent, select_account',
    }
    for (const [prompt, said] of Object.entries(wrong)) {
      const answer = sentTo(await askFor(service, { prompt }), `${callback}?`)
      assert.deepEqual([answer.error, answer.error_description], ['invalid_request', said])
    }
  })
})

describe('max_age', () => {
  /** A browser whose login is so many seconds old. */
  const aged = async (seconds: number): Promise<Browser> => {
    const browser = await enter(service)
    await walk(service, codeRequest, {}, browser)
    await service.advance(seconds)
    return browser
  }
  const asking = (max_age: string): string => authorizePath({ ...codeRequest, max_age })

  test('a younger login is enough', async () => {
    const browser = await aged(59)
    assert.ok(sentTo(await browser.ask(asking('60')), `${callback}?`).code)
  })

  test('an older one is not, and a new one is', async () => {
    const browser = await aged(61)
    const login = await browser.go(asking('60'))
    assert.match(login.url, /\/login\?/)
    assert.ok(sentTo(await browser.logIn(login, 'alice', 'wonderland'), `${callback}?`).code)
  })

  // OpenID Connect Core section 3.1.2.1.
  test('0 is as good as prompt=login, also in the very second of the login', async () => {
    const browser = await aged(0)
    const login = await browser.go(asking('0'))
    assert.match(login.url, /\/login\?/)
    assert.ok(sentTo(await browser.logIn(login, 'alice', 'wonderland'), `${callback}?`).code)
    const silent = await browser.ask(
      authorizePath({ ...codeRequest, max_age: '0', prompt: 'none' }),
    )
    assert.equal(sentTo(silent, `${callback}?`).error, 'login_required')
  })

  test('is a number of seconds', async () => {
    for (const max_age of ['-1', '1.5', 'x', '1e3', '0x10', ' 1', '9999999999']) {
      const answer = sentTo(await askFor(service, { max_age }), `${callback}?`)
      assert.deepEqual(
        [answer.error, answer.error_description],
        ['invalid_request', 'max_age has to be a number of seconds'],
      )
    }
  })
})
