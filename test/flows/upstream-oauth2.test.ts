/** Logins by an OAuth 2.0 provider that is described in the settings, as GitHub is. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Browser, type Page } from '../support/browser.ts'
import { type GitHub, openGitHub } from '../support/github.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

const octocat = {
  id: 583231,
  login: 'octocat',
  name: 'The Octocat',
  email: null,
  avatar_url: 'https://avatars.example.net/u/583231',
}

let github: GitHub
let service: Started
/** Ends of times that run: called instead of waiting. */
const ends: (() => void)[] = []
before(async () => {
  github = await openGitHub()
  const { upstream } = github
  const nested = {
    id: 'nested',
    issuer: 'https://nested.example.net',
    id_member: 'data.accounts.0.id',
    username_member: 'data.login',
    emails_endpoint: null,
    pkce: false,
    token_endpoint_auth_method: 'client_secret_basic',
  }
  const upstreams = upstreamsOf([
    { ...upstream, trust_email: true },
    { ...upstream, ...nested },
  ])
  service = await start({
    upstreams,
    deadline: (_, end) => {
      ends.push(end)
      return () => {}
    },
  })
})
after(async () => {
  await service.close()
  await github.close()
})
beforeEach(() => {
  github.user = octocat
  github.emails = [
    { email: 'other@example.net', primary: false, verified: true, visibility: null },
    { email: 'octocat@example.net', primary: true, verified: true, visibility: 'private' },
  ]
  github.token = {}
})

const trip = async (browser = new Browser(service), path = '/login'): Promise<Page> => {
  const url = await leave(browser, await browser.go(path), 'github')
  return browser.go(github.approve(url))
}

/** A new owner, made on the page for newcomers. */
const newcomer = async () => {
  const browser = new Browser(service)
  const { action, fields } = formTo(await trip(browser), '/login/with/github/new')
  await browser.go(action, fields)
  const { rows } = await service.server().store.listOwners(null, 100)
  return { browser, owner: rows.find(({ username }) => username.startsWith('octocat-')) }
}

