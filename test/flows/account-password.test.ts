/** An owner chooses another password: all other logins end, this one stays, and mistakes are explained. */
import assert from 'node:assert/strict'
import { beforeEach, describe, type TestContext, test } from 'node:test'
import { ownerLimits } from '../../src/owners/limits.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import { isInside } from '../support/factors.ts'
import { newPerson, type Person, password } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'
import { redeem, refresh, use } from '../support/tokens.ts'

const next = 'staple the other horse'

const started = startBefore()
let owner: Person
let desk: Browser

const logIn = async (browser: Browser, with_ = password): Promise<Page> =>
  browser.logIn(await browser.go('/login'), owner.username, with_)

beforeEach(async () => {
  // The tries of earlier tests from the same address are forgotten.
  await started.advance(ownerLimits.attempts.forgetSeconds)
  owner = await newPerson(started)
  desk = new Browser(started)
  await logIn(desk)
})

const filled = (changes: Form = {}): Form => ({
  password,
  new_password: next,
  new_password_again: next,
  ...changes,
})

const choose = async (changes: Form = {}, browser = desk): Promise<Page> => {
  const page = await browser.go('/account/password')
  const form = formsOf(page.text).find(({ action }) => action === '/account/password')
  assert.ok(form)
  return browser.submitForm(page, form, filled(changes))
}

const accepts = async (tried: string): Promise<boolean> =>
  (await logIn(new Browser(started), tried)).url.endsWith('/account')

const alertOn = ({ text }: Page): string | undefined => /role="alert"[^>]*>([^<]*)</.exec(text)?.[1]

describe('another password', () => {
  test('is the one from now on; this login stays, all others end', async () => {
    const phone = new Browser(started)
    await logIn(phone)
    const page = await choose()
    assert.equal(page.status, 200)
    assert.match(page.text, /role="status">The password is new\. All other logins have/)
    assert.deepEqual([await isInside(desk), await isInside(phone)], [true, false])
    assert.deepEqual([await accepts(next), await accepts(password)], [true, false])
  })

  test('ends tokens and refresh tokens, and keeps what was allowed', async () => {
    const page = await desk.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
    const { code = '' } = answerOf(await desk.submit(page, { decision: 'allow' }))
    const tokens = (await redeem(started, code)).body
    await choose()
    assert.equal(await use(started, tokens.access_token), 401)
    assert.equal((await refresh(started, tokens.refresh_token)).status, 400)
    const again = await desk.go(authorizePath(codeRequest))
    assert.ok(answerOf(again).code)
  })

  test('may be changed again at once, in the very same login', async () => {
    await choose()
    const back = filled({
      password: next,
      new_password: password,
      new_password_again: password,
    })
    assert.equal((await choose(back)).status, 200)
    assert.equal(await accepts(password), true)
  })

  test('holds for the password grant, too', async () => {
    await choose()
    const form = { grant_type: 'password', username: owner.username, scope: 'photos:read' }
    const asked = (tried: string) => started.post('/token', { ...form, password: tried }, houseApp)
    assert.deepEqual([(await asked(password)).status, (await asked(next)).status], [400, 200])
  })

  test('survives a restart', async () => {
    await choose()
    await started.restart()
    assert.deepEqual([await accepts(next), await isInside(desk)], [true, true])
  })
})

describe('what is wrong is explained, and nothing changes', () => {
  const long = 'x'.repeat(ownerLimits.passwordBytes + 1)
  const rows: readonly [string, Form, number, RegExp][] = [
    ['a wrong password', { password: 'wrong' }, 403, /your current password was wrong/],
    ['no password', { password: '' }, 403, /your current password was wrong/],
    ['two that differ', { new_password_again: 'x' }, 400, /are not the same/],
    ['only one', { new_password_again: '' }, 400, /are not the same/],
    [
      'one too short',
      { new_password: 'short', new_password_again: 'short' },
      400,
      /^This password has 5 characters; at least 8 are needed\.$/,
    ],
    [
      'one too long',
      { new_password: long, new_password_again: long },
      400,
      /^This password is too long: it may have at most 256 bytes\.$/,
    ],
    ['none', { new_password: '', new_password_again: '' }, 400, /has 0 characters/],
    [
      'the same',
      { new_password: password, new_password_again: password },
      400,
      /is the current one/,
    ],
  ]
  for (const [what, changes, status, said] of rows) {
    test(`${what}: ${status}`, async () => {
      const phone = new Browser(started)
      await logIn(phone)
      const page = await choose(changes)
      assert.equal(page.status, status)
      assert.match(alertOn(page) ?? '', said)
      assert.match(page.text, /At least 8 characters/)
      for (const typed of [password, next, long]) assert.equal(page.text.includes(typed), false)
      assert.deepEqual([await isInside(phone), await accepts(password)], [true, true])
    })
  }

  test('nobody who is not logged in, nor a form from elsewhere', async () => {
    const page = await new Browser(started).ask('/account/password', filled())
    assert.deepEqual([page.status, page.headers.get('location')], [303, '/login?next=password'])
    assert.equal((await desk.ask('/account/password', filled({ csrf: 'x' }))).status, 403)
    assert.equal(await accepts(password), true)
  })

  test('a store that fails promises nothing', async (t) => {
    const failing = t.mock.method(started.server().store, 'changePassword', async () => {
      throw new StoreFault('failed', 'the disk is full')
    })
    assert.equal((await choose()).status, 503)
    failing.mock.restore()
    assert.equal(await accepts(password), true)
  })
})

