/** Questions to upstreams: their places, their number, their time, and the worth of an answer. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { httpLimits } from '../../src/http/limits.ts'
import type { OwnerId } from '../../src/model/ids.ts'
import { upstreamLimits } from '../../src/upstreams/limits.ts'
import { Browser, type Page } from '../support/browser.ts'
import { codeAt, setUpCodes, submitWith } from '../support/factors.ts'
import { type GitHub, openGitHub } from '../support/github.ts'
import { type Liar, openLiar } from '../support/liar.ts'
import { newPerson, password } from '../support/people.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

describe('an upstream on this machine, outside of the demo', () => {
  const cases = [
    { fetchAllow: [], detail: 'metadata: forbidden_address' },
    // What the operator allows is asked, but without TLS in the demo alone.
    { fetchAllow: ['127.0.0.1'], detail: 'metadata: not_https' },
  ]
  for (const { fetchAllow, detail } of cases) {
    test(`is not asked over http: ${detail}`, async (t) => {
      const liar = await openLiar(() => service.now())
      t.after(liar.close)
      const upstreams = upstreamsOf([liar.upstream])
      const service = await start({ demo: false, fetchAllow, upstreams })
      t.after(service.close)
      const browser = new Browser(service)
      const { action, fields } = formTo(await browser.go('/login'), '/login/with/liar')
      assert.equal((await browser.ask(action, fields)).status, 502)
      const told = service.notices.findLast((notice) => 'fault' in notice)
      assert.equal(Object(told).detail, detail)
      assert.equal(liar.site.connections(), 0)
    })
  }
})

describe('an upstream', () => {
  let liar: Liar
  let service: Started
  before(async () => {
    liar = await openLiar(() => service.now())
    const upstreams = [true, false].map((asks) => ({
      ...liar.upstream,
      id: asks ? 'asks' : 'silent',
      asks_again: asks,
    }))
    service = await start({ signUp: 'open', upstreams: upstreamsOf(upstreams) })
  })
  after(async () => {
    await service.close()
    await liar.close()
  })

  test('logs in whoever can confirm by it alone, though it tells no time', async () => {
    Object.assign(liar, { subject: 'alone', lies: {} })
    for (const isNew of [true, false]) {
      const browser = new Browser(service)
      const url = await leave(browser, await browser.go('/login'), 'silent')
      const page = await browser.go(liar.approve(url))
      if (isNew) {
        const { action, fields } = formTo(page, '/login/with/silent/new')
        await browser.go(action, fields)
      }
      assert.ok(browser.cookies.has('latchkey_session'))
      await service.advance(10)
    }
    const { store } = service.server()
    const account = { upstream: 'silent', issuer: liar.issuer, subject: 'alone' }
    const owner = await store.findUpstreamOwner(account)
    assert.ok(owner)
    const { rows } = await store.listSessions(owner.id, null, 10, 0)
    assert.deepEqual(
      rows.map(({ confirmedAt, startedAt }) => confirmedAt - startedAt),
      [0, 0],
    )
  })

  test('counts for no password beside a one-time code', async () => {
    Object.assign(liar, { subject: 'coded', lies: {} })
    const made = new Browser(service)
    const url = await leave(made, await made.go('/login'), 'silent')
    const { action, fields } = formTo(await made.go(liar.approve(url)), '/login/with/silent/new')
    await made.go(action, fields)
    const secret = await setUpCodes(made, service.now())
    await service.advance(60)
    const browser = new Browser(service)
    const led = await leave(browser, await browser.go('/login'), 'silent')
    const second = await browser.go(liar.approve(led))
    await submitWith(browser, second, 'code', { code: codeAt(secret, service.now()) })
    const { store } = service.server()
    const account = { upstream: 'silent', issuer: liar.issuer, subject: 'coded' }
    const owner = await store.findUpstreamOwner(account)
    assert.ok(owner)
    const { rows } = await store.listSessions(owner.id, null, 1, 0)
    assert.deepEqual(rows[0]?.methods, ['otp', 'mfa'])
  })

  test('may be asked for more logins at once than a site of strangers', async () => {
    const count = httpLimits.outbound.atOncePerHost + 1
    const held: ServerResponse[] = []
    liar.held = (outgoing) => {
      held.push(outgoing)
      if (held.length === count) for (const one of held) one.writeHead(500).end()
    }
    liar.lies = { answers: { '/token': null } }
    const leads = await Promise.all(
      Array.from({ length: count }, async () => {
        const browser = new Browser(service)
        return { browser, url: await leave(browser, await browser.go('/login'), 'asks') }
      }),
    )
    await Promise.all(leads.map(({ browser, url }) => browser.go(liar.approve(url))))
    assert.equal(held.length, count)
  })

  for (const [id, isConfirmed] of [
    ['asks', true],
    ['silent', false],
  ] as const) {
    test(`that ${isConfirmed ? 'asks again' : 'cannot ask again'} confirms by its time: ${isConfirmed}`, async () => {
      Object.assign(liar, { subject: id, lies: {} })
      const { id: ownerId, username } = await newPerson(service)
      const owned = new Browser(service)
      await owned.logIn(await owned.go('/login'), username, password)
      const page = await owned.go('/account/security')
      const { action, fields } = formTo(page, '/account/upstreams')
      const answer = await owned.ask(action, { ...fields, upstream: id })
      await owned.go(liar.approve(answer.headers.get('location') ?? ''))
      await service.advance(10)
      const browser = new Browser(service)
      const url = await leave(browser, await browser.go('/login'), id)
      liar.lies = { idToken: { auth_time: service.now() } }
      await browser.go(liar.approve(url))
      assert.ok(browser.cookies.has('latchkey_session'))
      const { rows } = await service.server().store.listSessions(ownerId as OwnerId, null, 10, 0)
      const last = rows.find(({ seenAt }) => seenAt === service.now())
      assert.equal(last?.confirmedAt, isConfirmed ? service.now() : 0)
    })
  }
})

describe('an OAuth 2.0 provider', () => {
  let github: GitHub
  let service: Started
  before(async () => {
    github = await openGitHub()
    service = await start({ signUp: 'open', upstreams: upstreamsOf([github.upstream]) })
  })
  after(async () => {
    await service.close()
    await github.close()
  })

  const meet = async () => {
    const browser = new Browser(service)
    const url = await leave(browser, await browser.go('/login'), 'github')
    return { browser, page: await browser.go(github.approve(url)) }
  }

  test('is asked nothing with an access token that no header can hold', async () => {
    for (const access_token of ['', 'a b', 'a\u0000', 'ä', 'x'.repeat(8001), 7]) {
      github.token = { access_token }
      assert.equal((await meet()).page.status, 502)
    }
    assert.ok(!github.site.requests.some(({ url }) => url === '/user'))
    github.token = {}
  })

  test('names an account by its id and its own endpoint', async () => {
    const subject = 'x'.repeat(upstreamLimits.subjectCharacters)
    github.user = { id: subject }
    const { browser, page } = await meet()
    const { action, fields } = formTo(page, '/login/with/github/new')
    await browser.go(action, fields)
    const issuer = String(github.upstream.userinfo_endpoint)
    const account = { upstream: 'github', issuer, subject }
    assert.ok(await service.server().store.findUpstreamOwner(account))
    github.user = { id: `${subject}x` }
    assert.equal((await meet()).page.status, 502)
  })
})

test('a provider that is late is not waited for, at each question', async () => {
  /** Ends of times that run: called instead of waiting. */
  const ends: (() => void)[] = []
  const deadline = (_: number, end: () => void) => {
    ends.push(end)
    return () => {}
  }
  const slow = await openLiar(() => late.now())
  const late = await start({ upstreams: upstreamsOf([slow.upstream]), deadline })
  slow.held = () => {
    for (const end of ends) end()
  }
  const comeBack = async (path: string): Promise<Page> => {
    const browser = new Browser(late)
    const url = await leave(browser, await browser.go('/login'), 'liar')
    slow.lies = { answers: { [path]: null }, idToken: { preferred_username: 'hinted-name' } }
    return browser.go(slow.approve(url))
  }
  try {
    assert.equal((await comeBack('/token')).status, 503)
    const told = late.notices.findLast((notice) => 'fault' in notice)
    assert.equal(Object(told).detail, 'too_slow in all')
    slow.lies = {}
    const { text } = await comeBack('/userinfo')
    assert.match(text, /You are new here/)
    // Otherwise the claims of the ID token would serve, once the question itself has failed.
    assert.doesNotMatch(text, /hinted-name/)
    await late.advance(upstreamLimits.metadataSeconds)
    slow.lies = { answers: { '/.well-known/openid-configuration': null } }
    const browser = new Browser(late)
    const { action, fields } = formTo(await browser.go('/login'), '/login/with/liar')
    assert.equal((await browser.ask(action, fields)).status, 503)
  } finally {
    await late.close()
    await slow.close()
  }
})

