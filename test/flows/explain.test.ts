/** Why a request was refused: real refusals, each explained by its reference. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { consoleLimits } from '../../src/rooms/console/limits.ts'
import { recordLimits } from '../../src/store/limits.ts'
import { Browser, formsOf } from '../support/browser.ts'
import { giveRoles, newConsoleVisitor } from '../support/console.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { newVisitor, password } from '../support/people.ts'
import { authorizePath, callback, codeRequest, obtainTokens } from '../support/printing.ts'
import { type Answer, formBody, type Init, start, startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'
import { bearer, type Operator, operatorOf } from './operator.ts'

let operator: Operator

const started = startBefore(start, async () => {
  operator = await operatorOf(started)
})

const explained = async ({ reference }: Answer) => {
  assert.ok(reference !== null)
  const { status, body, text } = await operator('GET', `refusals/${reference}`)
  assert.equal(status, 200, text)
  return body
}

const ask = (path: string, init: Init = {}): Promise<Answer> => started.ask(path, init)
const token = (form: Record<string, string>, client?: readonly [string, string]) =>
  started.post('/token', form, client)

const request = (changes: Record<string, string>): Promise<Answer> =>
  ask(
    authorizePath({
      response_type: 'code',
      client_id: 'photo-printer',
      redirect_uri: callback,
      scope: 'photos:read',
      state: 'xyz',
      ...changes,
    }),
  )

/** Another reference of the same time. It differs from a given one in the last character. */
const neverGiven = (reference: string | null): string => {
  assert.ok(reference !== null)
  return reference.slice(0, -1) + (reference.endsWith('0') ? '1' : '0')
}

const ownToken = async (more: Record<string, string> = {}): Promise<string> =>
  (await token({ grant_type: 'client_credentials', ...more }, nightlyReport)).body.access_token