test('guessing the current password is slowed, in the login in which it is guessed alone', async () => {
  const thief = new Browser(started)
  for (const [name, value] of desk.cookies) thief.cookies.set(name, value)
  const tries: Page[] = []
  for (let i = 0; i < 7; i++) tries.push(await choose({ password: `guess ${i}` }, thief))
  assert.deepEqual(
    tries.map(({ status }) => status),
    [403, 403, 403, 403, 403, 403, 429],
  )
  const last = tries.at(-1)
  assert.equal(last?.headers.get('retry-after'), '1')
  assert.match(last?.text ?? '', /too many wrong tries\. Try again in 1 second\./)
  const phone = new Browser(started)
  assert.match((await logIn(phone)).url, /\/account$/)
  assert.equal((await choose({ password: 'wrong' }, phone)).status, 403)
  await started.advance(1)
  assert.equal((await choose()).status, 200)
})

test('of two who change it at once with the right password, one does', async () => {
  const phone = new Browser(started)
  await logIn(phone)
  const [one, two] = await Promise.all([
    choose(),
    choose({ new_password: 'another of them', new_password_again: 'another of them' }, phone),
  ])
  const isChanged = (page: Page): boolean =>
    page.url.includes('/account/password?done=changed&tag=')
  assert.equal([one, two].filter(isChanged).length, 1)
  assert.equal([await isInside(desk), await isInside(phone)].filter((still) => still).length, 1)
  assert.notEqual(await accepts(next), await accepts('another of them'))
})

describe('forms that one browser sends at once', () => {
  /** Lets nobody change a password before as many want to: each was found right before any of them counts. */
  const together = (t: TestContext, count: number): void => {
    const { store } = started.server()
    const change = store.changePassword.bind(store)
    const all = Promise.withResolvers<void>()
    let waiting = 0
    t.mock.method(store, 'changePassword', async (...given: Parameters<typeof change>) => {
      waiting += 1
      if (waiting === count) all.resolve()
      await all.promise
      return change(...given)
    })
  }

  test('the same twice: both say that it is changed, and the login stays', async (t) => {
    together(t, 2)
    for (const page of await Promise.all([choose(), choose()])) {
      assert.match(page.url, /\/account\/password\?done=changed&tag=/)
      assert.match(page.text, /role="status">The password is new/)
    }
    assert.deepEqual([await isInside(desk), await accepts(next)], [true, true])
  })

  test('two that differ: one is so, and the other is told that the old password is none', async (t) => {
    together(t, 2)
    const other = 'another of them'
    const pages = await Promise.all([
      choose(),
      choose({ new_password: other, new_password_again: other }),
    ])
    assert.deepEqual(pages.map(({ status }) => status).sort(), [200, 403])
    const [one, two] = pages
    assert.match(alertOn(one.status === 403 ? one : two) ?? '', /your current password was wrong/)
    assert.equal(await isInside(desk), true)
    assert.deepEqual(
      [await accepts(next), await accepts(other)],
      [one.status === 200, two.status === 200],
    )
  })
})

test('nothing that was typed is in the log or in the events', async () => {
  await choose({ password: 'a secret that is wrong' })
  await choose()
  const { text } = await owner.operator('GET', `events?owner=${owner.id}`)
  const told = JSON.stringify(started.notices) + text
  for (const secret of [password, next, 'a secret that is wrong']) {
    assert.equal(told.includes(secret), false)
  }
  assert.match(text, /owner\.password_changed/)
})
