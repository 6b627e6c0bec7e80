/**
 * AC-14, RF-13: whatever secret of one kind comes to the door of another, the door stays shut, and
 * nothing is used up by trying. Every kind at every door, also dressed up with the prefix of another.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operatorOf } from '../flows/operator.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { latchkeyAdmin, photoPrinter } from '../support/demo-clients.ts'
import { startWithJwts } from '../support/elsewhere.ts'
import { forge } from '../support/forgery.ts'
import { authorizePath, callback, codeRequest, obtainCode, walk } from '../support/printing.ts'
import { openSite, type Site } from '../support/site.ts'
import { type Answer, basic, type Started } from '../support/start.ts'
import { assertRefused, redeem, refresh } from '../support/tokens.ts'

let service: Started
/** The client's own, for logout tokens. */
let site: Site
let client: readonly [string, string]
let registered: string
let browser: Browser
/** One secret of each kind, all of them good. */
let held: Readonly<Record<string, string>>
/** A request that alice approved before, so it needs no page. */
let silent: string

/** The value of a field in the first form of a page that has it. */
const fieldOf = (html: string, name: string): string => {
  const found = formsOf(html).find(({ fields }) => name in fields)
  return found?.fields[name]?.[0] ?? ''
}

/** Alice logs in with another browser, and out again: the client is told. */
const logoutTokenOf = async (request: Readonly<Record<string, string>>): Promise<string> => {
  const other = new Browser(service)
  const page = await walk(service, request, {}, other)
  await redeem(service, answerOf(page).code ?? '', client)
  await other.submit(await other.go('/logout'), { decision: 'logout' })
  await service.advance(1)
  return new URLSearchParams(site.requests[0]?.body).get('logout_token') ?? ''
}

before(async () => {
  service = await startWithJwts()
  site = await openSite((_incoming, outgoing) => outgoing.end())
  await service.advance(40)
  const operator = await operatorOf(service)
  const { body: made } = await operator('POST', 'clients', {
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    userinfo_signed_response_alg: 'RS256',
    backchannel_logout_uri: `http://127.0.0.1:${site.port}/`,
  })
  client = [made.client_id, made.client_secret]
  const { body: self } = await service.ask('/register', { json: { redirect_uris: [callback] } })
  registered = self.client_id
  browser = new Browser(service)
  const scope = 'openid photos contacts calendar'
  const request = { ...codeRequest, client_id: made.client_id, scope }
  const login = await browser.go(authorizePath(request))
  const consent = await browser.logIn(login, 'alice', 'wonderland')
  const allowed = await browser.submit(consent, { decision: 'allow' })
  const { body: tokens } = await redeem(service, answerOf(allowed).code ?? '', client)
  const own = await service.post('/token', { grant_type: 'client_credentials' }, client)
  const jwtForm = { grant_type: 'client_credentials', scope: 'orders:read' }
  const jwt = await service.post('/token', jwtForm, client)
  const admin = await service.post('/token', { grant_type: 'client_credentials' }, latchkeyAdmin)
  const bearer = { authorization: `Bearer ${tokens.access_token}` }
  const userinfo = await service.ask('/userinfo', { headers: bearer })
  const account = await browser.go('/account')
  const { code = '' } = answerOf(await browser.go(authorizePath(request)))
  const open = await browser.go(authorizePath({ ...request, prompt: 'consent' }))
  held = {
    code,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    ownAccessToken: own.body.access_token,
    adminAccessToken: admin.body.access_token,
    clientSecret: made.client_secret,
    registrationToken: self.registration_access_token,
    csrfToken: fieldOf(account.text, 'csrf'),
    journey: fieldOf(open.text, 'journey'),
    sessionCookie: browser.cookies.get('latchkey_session') ?? '',
    browserCookie: browser.cookies.get('latchkey_browser') ?? '',
    idToken: tokens.id_token,
    jwtAccessToken: jwt.body.access_token,
    userinfoJwt: userinfo.text,
    logoutToken: await logoutTokenOf(request),
  }
  silent = authorizePath({ ...request, prompt: 'none' })
})
after(async () => {
  await service.close()
  await site.close()
})

type Door = (text: string) => Promise<boolean>

const askFrom = (
  path: string,
  headers: Readonly<Record<string, string>>,
  form?: Readonly<Record<string, string>>,
) => service.ask(path, { headers, ...(form === undefined ? {} : { form }) })

const withToken = (path: string): Door => {
  return async (text) => (await askFrom(path, { authorization: `Bearer ${text}` })).status === 200
}