describe('a login by an OAuth 2.0 provider', () => {
  test('asks with the scope, a state and PKCE, and nothing of OpenID', async () => {
    const browser = new Browser(service)
    const url = new URL(await leave(browser, await browser.go('/login'), 'github'))
    const { state, code_challenge: challenge, ...asked } = Object.fromEntries(url.searchParams)
    assert.equal(url.pathname, '/login/oauth/authorize')
    assert.match(challenge ?? '', /^[\w-]{43}$/)
    assert.ok((state ?? '').length > 40)
    assert.deepEqual(asked, {
      response_type: 'code',
      client_id: 'us',
      redirect_uri: `${service.issuer}/login/with/github/callback`,
      scope: 'read:user user:email',
      code_challenge_method: 'S256',
    })
  })

  test('sends the secret in the form, and the token to the endpoints of the person', async () => {
    const before = github.site.requests.length
    assert.match((await trip()).text, /You are new here[\s\S]*octocat@example\.net/)
    const [token, user, emails] = github.site.requests.slice(before)
    const { code_verifier: verifier, ...form } = Object.fromEntries(
      new URLSearchParams(token?.body),
    )
    assert.match(verifier ?? '', /^[\w-]{43}$/)
    assert.deepEqual(form, {
      grant_type: 'authorization_code',
      code: form.code,
      redirect_uri: `${service.issuer}/login/with/github/callback`,
      client_id: 'us',
      client_secret: 'secret',
    })
    const bearer = `Bearer gho_${form.code}`
    assert.deepEqual(
      [user, emails].map((one) => [one?.method, one?.url, one?.headers.authorization]),
      [
        ['GET', '/user', bearer],
        ['GET', '/user/emails', bearer],
      ],
    )
  })

  test('makes an owner with name, verified primary address and picture, and knows it again', async () => {
    const { owner } = await newcomer()
    assert.ok(owner)
    const { name, email, emailVerified, claims } = owner
    assert.deepEqual(
      { name, email, emailVerified, claims },
      {
        name: 'The Octocat',
        email: 'octocat@example.net',
        emailVerified: true,
        claims: { picture: 'https://avatars.example.net/u/583231' },
      },
    )
    github.user = { ...octocat, login: 'renamed', name: 'Renamed' }
    assert.match((await trip()).text, /The Octocat/)
  })

  test('nobody is logged in without a token, or without an id of one account', async () => {
    const bodies = ['null', '""', '9007199254740993', 'true', '{}', '[1]', '1.5']
    for (const id of bodies) {
      github.user = `{"id":${id},"login":"octocat"}`
      assert.equal((await trip()).status, 502, id)
    }
    github.user = octocat
    for (const token of [{ access_token: '' }, { access_token: 'a b' }, { token_type: 'mac' }]) {
      github.token = token
      assert.equal((await trip()).status, 502, JSON.stringify(token))
    }
    github.token = { error: 'bad_verification_code' }
    assert.equal((await trip()).status, 502)
    const told = service.notices.findLast((notice) => 'fault' in notice) ?? {}
    const { upstream, fault, detail } = Object(told)
    assert.deepEqual([upstream, fault, detail], ['github', 'wrong', 'token: bad_verification_code'])
  })

  test('all questions together have a limit, and other ways still work', async () => {
    github.hold = () => {
      for (const end of ends) end()
    }
    const browser = new Browser(service)
    const page = await trip(browser)
    assert.equal(page.status, 503)
    assert.match(page.text, /does not answer just now/)
    github.hold = null
    await browser.logIn(page, 'alice', 'wonderland')
    assert.ok(browser.cookies.has('latchkey_session'))
  })

  test('finds members by paths, sends the secret in the header, and uses no PKCE if told so', async () => {
    github.user = { data: { accounts: [{ id: 'a-1' }], login: 'deep' }, email: 'x@example.net' }
    const browser = new Browser(service)
    const url = await leave(browser, await browser.go('/login'), 'nested')
    assert.equal(new URL(url).searchParams.get('code_challenge'), null)
    const before = github.site.requests.length
    await browser.go(github.approve(url))
    const [token] = github.site.requests.slice(before)
    const form = new URLSearchParams(token?.body)
    assert.deepEqual(
      [token?.headers.authorization, form.get('client_secret'), form.get('code_verifier')],
      [`Basic ${btoa('us:secret')}`, null, null],
    )
  })

  test('an answer that names another issuer is refused', async () => {
    const browser = new Browser(service)
    const url = await leave(browser, await browser.go('/login'), 'nested')
    const before = github.site.requests.length
    const back = `${github.approve(url)}&iss=${encodeURIComponent('https://other.example.net')}`
    assert.equal((await browser.go(back)).status, 502)
    assert.equal(github.site.requests.length, before)
  })

  test('says nothing of how it was made', async () => {
    const path = authorizePath(codeRequest)
    // Events of one moment have no order.
    await service.advance(1)
    const page = await trip(new Browser(service), path)
    assert.match(page.url, /\/consent/)
    const { rows } = await service.server().store.listEvents({}, null, 20)
    const login = rows.find(({ type }) => type === 'login.succeeded')
    const { upstream, methods, context } = login?.details ?? {}
    assert.deepEqual([upstream, String(methods), context], ['github', '', '1'])
  })
})

describe('an address that GitHub tells', () => {
  const cases: readonly (readonly [string, unknown, unknown, readonly [string, boolean]])[] = [
    [
      'is kept only by its own line of the list',
      'octocat@example.net',
      [{ email: 'octocat@example.net', primary: true, verified: false }],
      ['', false],
    ],
    [
      'is another verified one where the primary one is not verified',
      null,
      [
        { email: 'first@example.net', primary: true, verified: false },
        { email: 'second@example.net', primary: false, verified: true },
      ],
      ['second@example.net', true],
    ],
    ['is not kept without the list', 'shown@example.net', null, ['', false]],
    [
      'is none where the list is none',
      null,
      { email: 'x@example.net', verified: true },
      ['', false],
    ],
  ]
  for (const [name, email, emails, expected] of cases) {
    test(name, async () => {
      const id = 1000 + cases.findIndex(([one]) => one === name)
      github.user = { ...octocat, id, login: `case${id}`, email }
      github.emails = emails
      const browser = new Browser(service)
      const { action, fields } = formTo(await trip(browser), '/login/with/github/new')
      await browser.go(action, fields)
      const { rows } = await service.server().store.listOwners(null, 100)
      const owner = rows.find(({ username }) => username.startsWith(`case${id}-`))
      assert.deepEqual([owner?.email, owner?.emailVerified], expected)
    })
  }
})
