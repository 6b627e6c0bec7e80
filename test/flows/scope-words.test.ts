/** Scopes with words of OpenID Connect, in every form: what is asked, shown, granted and reported. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askFor, enter, sentTo } from '../support/authorization.ts'
import { answerOf, type Browser, formsOf, type Page } from '../support/browser.ts'
import { houseApp, latchkeyAdmin, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { galleryRequest } from '../support/gallery.ts'
import { authorizePath, callback, codeRequest, obtainTokens } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { assertRefused, introspect, redeem, refresh } from '../support/tokens.ts'
import { everything } from '../support/told.ts'
import { bearer, type Operator, operatorOf } from './operator.ts'

let browser: Browser
let operator: Operator
const service = startBefore(start, async () => {
  browser = await enter(service)
  operator = await operatorOf(service)
})

const ask = (scope: string | undefined, changes: object = {}): Promise<Page> =>
  browser.go(
    authorizePath({
      ...codeRequest,
      ...(scope === undefined ? {} : { scope }),
      prompt: 'consent',
      ...changes,
    }),
  )

/** The rows of a consent page, each with what a browser could do to it. */
const rowsOf = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<input type="checkbox" name="permission" value="([^"]+)"([^>]*)>/g)].map(
    ([, value = '', rest = '']) =>
      value +
      (rest.includes('disabled') ? ' fixed' : '') +
      (rest.includes('checked') ? '' : ' off'),
  )

const granted = async (page: Page, client = photoPrinter as readonly [string, string]) => {
  const decided = await browser.submit(page, { decision: 'allow' })
  const { status, body, text } = await redeem(service, answerOf(decided).code ?? '', client)
  assert.equal(status, 200, text)
  return body
}

const register = async (metadata: object) => {
  const { status, body, text } = await operator('POST', 'clients', {
    redirect_uris: [callback],
    ...metadata,
  })
  assert.equal(status, 201, text)
  return body
}

const photos = ['photos:read', 'photos:write']

describe('what a scope asks for', () => {
  /** A scope, the rows of its consent page, and the scope of the answer. */
  const rows: readonly (readonly [string | undefined, readonly string[], string])[] = [
    // Only words: never a write, nor anything of a resource.
    ['openid', ['openid fixed'], 'openid'],
    ['profile', ['profile'], 'profile'],
    ['email', ['email'], 'email'],
    ['address', ['address'], 'address'],
    ['phone', ['phone'], 'phone'],
    ['openid profile email', ['openid fixed', 'profile', 'email'], 'email openid profile'],
    ['openid,profile,email', ['openid fixed', 'profile', 'email'], 'email openid profile'],
    ['openid, profile email', ['openid fixed', 'profile', 'email'], 'email openid profile'],
    [' email,,openid , profile ', ['openid fixed', 'profile', 'email'], 'email openid profile'],
    ['openid openid email', ['openid fixed', 'email'], 'email openid'],
    [
      'phone address email profile openid',
      ['openid fixed', 'profile', 'email', 'address', 'phone'],
      'address email openid phone profile',
    ],
    // Beside permissions.
    ['openid photos:read', ['photos:read', 'openid fixed'], 'openid photos:read'],
    ['photos:read,email', ['photos:read', 'email'], 'email photos:read'],
    ['photos email', [...photos, 'email'], 'email photos:read photos:write'],
    ['photos', photos, 'photos:read photos:write'],
    ['photos:write', ['photos:write'], 'photos:write'],
    // A refresh token comes with or without it.
    ['openid offline_access', ['openid fixed', 'offline_access fixed'], 'offline_access openid'],
    [
      'photos:read offline_access',
      ['photos:read', 'offline_access fixed'],
      'offline_access photos:read',
    ],
    // Unknown names beside known ones: words are known to the letter, and have no actions.
    ['openid attic', ['openid fixed'], 'openid'],
    ['email email:read email:write Email EMAIL mail', ['email'], 'email'],
    ['profile:read profile:write profile', ['profile'], 'profile'],
    ['photos:read openid: :openid openid_ connect', ['photos:read'], 'photos:read'],
    ['openid clients:read owners:write', ['openid fixed'], 'openid'],
    // Nothing asked: every permission that is registered, and no word.
    [
      undefined,
      ['photos', 'contacts', 'calendar'].flatMap((name) => [`${name}:read`, `${name}:write`]),
      everything,
    ],
  ]
  for (const [scope, shown, reported] of rows) {
    test(JSON.stringify(scope) ?? 'nothing', async () => {
      const page = await ask(scope)
      assert.deepEqual(rowsOf(page).toSorted(), shown.toSorted())
      const { access_token, scope: answered, refresh_token } = await granted(page)
      assert.equal(answered, reported)
      assert.ok(refresh_token)
      assert.equal((await introspect(service, access_token)).scope, reported)
      assert.equal((await introspect(service, refresh_token)).scope, reported)
    })
  }

  const alone = ['offline_access', 'openid:read', 'profile:write', 'attic', 'Openid', 'open_id']
  for (const scope of alone) {
    test(`${scope} alone is refused`, async () => {
      const said = `scope names no permission that this client may ask for: ${scope}`
      assert.deepEqual(sentTo(await askFor(service, { scope }, browser), `${callback}?`), {
        error: 'invalid_scope',
        error_description: said,
        state: 'xyz',
        iss: service.issuer,
      })
      const login = { username: 'alice', password: 'wonderland' }
      const form = { grant_type: 'password', ...login, scope }
      assertRefused(await service.post('/token', form, houseApp), 'invalid_scope', said)
    })
  }

  test('what is left out is said on the page', async () => {
    const page = await ask('openid attic photos:read clients:write')
    const left = /Asked, not given<\/dt><dd><code>([^<]*)<\/code>/
    assert.equal(left.exec(page.text)?.[1], 'attic, clients:write')
    assert.doesNotMatch((await ask('openid photos:read')).text, /Asked, not given/)
    const many = Array.from({ length: 12 }, (_, at) => `attic${at}`)
    const told = left.exec((await ask(`openid ${many.join(' ')}`)).text)?.[1]
    assert.equal(told, `${many.slice(0, 10).join(', ')}, ...`)
  })
})