const cookiesWith = (name: string, text: string): string =>
  [...browser.cookies, [name, text]]
    .filter(([one], i, all) => all.findLastIndex(([other]) => other === one) === i)
    .map(([one, value]) => `${one}=${encodeURIComponent(value ?? '')}`)
    .join('; ')

/** Each door says whether it opened; the names are those of the kinds that may open it. */
const doors: readonly (readonly [string, readonly string[], Door])[] = [
  ['a Bearer header', ['accessToken', 'ownAccessToken'], withToken('/api/photos')],
  [
    'access_token in the query',
    ['accessToken', 'ownAccessToken'],
    async (text) => {
      const path = `/api/photos?access_token=${encodeURIComponent(text)}`
      return (await askFrom(path, { 'cache-control': 'no-store' })).status === 200
    },
  ],
  [
    'access_token in a form',
    ['accessToken', 'ownAccessToken'],
    async (text) => (await askFrom('/api/photos', {}, { access_token: text })).status === 200,
  ],
  ['userinfo', ['accessToken'], withToken('/userinfo')],
  ['the admin API', ['adminAccessToken'], withToken('/admin/api/clients')],
  [
    'introspection',
    ['accessToken', 'ownAccessToken', 'refreshToken', 'jwtAccessToken'],
    async (text) => (await service.post('/introspect', { token: text }, client)).body.active,
  ],
  [
    'client_secret in the body',
    ['clientSecret'],
    async (text) => {
      const form = { grant_type: 'client_credentials', client_id: client[0], client_secret: text }
      return (await askFrom('/token', {}, form)).status === 200
    },
  ],
  [
    'a secret by Basic',
    ['clientSecret'],
    async (text) => {
      const headers = { authorization: basic([client[0], text]) }
      return (await askFrom('/token', headers, { grant_type: 'client_credentials' })).status === 200
    },
  ],
  [
    'the management of a registration',
    ['registrationToken'],
    async (text) => withToken(`/register/${registered}`)(text),
  ],
  [
    'csrf',
    ['csrfToken'],
    async (text) => {
      const form = { csrf: text, authorization: 'none', action: 'end' }
      return (await browser.ask('/account', form)).status === 303
    },
  ],
  [
    'journey',
    ['journey'],
    async (text) => {
      const page = await browser.ask(`/authorize?journey=${encodeURIComponent(text)}`)
      return page.status === 302
    },
  ],
  [
    'the session cookie',
    ['sessionCookie'],
    async (text) => {
      const cookie = cookiesWith('latchkey_session', text)
      return (await askFrom('/account', { cookie })).status === 200
    },
  ],
  [
    'the browser cookie',
    ['browserCookie'],
    async (text) => {
      const cookie = cookiesWith('latchkey_browser', text)
      const path = `/authorize?journey=${encodeURIComponent(held.journey ?? '')}`
      return (await askFrom(path, { cookie })).status === 302
    },
  ],
  [
    'refresh_token',
    ['refreshToken'],
    async (text) => (await refresh(service, text, client)).status === 200,
  ],
  ['code', ['code'], async (text) => (await redeem(service, text, client)).status === 200],
  [
    'id_token_hint of a login',
    ['idToken'],
    async (text) =>
      'code' in answerOf(await browser.ask(`${silent}&id_token_hint=${encodeURIComponent(text)}`)),
  ],
  [
    'id_token_hint of a logout',
    ['idToken'],
    async (text) => {
      const page = await browser.ask(`/logout?id_token_hint=${encodeURIComponent(text)}`)
      return page.status === 303
    },
  ],
]

const prefix = /^lk_[a-z]+_/

/** A secret as it is, and in the clothes of each other kind. */
const disguises = (text: string): readonly string[] => {
  const bare = text.replace(prefix, '')
  return ['', 'lk_at_', 'lk_rt_', 'lk_ac_', 'lk_cs_', 'lk_reg_'].map((one) => one + bare)
}