/** A token that alice's own application got for her. */
const alicesToken = async (scope: string): Promise<string> => {
  const login = { grant_type: 'password', username: 'alice', password: 'wonderland' }
  return (await token({ ...login, scope }, houseApp)).body.access_token
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

interface Expectation {
  readonly reason: string
  /** What the rule is about, as `name value`. */
  readonly received?: readonly string[]
  readonly expected?: readonly string[]
  readonly difference?: string
  readonly client?: string | null
  readonly rule?: RegExp
}

const refusals: Readonly<Record<string, [() => Promise<Answer>, Expectation]>> = {
  'a slash too many': [
    () => request({ redirect_uri: `${callback}/` }),
    {
      reason: 'unregistered_redirect_uri',
      received: [`redirect_uri ${callback}/`],
      expected: [callback],
      difference: `differs from the registered one at character ${callback.length + 1}: a slash too many at the end`,
      client: 'photo-printer',
      rule: /^RFC 6749 section 3\.1\.2\.3/,
    },
  ],
  'an unknown client': [
    () => request({ client_id: 'photo-prnter' }),
    { reason: 'unknown_client', received: ['client_id photo-prnter'], client: null },
  ],
  'a response type that is not registered, sent back': [
    () => request({ response_type: 'token' }),
    {
      reason: 'response_type_not_registered',
      received: ['response_type token'],
      client: 'photo-printer',
    },
  ],
  'a mistyped scope, sent back': [
    () => request({ scope: 'photo:raed' }),
    { reason: 'unknown_scope', received: ['scope photo:raed'], client: 'photo-printer' },
  ],
  'a wrong challenge method, sent back': [
    () => request({ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }),
    { reason: 'bad_code_challenge_method', received: ['code_challenge_method plain'] },
  ],
  'a wrong secret': [
    () => token({ grant_type: 'client_credentials' }, ['nightly-report', 'wrong']),
    {
      reason: 'wrong_secret',
      received: [
        'Authorization Basic: client_id nightly-report and a client secret of 5 characters',
      ],
      expected: ['the current secret of the client'],
      client: 'nightly-report',
    },
  ],
  'an unknown client at /token': [
    () => token({ grant_type: 'client_credentials' }, ['nobody', 'wrong']),
    { reason: 'unknown_client', client: null },
  ],
  'an unknown grant type': [
    () => token({ grant_type: 'client_credential' }, nightlyReport),
    {
      reason: 'unknown_grant_type',
      received: ['grant_type client_credential'],
      client: 'nightly-report',
    },
  ],
  'a grant type that is not registered': [
    () => token({ grant_type: 'refresh_token', refresh_token: 'lk_rt_x' }, nightlyReport),
    { reason: 'grant_type_not_registered', received: ['grant_type refresh_token'] },
  ],
  'no grant type': [
    () => token({}, nightlyReport),
    { reason: 'missing_grant_type', received: ['grant_type nothing'] },
  ],
  'an access token for a code': [
    async () => redeem(started, await ownToken()),
    { reason: 'malformed_code', expected: ['a code of this server'] },
  ],
  'another redirect_uri than at /authorize': [
    async () => {
      const { reference } = await redeemElsewhere()
      return { ...(await ask('/health/live')), reference }
    },
    {
      reason: 'redirect_uri_differs',
      received: [`redirect_uri ${callback}?a=...`],
      expected: [callback],
      difference: `differs from the registered one at character ${callback.length + 1}: a query too many`,
    },
  ],
  'an ended refresh token': [
    () => token({ grant_type: 'refresh_token', refresh_token: 'lk_rt_x' }, photoPrinter),
    {
      reason: 'unknown_refresh_token',
      received: ['refresh_token a refresh token of 7 characters'],
      rule: /^RFC 6749 section 6$/,
    },
  ],
  'a wrong password': [
    () => token({ grant_type: 'password', username: 'alice', password: 'wrong' }, houseApp),
    {
      reason: 'wrong_password',
      received: ['username a user name of 5 characters', 'password a password of 5 characters'],
      client: 'house-app',
    },
  ],
  'a resource that nobody has': [
    () =>
      token({ grant_type: 'client_credentials', resource: 'https://a.example/x' }, nightlyReport),
    { reason: 'unknown_resource', received: ['resource https://a.example/x', 'path /token'] },
  ],
  'a JSON body at /token': [
    () => ask('/token', { json: { grant_type: 'client_credentials' } }),
    { reason: 'not_a_form', received: ['Content-Type application/json'], client: null },
  ],
  'a public client at /introspect': [
    () => started.post('/introspect', { token: 'x', client_id: 'gallery' }),
    { reason: 'public_client_introspects', received: ['client_id gallery'] },
  ],
  'a foreign token at /revoke': [
    async () => started.post('/revoke', { token: await ownToken() }, photoPrinter),
    { reason: 'token_of_other_client', client: 'photo-printer' },
  ],
  'no token to revoke': [
    () => started.post('/revoke', {}, photoPrinter),
    {
      reason: 'missing_token_parameter',
      received: ['token nothing'],
      expected: ['the token that the request is about'],
      client: 'photo-printer',
      rule: /^RFC 7009 section 2\.1/,
    },
  ],
  'a parameter that came twice': [
    () => ask('/token', { method: 'POST', headers: form, body: 'grant_type=a&scope=b&scope=c' }),
    {
      reason: 'repeated_parameter',
      expected: ['each parameter once'],
      difference: 'scope came more than once',
    },
  ],
  'a parameter that came twice at /authorize': [
    () => ask(`${authorizePath({ ...codeRequest })}&nonce=a&nonce=b`),
    {
      reason: 'repeated_parameter',
      expected: ['each parameter once'],
      difference: 'nonce came more than once',
    },
  ],
  'a wildcard at /register': [
    () => ask('/register', { json: { redirect_uris: ['https://*.example/cb'] } }),
    { reason: 'bad_redirect_uri', received: ['redirect_uris https://*.example/cb'] },
  ],
  'no token at an API': [
    () => ask('/api/photos'),
    { reason: 'missing_token', received: ['Authorization nothing'] },
  ],
  'an unknown token at an API': [
    () => ask('/api/photos', bearer('lk_at_x')),
    {
      reason: 'unknown_token',
      received: ['Authorization Bearer: an access token of 7 characters'],
      client: null,
    },
  ],
  'a token without the permission': [
    async () =>
      ask('/api/photos', {
        ...bearer(await ownToken({ scope: 'photos:read' })),
        method: 'POST',
        json: { title: 'x' },
      }),
    {
      reason: 'missing_permission',
      expected: ['photos:write'],
      difference: 'the token allows photos:read',
      client: 'nightly-report',
      rule: /^RFC 6750 section 3\.1$/,
    },
  ],
  'a token without an owner at /userinfo': [
    async () => ask('/userinfo', bearer(await ownToken())),
    { reason: 'no_owner', client: 'nightly-report' },
  ],
  'no token at /forward-auth': [
    () => ask(`/forward-auth?resource=${started.issuer}/api/photos&scope=photos:read`),
    { reason: 'missing_token', received: ['Authorization nothing'] },
  ],
  'no token at the admin API': [() => ask('/admin/api/clients'), { reason: 'missing_token' }],
  'a token without the permission at the admin API': [
    async () => (await operatorOf(started, 'owners:read events:read'))('GET', 'clients'),
    {
      reason: 'missing_permission',
      expected: ['clients:read'],
      difference: 'the token allows events:read owners:read',
      client: 'latchkey-admin',
    },
  ],
  'a token without the permission at /forward-auth': [
    async () =>
      ask(
        `/forward-auth?resource=${started.issuer}/api/photos&scope=photos:read photos:write`,
        bearer(await ownToken({ scope: 'photos:read' })),
      ),
    {
      reason: 'missing_permission',
      expected: ['photos:read', 'photos:write'],
      difference: 'the token allows photos:read',
      client: 'nightly-report',
    },
  ],
  'a token without a word at /userinfo': [
    async () => ask('/userinfo', bearer(await alicesToken('photos:read'))),
    {
      reason: 'missing_permission',
      expected: ['openid'],
      difference: 'the token allows photos:read',
    },
  ],
  'a limit of the admin API': [
    () => operator('GET', 'clients?limit=0'),
    { reason: 'bad_limit', received: ['limit 0'], client: 'latchkey-admin' },
  ],
  'an unknown path': [
    () => ask('/oauth/nothing'),
    { reason: 'unknown_path', received: ['path /oauth/nothing'] },
  ],
  'a wrong method': [() => ask('/token'), { reason: 'wrong_method', received: ['path /token'] }],
  'an unknown host': [
    () => ask('http://elsewhere.example/token', { method: 'POST' }),
    { reason: 'unknown_host', received: ['Host elsewhere.example'] },
  ],
  'a wrong password on the page': [
    async () => {
      const browser = new Browser(started)
      return browser.logIn(await browser.go('/login'), 'alice', 'wrong')
    },
    { reason: 'wrong_password', client: null },
  ],
  'a page of the console after a login with one factor': [
    async () => {
      const visitor = await newVisitor(started)
      await giveRoles(visitor, ['operator'])
      const { browser, username } = visitor
      await browser.logIn(await browser.go('/login'), username, password)
      return browser.ask('/admin')
    },
    {
      reason: 'console_factor_needed',
      received: ['path /admin'],
      expected: ['a login with two factors'],
      rule: /docs\/console\.md/,
    },
  ],
}

/** A code that is redeemed with another redirect_uri. */
const redeemElsewhere = async (): Promise<Answer> => {
  const browser = new Browser(started)
  const page = await browser.logIn(
    await browser.go(
      authorizePath({
        response_type: 'code',
        client_id: 'photo-printer',
        redirect_uri: callback,
        scope: 'photos:read',
      }),
    ),
    'alice',
    'wonderland',
  )
  const answer = await browser.submit(page, { decision: 'allow' })
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
  return redeem(started, code, photoPrinter, { redirect_uri: `${callback}?a=b` })
}

describe('each refusal is explained by its reference', () => {
  for (const [name, [refuse, expectation]] of Object.entries(refusals)) {
    test(name, async () => {
      const found = await explained(await refuse())
      const { reason, received, expected, difference, client, rule } = expectation
      assert.equal(found.reason, reason)
      const values = found.received.map(
        (one: { name: string; value: string }) => `${one.name} ${one.value}`,
      )
      if (received !== undefined) assert.deepEqual(values, received)
      if (expected !== undefined) assert.deepEqual(found.expected, expected)
      assert.equal(found.difference, difference ?? null)
      if (client !== undefined) assert.equal(found.client_id, client)
      assert.match(found.rule, rule ?? /\w/)
      assert.match(found.fix, /^[A-Z].*\.$/)
    })
  }

  test('the whole of one', async () => {
    const answer = await token({ grant_type: 'client_credential' }, nightlyReport)
    const { request: kept, ...rest } = await explained(answer)
    assert.deepEqual(rest, {
      reference: answer.reference,
      at: started.now(),
      kept_until: started.now() + recordLimits.refusalSeconds,
      method: 'POST',
      route: '/token',
      status: 400,
      error: 'unsupported_grant_type',
      error_description: answer.body.error_description,
      reason: 'unknown_grant_type',
      rule: 'RFC 6749 section 5.2',
      received: [{ name: 'grant_type', value: 'client_credential' }],
      expected: [answer.body.error_description],
      difference: null,
      fix: 'Send a grant_type that the metadata lists.',
      client_id: 'nightly-report',
      client_authenticated: true,
      owner_id: null,
      network: '127.0.0.*',
    })
    const secret = 'Basic: client_id nightly-report and a client secret of 21 characters'
    assert.deepEqual(kept, [
      { name: 'grant_type', value: 'client_credential' },
      { name: 'path', value: '/token' },
      { name: 'Authorization', value: secret },
      { name: 'Host', value: new URL(started.issuer).hostname },
      { name: 'Content-Type', value: 'application/x-www-form-urlencoded' },
    ])
  })

  test('the same reference is on the page, in the header and in the log', async () => {
    const page = await request({ redirect_uri: 'https://elsewhere.example/' })
    const { reference } = page
    assert.ok(reference !== null && page.text.includes(reference))
    const line = started.notices.find(({ requestId }) => requestId === reference)
    assert.equal(line?.reason, 'unregistered_redirect_uri')
    const answer = await ask('/token', { method: 'POST', headers: { origin: 'https://a.example' } })
    const exposed = answer.headers.get('access-control-expose-headers') ?? ''
    assert.ok(exposed.includes('Latchkey-Reference'))
  })

  test('a form that is shown again names it, and one that is shown first does not', async () => {
    const { fetch } = started.server()
    const shown = async (init?: RequestInit) => {
      const answer = await fetch(new Request(`${started.issuer}/login`, init), '127.0.0.1')
      const text = await answer.text()
      const [, named = null] = /Reference: <code>([^<]+)<\/code><\/p>\n<\/main>/.exec(text) ?? []
      return { answer, text, named, header: answer.headers.get('latchkey-reference') }
    }
    const first = await shown()
    assert.deepEqual([first.named, first.header], [null, null])
    const [cookie = ''] = (first.answer.headers.getSetCookie()[0] ?? '').split(';')
    const [form] = formsOf(first.text)
    const fields = { ...form?.fields, username: 'alice', password: 'a guess' }
    const again = await shown({
      method: 'POST',
      body: formBody(fields),
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(again.answer.status, 403)
    assert.match(again.text, /name="password"/)
    assert.equal(again.named, again.header)
    const { status, body } = await operator('GET', `refusals/${again.named}`)
    assert.deepEqual([status, body.reason], [200, 'wrong_password'])
  })
})

describe('who may ask', () => {
  const refused = (): Promise<Answer> =>
    token({ grant_type: 'refresh_token', refresh_token: 'lk_rt_x' }, photoPrinter)
  const basic = ([id, secret]: readonly [string, string]): Init => ({
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
  })

  test('a client asks about its own requests, in both ways', async () => {
    const { reference } = await refused()
    const { body } = await ask(`/explain/${reference}`, basic(photoPrinter))
    assert.equal(body.reason, 'unknown_refresh_token')
    assert.deepEqual(
      Object.keys(body).filter((name) => /owner|network|authenticated/.test(name)),
      [],
    )
    const [client_id, client_secret] = photoPrinter
    const form = { reference: reference ?? '', client_id, client_secret }
    assert.deepEqual((await started.post('/explain', form)).body, body)
  })

  test('also about a request that only named it', async () => {
    const { reference } = await request({ redirect_uri: `${callback}/` })
    const { status, body } = await ask(`/explain/${reference}`, basic(photoPrinter))
    assert.deepEqual([status, body.reason], [200, 'unregistered_redirect_uri'])
  })

  test('another client, or an unknown reference, is answered alike', async () => {
    const { reference } = await refused()
    const others = [
      await ask(`/explain/${reference}`, basic(nightlyReport)),
      await ask(`/explain/${neverGiven(reference)}`, basic(photoPrinter)),
      await ask('/explain/x', basic(photoPrinter)),
    ]
    for (const { status, body } of others) {
      assert.deepEqual(
        [status, body],
        [
          404,
          {
            error: 'not_found',
            error_description: 'no refused request of this client is kept under this reference',
          },
        ],
      )
    }
  })

  test('nobody without a proof', async () => {
    const { reference } = await refused()
    assert.equal((await ask(`/explain/${reference}`)).status, 401)
    const form = { reference: reference ?? '', client_id: 'gallery' }
    assert.equal((await started.post('/explain', form)).status, 401)
  })

  test('a client learns nothing of the credentials of others', async () => {
    const { refresh_token } = await obtainTokens(started)
    const form = { grant_type: 'refresh_token', refresh_token }
    const answer = await token(form, houseApp)
    assert.equal((await explained(answer)).reason, 'refresh_token_of_other_client')
    const unknown = await token({ ...form, refresh_token: 'lk_rt_x' }, houseApp)
    const [told, other] = await Promise.all(
      [answer, unknown].map(async ({ reference }) => {
        const { body } = await ask(`/explain/${reference}`, basic(houseApp))
        const { reference: _reference, received: _received, request: _request, ...rest } = body
        return rest
      }),
    )
    assert.deepEqual(told, other)
  })

  test('an operator without the permission does not', async () => {
    const other = await operatorOf(started, 'clients:read')
    const { reference } = await refused()
    assert.equal((await other('GET', `refusals/${reference}`)).status, 403)
    assert.equal((await other('GET', 'refusals')).status, 403)
  })
})

describe('the list of refusals', () => {
  test('is newest first, with filters and pages', async () => {
    for (const secret of ['one', 'two', 'three']) {
      await token({ grant_type: 'client_credentials' }, ['latchkey-admin', secret])
    }
    const first = await operator(
      'GET',
      'refusals?client=latchkey-admin&reason=wrong_secret&limit=2',
    )
    assert.equal(first.body.items.length, 2)
    const rest = await operator(
      'GET',
      `refusals?client=latchkey-admin&reason=wrong_secret&after=${first.body.next}`,
    )
    assert.deepEqual([rest.body.items.length, rest.body.next], [1, null])
    const of = async (query: string): Promise<number> =>
      (await operator('GET', `refusals?client=latchkey-admin&${query}`)).body.items.length
    assert.equal(await of('error=invalid_client&network=127.0.0.*'), 3)
    assert.equal(await of('error=invalid_client&network=192.0.2.*'), 0)
    assert.equal(await of('reason=wrong_secret&status=401&route=/token'), 3)
    assert.equal(await of('reason=wrong_secret&route=/authorize'), 0)
    assert.equal(await of('status=500'), 0)
    assert.equal(await of(`reason=wrong_secret&since=${started.now()}`), 3)
    assert.equal(await of(`since=${started.now() + 1}`), 0)
    assert.equal(await of(`until=${started.now()}`), 0)
  })

  for (const query of [
    'reason=A',
    'network=x',
    'error=nothing',
    'after=x',
    'client=a b',
    'more=1',
    'route=x',
    'status=200',
    'since=x',
  ]) {
    test(`refuses ${query}`, async () => {
      assert.equal((await operator('GET', `refusals?${query}`)).status, 400)
    })
  }
})

describe('the page of the console', () => {
  test('explains a reference to operators and auditors', async () => {
    // Among those of one moment chance decides the order, and the list shows the newest.
    await started.advance(1)
    const { reference } = await request({ redirect_uri: `${callback}/` })
    const { browser } = await newConsoleVisitor(started, ['auditor'])
    const page = await browser.ask(`/admin/explain?reference=${reference?.toUpperCase()}`)
    assert.equal(page.status, 200)
    for (const said of ['unregistered_redirect_uri', 'a slash too many', `${callback}/</code>`]) {
      assert.ok(page.text.includes(said), said)
    }
    for (const link of [
      'explain?reason=unregistered_redirect_uri',
      `events?reference=${reference}`,
      'clients/photo-printer',
    ]) {
      assert.ok(page.text.includes(`href="/admin/${link}"`), link)
    }
    const events = await browser.ask(`/admin/events?reference=${reference}`)
    assert.ok(events.text.includes(`href="/admin/explain?reference=${reference}"`))
    const nothing = await browser.ask('/admin/explain?reference=%22%3E%3Cb%3E')
    assert.match(nothing.text, /Nothing is kept under <code>&quot;&gt;&lt;b&gt;<\/code>/)
  })
})

describe('the list in the console', () => {
  test('has filters, which stay on the next page', async () => {
    for (let i = 0; i < consoleLimits.refusalRows + 1; i++) {
      await token({ grant_type: `kind-${i}` }, houseApp)
      // Between two writings there is room for a few of one client.
      if (i % 20 === 0) await started.advance(2)
    }
    const { browser } = await newConsoleVisitor(started, ['auditor'])
    const rowsFor = async (query: string): Promise<number> => {
      const { status, text } = await browser.ask(`/admin/explain?${query}`)
      assert.equal(status, 200)
      return text.match(/<li><div><p><b><a/g)?.length ?? 0
    }
    const filters = 'client=house-app&reason=unknown_grant_type&error=unsupported_grant_type'
    const place = 'route=%2Ftoken&status=400&network=127.0.0.*'
    const page = await browser.ask(`/admin/explain?${filters}&${place}`)
    assert.equal(page.text.match(/<li><div><p><b><a/g)?.length, consoleLimits.refusalRows)
    const [, next = ''] = /href="(\/admin\/explain[^"]*after=[^"]+)"/.exec(page.text) ?? []
    const last = await browser.ask(next.replaceAll('&amp;', '&'))
    assert.equal(last.text.match(/<li><div><p><b><a/g)?.length, 1)
    assert.equal(await rowsFor('client=house-app&status=401'), 0)
    assert.equal(await rowsFor('client=house-app&status=x'), 0)
    assert.equal(await rowsFor('client=house-app&until=2026-11-20T12:00'), 0)
  })
})

describe('a reference that is not kept', () => {
  test('tells when it was made, and where to look', async () => {
    const { reference } = await token({}, nightlyReport)
    const { status, body } = await operator('GET', `refusals/${neverGiven(reference)}`)
    const time = new Date(started.now() * 1000).toISOString()
    const detail = `no refusal is kept under this reference of ${time}: look for it in the log, as requestId`
    assert.deepEqual([status, body.detail], [404, detail])
    const nothing = await operator('GET', 'refusals/nothing')
    assert.equal(nothing.body.detail, 'a reference has 26 letters and digits')
  })

  test('goes after seven days', async () => {
    const answer = await token({}, nightlyReport)
    await explained(answer)
    started.pass(recordLimits.refusalSeconds)
    const later = await operatorOf(started)
    assert.equal((await later('GET', `refusals/${answer.reference}`)).status, 404)
  })
})