describe('consent', () => {
  test('shows what the application would see, in its own part of the page', async () => {
    const { client_id } = await register({ grant_types: ['authorization_code', 'refresh_token'] })
    const scope = 'openid profile email address phone offline_access photos:read'
    const { text } = await ask(scope, { client_id })
    const [, about = ''] = /(<legend class="group">About you[\s\S]*?)<\/fieldset>/.exec(text) ?? []
    const lines = about.split('<label').map((line) =>
      line
        .replaceAll(/<[^>]*>|^[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    assert.deepEqual(lines, [
      'About you',
      'Knows that it is you Required',
      'Profile Gender female Birthday 1990-05-04 11 more: name, family name, given name, middle name, nickname, username, profile page, picture, website, time zone and language Name Alice Liddell Family name Liddell Given name Alice Middle name Pleasance Nickname Ally Username alice Profile page https://alice.example.com/ Picture https://alice.example.com/portrait.jpg Website https://alice.example.com/photos Time zone Europe/London Language en-GB',
      'Email alice@example.com',
      'Address 6 Deanery Lane, Oxford OX1 1DP, United Kingdom',
      'Phone +44 1865 496 0101',
      'Keeps its access while you are away Required',
    ])
  })

  test('with words alone asks who the owner is, without a table of things', async () => {
    const { client_id } = await register({ client_name: 'Shop' })
    const { text } = await ask('openid email', { client_id })
    assert.match(text, /<h1><bdi class="name">Shop<\/bdi> wants to know your email address<\/h1>/)
    assert.doesNotMatch(text, /photos:read/)
  })

  test('speaks Chinese', async () => {
    const { text } = await ask('openid email offline_access', { ui_locales: 'zh' })
    for (const words of ['关于您', '知道是您本人', 'alice@example.com', '在您离开时继续访问']) {
      assert.ok(text.includes(words), words)
    }
  })

  const choose = async (asked: string, permission: readonly string[]) => {
    const page = await ask(asked)
    return browser.submit(page, { decision: 'allow', permission: [...permission] })
  }

  test('what the owner unticks is not granted, and what was allowed of it before is taken back', async () => {
    await granted(await ask('openid profile email'))
    const decided = await choose('openid profile email photos:read', ['openid', 'email'])
    const { body } = await redeem(service, answerOf(decided).code ?? '')
    assert.equal(body.scope, 'email openid')
    const { body: list } = await operator('GET', 'authorizations?client=photo-printer')
    for (const { permissions } of list.items) assert.equal(permissions.includes('profile'), false)
  })

  test('openid goes along with whatever is allowed', async () => {
    const without = await choose('openid email', ['email'])
    assert.equal(without.status, 400)
    assert.match(without.text, /cannot work without one of the permissions/)
    const nothing = await choose('photos:read openid', ['openid'])
    assert.equal((await redeem(service, answerOf(nothing).code ?? '')).body.scope, 'openid')
  })

  test('offline_access alone is nothing: that is a denial', async () => {
    const decided = await choose('photos:read offline_access', ['offline_access'])
    assert.equal(answerOf(decided).error, 'access_denied')
  })

  test('a word that was not asked for cannot be ticked', async () => {
    const decided = await choose('openid', ['openid', 'email'])
    assert.equal(decided.status, 400)
    assert.match(decided.text, /does not fit what the application asked for/)
  })

  test('what was allowed answers without a page, until a further word is asked', async () => {
    const { body: made } = await operator('POST', 'clients', {
      redirect_uris: [callback],
      scope: 'photos:read',
    })
    const request = (scope: string) =>
      authorizePath({ ...codeRequest, client_id: made.client_id, scope })
    const first = await browser.go(request('openid email'))
    await browser.submit(first, { decision: 'allow', duration: 'forever' })
    for (const scope of ['openid', 'email', 'email openid']) {
      assert.ok(answerOf(await browser.go(request(scope))).code, scope)
    }
    const more = await browser.go(request('openid email phone'))
    assert.deepEqual(rowsOf(more), ['phone'])
    const fields = formsOf(more.text)[0]?.fields ?? {}
    assert.deepEqual([fields.permission, fields.settled], [['phone'], ['openid', 'email']])
  })
})

describe('what was allowed', () => {
  const scope = 'openid email phone offline_access photos:read'

  /** Allows a client of its own, and shows the page of it to its owner. */
  const allow = async () => {
    const client = await register({ grant_types: ['authorization_code', 'refresh_token'] })
    const as = [client.client_id, client.client_secret] as const
    const tokens = await granted(await ask(scope, { client_id: client.client_id }), as)
    const { body } = await operator('GET', `authorizations?client=${client.client_id}`)
    return { client, as, tokens, authorization: body.items[0] }
  }

  /** The form of one access on the account page. */
  const formFor = async (id: string) => {
    const { text } = await browser.go(`/account/access/${id}`)
    const [, card = ''] = text.split(`name="authorization" value="${id}"`)
    const found = formsOf(text).find(({ fields }) => fields.authorization?.includes(id))
    assert.ok(found)
    return { fields: found.fields, text: card.split('</section>')[0] ?? '' }
  }

  test('stands on the account page, and is narrowed there at once', async () => {
    const { as, tokens, authorization } = await allow()
    const told = async () => (await service.ask('/userinfo', bearer(tokens.access_token))).body
    assert.equal((await told()).email, 'alice@example.com')
    const { fields, text } = await formFor(authorization.id)
    const [, about = ''] = /<ul class="may"[^>]*>([\s\S]*?)<\/ul>/.exec(text) ?? []
    assert.equal(
      about
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
      'See your photos Knows that it is you Sees your email address Sees your phone number Keeps its access while you are away',
    )
    const shown = ['photos:read', 'openid', 'email', 'phone', 'offline_access']
    assert.deepEqual([fields.permission, fields.shown], [shown, [shown.join(' ')]])
    const kept = shown.filter((name) => name !== 'email')
    const done = await browser.ask('/account', { ...fields, permission: kept, action: 'narrow' })
    assert.equal(done.status, 303)
    const { email, phone_number } = await told()
    assert.deepEqual([email, phone_number], [undefined, '+44 1865 496 0101'])
    const next = await refresh(service, tokens.refresh_token, as)
    assert.equal(next.body.scope, 'offline_access openid phone photos:read')
  })

  test('ends with the last of it, though offline_access cannot be switched off', async () => {
    const { as, tokens, authorization } = await allow()
    const { fields } = await formFor(authorization.id)
    const nothing = { ...fields, permission: ['offline_access'], action: 'narrow' }
    assert.equal((await browser.ask('/account', nothing)).status, 303)
    assert.equal((await introspect(service, tokens.access_token, as)).active, false)
    assert.equal((await refresh(service, tokens.refresh_token, as)).body.error, 'invalid_grant')
    const ended = (await browser.go('/account/ended')).text
    assert.match(ended, /See photos, know your email address and your phone number<\/span>/)
  })

  test('is told among what happened', async () => {
    await allow()
    const { text } = await browser.go('/account/events')
    assert.match(
      text.replaceAll(/<[^>]*>/g, ''),
      /You allowed [^:]*: Photos \(see\), Email address, Access while you are away, Your identity, Phone number\./,
    )
  })

  test('an operator narrows it by name, and by nothing unknown', async () => {
    const { authorization } = await allow()
    const path = `authorizations/${authorization.id}`
    const { body } = await operator('PATCH', path, { permissions: ['openid', 'email'] })
    assert.deepEqual(body.permissions, ['email', 'openid'])
    assert.equal((await operator('PATCH', path, { scope: 'email:read' })).status, 400)
  })
})

describe('clients', () => {
  test('every client may ask for words, whatever it registered', async () => {
    const made = await register({ scope: 'photos:read' })
    assert.equal(made.scope, 'photos:read')
    const page = await ask('openid email photos contacts', { client_id: made.client_id })
    assert.deepEqual(rowsOf(page), ['photos:read', 'openid fixed', 'email'])
    const { scope } = await granted(page, [made.client_id, made.client_secret])
    assert.equal(scope, 'email openid photos:read')
  })

  test('words may be registered: they are kept, and asked for by name alone', async () => {
    const made = await register({ scope: 'openid email photos:read' })
    assert.equal(made.scope, 'email openid photos:read')
    const page = await ask(undefined, { client_id: made.client_id })
    assert.deepEqual(rowsOf(page), ['photos:read'])
  })

  test('a client of words alone has to name what it asks for', async () => {
    const made = await register({ scope: 'openid email' })
    const request = { ...codeRequest, client_id: made.client_id }
    const refused = sentTo(
      await browser.ask(service.issuer + authorizePath(request)),
      `${callback}?`,
    )
    assert.equal(refused.error, 'invalid_scope')
    assert.equal(
      refused.error_description,
      'scope is missing, and the client is registered for no permission',
    )
    assert.deepEqual(rowsOf(await ask('openid', { client_id: made.client_id })), ['openid fixed'])
  })

  test('without a scope a client of the operator is registered for permissions alone', async () => {
    assert.equal((await register({})).scope, everything)
    const { body } = await service.ask('/register', { json: { redirect_uris: [callback] } })
    assert.equal(body.scope, '')
  })

  test('a client that registers itself may name words, and change them', async () => {
    const json = { redirect_uris: [callback], scope: 'openid photos:read attic' }
    const { body } = await service.ask('/register', { json })
    assert.equal(body.scope, 'openid photos:read')
    const path = `/register/${body.client_id}`
    const change = {
      client_id: body.client_id,
      redirect_uris: [callback],
      scope: 'email profile photos contacts',
    }
    const as = bearer(body.registration_access_token)
    const changed = await service.ask(path, { method: 'PUT', json: change, ...as })
    assert.deepEqual(
      [changed.status, changed.body.scope],
      [200, 'contacts:read contacts:write email photos:read photos:write profile'],
    )
  })

  test('a word may be required, and is then not to be unticked', async () => {
    const made = await register({ scope: 'photos', required_scope: 'email' })
    assert.equal(made.required_scope, 'email')
    const page = await ask('photos:read email', { client_id: made.client_id })
    assert.deepEqual(rowsOf(page), ['photos:read', 'email fixed'])
    const { body } = await operator('POST', 'clients', {
      redirect_uris: [callback],
      scope: 'photos',
      required_scope: 'contacts:read',
    })
    assert.equal(body.title, 'invalid_client_metadata')
  })

  test('one without refresh tokens gets no offline_access, and the page says so', async () => {
    const made = await register({ grant_types: ['authorization_code'] })
    const page = await ask('openid offline_access', { client_id: made.client_id })
    assert.deepEqual(rowsOf(page), ['openid fixed'])
    assert.match(page.text, /Asked, not given<\/dt><dd><code>offline_access<\/code>/)
    const body = await granted(page, [made.client_id, made.client_secret])
    assert.deepEqual([body.scope, body.refresh_token], ['openid', undefined])
  })
})

describe('other ways to a token', () => {
  test('the password grant', async () => {
    const rows = {
      'openid email': 'email openid',
      'photos:read,offline_access': 'offline_access photos:read',
      'phone attic': 'phone',
      '': everything,
    }
    for (const [scope, answered] of Object.entries(rows)) {
      const login = { username: 'alice', password: 'wonderland' }
      const form = { grant_type: 'password', ...login, scope }
      assert.equal((await service.post('/token', form, houseApp)).body.scope, answered)
    }
  })

  test('client credentials: words have no meaning without an owner', async () => {
    const form = { grant_type: 'client_credentials' }
    const mixed = await service.post(
      '/token',
      { ...form, scope: 'openid photos:read' },
      nightlyReport,
    )
    assert.equal(mixed.body.scope, 'photos:read')
    const said = 'scope names no permission that this client may ask for: openid, email'
    for (const client of [nightlyReport, latchkeyAdmin]) {
      const refused = await service.post('/token', { ...form, scope: 'openid email' }, client)
      assertRefused(refused, 'invalid_scope', said)
    }
  })

  test('the implicit response: words, but never offline_access', async () => {
    const { code_challenge: _, code_challenge_method: __, ...request } = galleryRequest
    const asked = { ...request, response_type: 'token', scope: 'openid email offline_access' }
    const page = await browser.go(authorizePath(asked))
    assert.deepEqual(rowsOf(page), ['openid fixed', 'email'])
    const decided = await browser.submit(page, { decision: 'allow' })
    const answer = new URLSearchParams(new URL(decided.headers.get('location') ?? '').hash.slice(1))
    assert.equal(answer.get('scope'), 'email openid')
    const { body } = await service.ask('/userinfo', bearer(answer.get('access_token') ?? ''))
    assert.equal(body.email, 'alice@example.com')
  })
})

describe('refresh', () => {
  const scope = 'openid email offline_access photos:read'

  test('asks for less, and for all of it again', async () => {
    const { refresh_token: first } = await obtainTokens(service, { ...codeRequest, scope })
    const whole = 'email offline_access openid photos:read'
    let token = first
    const rows = [
      ['email', 'email'],
      ['photos,openid', 'openid photos:read'],
      [scope, whole],
    ] as const
    for (const [asked, answered] of rows) {
      const { status, body } = await refresh(service, token, photoPrinter, { scope: asked })
      assert.deepEqual([status, body.scope], [200, answered])
      token = body.refresh_token
    }
    assert.equal((await refresh(service, token)).body.scope, whole)
  })

  test('never asks for more', async () => {
    const { refresh_token } = await obtainTokens(service, { ...codeRequest, scope })
    for (const names of ['phone', 'profile', 'contacts:read', 'attic']) {
      const answer = await refresh(service, refresh_token, photoPrinter, {
        scope: `email ${names}`,
      })
      const said = `scope asks for more than the refresh token was granted: ${names}`
      assertRefused(answer, 'invalid_scope', said)
    }
    const alone = await refresh(service, refresh_token, photoPrinter, { scope: 'offline_access' })
    assert.equal(alone.body.error, 'invalid_scope')
  })
})

describe('resource (RFC 8707)', () => {
  const scope = 'openid email offline_access photos:read contacts:read'
  const at = (path: string): string => service.issuer + path

  test('words are for the service as a whole, at its userinfo', async () => {
    const { access_token } = await obtainTokens(service, { ...codeRequest, scope })
    assert.deepEqual((await introspect(service, access_token)).aud, [
      at('/api/contacts'),
      at('/userinfo'),
      at('/api/photos'),
    ])
  })

  test('at the token endpoint it narrows one access token, and the next has all of it', async () => {
    const code = answerOf(await browser.submit(await ask(scope), { decision: 'allow' })).code ?? ''
    const one = await redeem(service, code, photoPrinter, { resource: at('/api/photos') })
    assert.equal(one.body.scope, 'offline_access photos:read')
    const { aud } = await introspect(service, one.body.access_token)
    assert.deepEqual(aud, [at('/api/photos')])
    assert.equal((await service.ask('/userinfo', bearer(one.body.access_token))).status, 401)
    const next = await refresh(service, one.body.refresh_token, photoPrinter, { resource: at('') })
    assert.equal(next.body.scope, 'contacts:read email offline_access openid photos:read')
    const words = await refresh(service, next.body.refresh_token, photoPrinter, {
      scope: 'openid',
      resource: at('/api/photos'),
    })
    assert.equal(words.body.error, 'invalid_target')
  })

  test('at the authorization endpoint it narrows the permissions, and leaves the words', async () => {
    const page = await ask(scope, { resource: at('/api/photos') })
    assert.deepEqual(rowsOf(page), ['photos:read', 'openid fixed', 'email', 'offline_access fixed'])
    assert.match(page.text, /Asked, not given<\/dt><dd><code>contacts:read<\/code>/)
    assert.equal((await granted(page)).scope, 'email offline_access openid photos:read')
  })

  test('one that the scope does not reach is refused at once', async () => {
    const changes = { scope: 'openid email offline_access', resource: at('/api/photos') }
    const refused = sentTo(await askFor(service, changes, browser), `${callback}?`)
    assert.equal(refused.error, 'invalid_target')
    assert.deepEqual(rowsOf(await ask('openid email', { resource: at('/') })), [
      'openid fixed',
      'email',
    ])
  })
})