describe('AC-14: every kind of secret at the door of every other', () => {
  test('there is one of each kind', () => {
    for (const [kind, text] of Object.entries(held)) assert.ok(text.length >= 43, kind)
    const prefixes = Object.values(held).map((text) => prefix.exec(text)?.[0] ?? '')
    const counted = ['lk_ac_', 'lk_at_', 'lk_rt_', 'lk_at_', 'lk_at_', 'lk_cs_', 'lk_reg_']
    assert.deepEqual(prefixes, [...counted, '', '', '', '', '', '', '', ''])
  })

  for (const [name, opensFor, door] of doors) {
    test(`${name} takes no other kind, nor its own kind under another prefix`, async () => {
      for (const [kind, text] of Object.entries(held)) {
        for (const disguised of disguises(text)) {
          if (opensFor.includes(kind) && disguised === text) continue
          assert.equal(await door(disguised), false, `${kind} as ${disguised.slice(0, 7)}`)
        }
      }
      // Several hundred refusals: they are spread over two minutes, for which the code lives.
      await service.advance(2)
    })
  }

  test('revocation takes none of what it does not know for anything else', async () => {
    for (const [kind, text] of Object.entries(held)) {
      for (const disguised of disguises(text)) {
        const isToken = /(access|refresh)Token$/i.test(kind)
        if (isToken && disguised === text) continue
        const { status, body } = await service.post('/revoke', { token: disguised }, client)
        assert.deepEqual([status, body], [200, {}])
      }
    }
  })

  // The last ones use up what they are given, so this comes after all the others.
  for (const [name, opensFor, door] of doors) {
    test(`${name} still opens for its own kind`, async () => {
      for (const kind of opensFor) assert.equal(await door(held[kind] ?? ''), true, kind)
    })
  }
})

describe('RF-13: a refresh token is no access token, nor the other way round', () => {
  test('each is refused in the words of the door', async () => {
    const { body } = await redeem(service, await obtainCode(service))
    const used = await service.ask('/api/photos', {
      headers: { authorization: `Bearer ${body.refresh_token}` },
    })
    assert.deepEqual([used.status, used.body.error], [401, 'invalid_token'])
    assert.match(used.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
    const kinds = {
      access: 'an access token (lk_at_...)',
      refresh: 'a refresh token (lk_rt_...)',
      code: 'an authorization code (lk_ac_...)',
      secret: 'a client secret (lk_cs_...)',
    }
    type Kind = keyof typeof kinds
    const assertMixed = (answer: Answer, came: Kind, belongs: Kind): void => {
      const said = `this is ${kinds[came]}, but ${kinds[belongs]} belongs here`
      assertRefused(answer, belongs === 'secret' ? 'invalid_client' : 'invalid_grant', said)
    }
    assertMixed(await refresh(service, body.access_token), 'access', 'refresh')
    assertMixed(await redeem(service, body.access_token), 'access', 'code')
    assertMixed(await redeem(service, body.refresh_token), 'refresh', 'code')
    const unspent = await obtainCode(service)
    assertMixed(await refresh(service, unspent), 'code', 'refresh')
    for (const id of ['photo-printer', 'nobody']) {
      const answer = await refresh(service, body.refresh_token, [id, body.access_token])
      assertMixed(answer, 'access', 'secret')
    }
    assert.equal((await refresh(service, body.refresh_token)).status, 200)
    assert.equal((await redeem(service, unspent)).status, 200)
  })

  test('a wrong hint changes nothing: introspection says what a token is', async () => {
    const { body } = await redeem(service, await obtainCode(service))
    const ask = async (token: string, token_type_hint: string) =>
      (await service.post('/introspect', { token, token_type_hint }, photoPrinter)).body.token_type
    assert.equal(await ask(body.access_token, 'refresh_token'), 'Bearer')
    assert.equal(await ask(body.refresh_token, 'access_token'), 'refresh_token')
  })
})

describe('a token of a client itself with one byte changed is nobody’s', () => {
  /** Each part of a token: what it states, and its seal. */
  const changes: Readonly<Record<string, (token: string) => string>> = {
    'in its seal': (token) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A'),
    'without its seal': (token) => token.slice(0, -43),
    'with the seal of another': (token) =>
      token.slice(0, -43) + (held.accessToken ?? '').slice(-43),
    'in what it states': (token) =>
      forge(token, 'lk_at_', (said) => said.replace('photos:read', 'photos:writ')),
  }
  for (const [what, change] of Object.entries(changes)) {
    test(what, async () => {
      const form = { grant_type: 'client_credentials', scope: 'photos:read' }
      const token: string = (await service.post('/token', form, client)).body.access_token
      const forged = change(token)
      assert.notEqual(forged, token)
      const ask = (one: string) =>
        service.ask('/api/photos', { headers: { authorization: `Bearer ${one}` } })
      assert.deepEqual([(await ask(token)).status, (await ask(forged)).status], [200, 401])
      const seen = await service.post('/introspect', { token: forged }, client)
      assert.deepEqual(seen.body, { active: false })
    })
  }
})