describe('an upstream whose acr is trusted', () => {
  let liar: Liar
  let service: Started
  before(async () => {
    liar = await openLiar(() => service.now(), { trust_acr: true, sign_up: true })
    service = await start({ upstreams: upstreamsOf([liar.upstream]) })
  })
  after(async () => {
    await service.close()
    await liar.close()
  })

  test('opens an account with codes where its methods alone tell of two factors', async () => {
    Object.assign(liar, { subject: 'strong', lies: { idToken: { amr: ['pwd', 'mfa'] } } })
    for (const isNew of [true, false]) {
      const browser = new Browser(service)
      const url = await leave(browser, await browser.go('/login'), 'liar')
      const page = await browser.go(liar.approve(url))
      if (isNew) {
        const { action, fields } = formTo(page, '/login/with/liar/new')
        await browser.go(action, fields)
        await setUpCodes(browser, service.now())
        await service.advance(60)
      }
      assert.ok(browser.cookies.has('latchkey_session'))
    }
  })

  const hour = 3600
  const cases: readonly (readonly [object, readonly string[], number])[] = [
    [{}, [], 0],
    [{ acr: '1', amr: ['pwd'] }, ['pwd'], 0],
    [{ amr: ['pwd', 'mfa'] }, ['pwd', 'mfa'], 0],
    [{ acr: 'phr' }, ['mfa'], 0],
    [{ acr: 'https://refeds.org/profile/mfa', amr: ['otp', 'pwd'] }, ['pwd', 'otp', 'mfa'], 0],
    [{ acr: ['phr'] }, [], 0],
    [{ amr: 'mfa' }, [], 0],
    [{ amr: ['hwk', 'pin'] }, ['pop', 'user'], 0],
    [{ amr: ['face', 'fpt', 'sms', 7, 'constructor'] }, ['user'], 0],
    [{ amr: ['pwd'], auth_time: -hour }, ['pwd'], -hour],
    // No login is of the time to come.
    [{ amr: ['pwd'], auth_time: hour }, ['pwd'], 0],
  ]
  for (const [said, methods, age] of cases) {
    test(`makes a session of what it says: ${JSON.stringify(said)}`, async () => {
      const subject = `person-${cases.findIndex(([one]) => one === said)}`
      const at = service.now()
      const time = 'auth_time' in said ? { auth_time: at + Number(said.auth_time) } : {}
      Object.assign(liar, { subject, lies: { idToken: { ...said, ...time } } })
      const browser = new Browser(service)
      const url = await leave(browser, await browser.go('/login'), 'liar')
      const { action, fields } = formTo(await browser.go(liar.approve(url)), '/login/with/liar/new')
      await browser.go(action, fields)
      const { store } = service.server()
      const owner = await store.findUpstreamOwner({
        upstream: 'liar',
        issuer: liar.issuer,
        subject,
      })
      assert.ok(owner)
      const { rows } = await store.listSessions(owner.id, null, 1, at)
      assert.deepEqual(
        [rows[0]?.methods.toSorted(), rows[0]?.startedAt],
        [methods.toSorted(), at + age],
      )
    })
  }
})

test('a form of before makes no account once the operator has closed the sign-up', async (t) => {
  const liar = await openLiar(() => open.now())
  t.after(liar.close)
  const open = await start({
    signUp: 'off',
    upstreams: upstreamsOf([{ ...liar.upstream, sign_up: true }]),
  })
  t.after(open.close)
  const browser = new Browser(open)
  const url = await leave(browser, await browser.go('/login'), 'liar')
  const { action, fields } = formTo(await browser.go(liar.approve(url)), '/login/with/liar/new')
  await open.server().close()
  const closed = await start({
    store: `sqlite:${open.folder}/latchkey.db`,
    signUp: 'off',
    upstreams: upstreamsOf([liar.upstream]),
  })
  t.after(() => closed.server().close())
  const later = new Browser(closed)
  for (const [name, value] of browser.cookies) later.cookies.set(name, value)
  assert.match((await later.go(action, fields)).text, /Log in/)
  const account = { upstream: 'liar', issuer: liar.issuer, subject: liar.subject }
  assert.equal(await closed.server().store.findUpstreamOwner(account), null)
})
