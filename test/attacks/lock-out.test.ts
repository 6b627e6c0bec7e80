/**
 * Keeping others out by guessing. Strangers may flood a name, an address or the queue of hashes.
 * They must not keep its owner out, nor make the service write without end.
 */

import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import type { Page } from '../support/browser.ts'
import { withoutSeal, withSealOf } from '../support/forgery.ts'
import { hashing } from '../support/hashes.ts'
import type { Answer, Form, Started } from '../support/start.ts'

// After the hashes are counted: a module keeps what it found when it was loaded.
const { defaultLimits } = await import('../../src/config/settable-limits.ts')
const { ownerLimits } = await import('../../src/owners/limits.ts')
const { passwordLimits } = await import('../../src/crypto/password.ts')
const { Browser, formsOf } = await import('../support/browser.ts')
const { isInside, submitWith } = await import('../support/factors.ts')
const { eventsOf, newPerson, newVisitor, password } = await import('../support/people.ts')
const { basic, start } = await import('../support/start.ts')
const { houseApp } = await import('../support/demo-clients.ts')

let started: Started
let hosts = 0

/** Somebody at an address where nobody was before. */
class Stranger extends Browser {
  readonly #address = `198.51.${++hosts >> 8}.${hosts & 255}`

  override ask(path: string, form?: Form, headers: Readonly<Record<string, string>> = {}) {
    return super.ask(path, form, { 'x-forwarded-for': this.#address, ...headers })
  }
}

before(async () => {
  // Tests choose the address that they come from, by the header of a proxy on this machine.
  started = await start({ trustedProxies: ['127.0.0.1'] })
})
after(() => started.close())
beforeEach(() =>
  started.advance(ownerLimits.attempts.forgetSeconds + ownerLimits.attempts.longestWaitSeconds),
)

const logIn = async (browser: InstanceType<typeof Browser>, name: string, tried: string) => {
  const [form] = formsOf((await browser.ask('/login?switch=1')).text)
  return browser.ask('/login', { ...form?.fields, username: name, password: tried })
}

const logOut = async (browser: InstanceType<typeof Browser>): Promise<void> => {
  await browser.submit(await browser.go('/logout'))
  assert.equal(await isInside(browser), false)
}

/** The free tries, and the first one that sets a wait of one second. */
const beforeWait = ownerLimits.attempts.freeTries + 1

/** Strangers guess at a name until it has to wait. */
const flood = async (username: string): Promise<void> => {
  for (let i = 0; i < beforeWait; i++) {
    assert.equal((await logIn(new Stranger(started), username, 'wrong')).status, 403)
  }
  assert.equal((await logIn(new Stranger(started), username, password)).status, 429)
}

const known = 'latchkey_known'

/** A browser that has the cookie of another one and nothing else. */
const thiefOf = (browser: InstanceType<typeof Browser>): InstanceType<typeof Browser> => {
  const thief = new Stranger(started)
  thief.cookies.set(known, browser.cookies.get(known) ?? '')
  return thief
}

const entered = ({ status, headers }: Page): unknown => [status, headers.get('location')]
const inside = [303, '/account']

describe('strangers who flood a name', () => {
  test('do not keep its owner out of a browser that logged in before', async () => {
    const { username, browser } = await newVisitor(started)
    await logOut(browser)
    await flood(username)
    assert.deepEqual(entered(await logIn(browser, username, password)), inside)
    assert.equal(await isInside(browser), true)
  })

  test('a right login from there ends the wait for the owner’s other devices, too', async () => {
    const { username, browser } = await newVisitor(started)
    await logOut(browser)
    await flood(username)
    await logIn(browser, username, password)
    assert.deepEqual(entered(await logIn(new Stranger(started), username, password)), inside)
  })

  test('do not keep a logged-in owner from confirming, or from choosing another password', async () => {
    const { username, browser } = await newVisitor(started)
    await flood(username)
    const confirm = await browser.go('/account/confirm')
    assert.equal((await submitWith(browser, confirm, 'password', { password })).status, 200)
    const page = await browser.go('/account/password')
    const next = 'staple the other horse'
    const form = { password, new_password: next, new_password_again: next }
    const changed = await submitWith(browser, page, 'new_password', form)
    assert.match(changed.url, /done=changed/)
  })

  test('each person of a shared browser stays known there', async () => {
    const one = await newVisitor(started)
    const two = await newPerson(started)
    const { browser } = one
    assert.deepEqual(entered(await logIn(browser, two.username, password)), inside)
    await logOut(browser)
    for (const { username } of [one, two]) {
      await flood(username)
      assert.deepEqual(entered(await logIn(browser, username, password)), inside)
      await logOut(browser)
    }
  })

  test('from the address of an office, they keep out no browser that is known', async (t) => {
    const { username, browser } = await newVisitor(started)
    await logOut(browser)
    t.mock.method(hashing, 'verify', async (_: string, tried: string) => tried === password)
    const from = { 'x-forwarded-for': '203.0.113.77' }
    const [form] = formsOf((await new Browser(started).ask('/login')).text)
    const visitor = new Browser(started)
    const [own] = formsOf((await visitor.ask('/login')).text)
    assert.ok(form && own)
    const guess = (i: number) =>
      visitor.ask('/login', { ...own.fields, username: `x${i}`, password: 'wrong' }, from)
    for (let i = 0; i <= defaultLimits.networkFreeTries; i++) {
      assert.equal((await guess(i)).status, 403)
    }
    assert.equal((await guess(1000)).status, 429)
    const [login] = formsOf((await browser.ask('/login')).text)
    const page = await browser.ask('/login', { ...login?.fields, username, password }, from)
    assert.deepEqual(entered(page), inside)
  })
})

describe('whoever used a mailed link', () => {
  test('is let in by the new password, there and elsewhere, while strangers have guessed', async () => {
    const { username, id, operator } = await newVisitor(started)
    await flood(username)
    const { body } = await operator('POST', `owners/${id}/links`, { purpose: 'reset' })
    const browser = new Stranger(started)
    const page = await browser.go(new URL(body.link).pathname + new URL(body.link).search)
    const next = 'staple the other horse'
    const chosen = await submitWith(browser, page, 'password', { password: next })
    assert.match(chosen.url, /\/login\?/)
    assert.deepEqual(entered(await logIn(new Stranger(started), username, next)), inside)
    await flood(username)
    assert.deepEqual(entered(await logIn(browser, username, next)), inside)
  })

  test('is let in where the link confirmed an address', async () => {
    const { username, id, operator } = await newVisitor(started)
    await operator('PATCH', `owners/${id}`, { email: `${username}@example.com` })
    const { body } = await operator('POST', `owners/${id}/links`, { purpose: 'verify' })
    const browser = new Stranger(started)
    const { pathname, search } = new URL(body.link)
    const page = await browser.go(pathname + search)
    await flood(username)
    assert.match((await browser.submit(page)).text, /The email address is confirmed/)
    assert.deepEqual(entered(await logIn(browser, username, password)), inside)
  })

  test('a refusal says the same for a wrong password, a wait, and a name of nobody', async () => {
    const { username } = await newPerson(started)
    const said = ({ text }: Page) => /id="problem">([^<]*?)( Try again in[^<]*)?</.exec(text)?.[1]
    const other = await newPerson(started)
    const first = said(await logIn(new Stranger(started), other.username, 'wrong'))
    await flood(username)
    const held = said(await logIn(new Stranger(started), username, password))
    const nobody = said(await logIn(new Stranger(started), `${username}-nobody`, password))
    assert.match(first ?? '', /wrong, or there were too many tries/)
    assert.deepEqual([held, nobody], [first, first])
  })
})

describe('a lockout', () => {
  const grant = (username: string, tried: string) =>
    started.post('/token', { grant_type: 'password', username, password: tried }, houseApp)

  test('is told once for each wait, seen with its end, and lifted by the operator at once', async () => {
    const person = await newPerson(started)
    const { id, username, operator } = person
    await flood(username)
    const until = started.now() + 1
    const waits = [
      { counter: 'account', until },
      { counter: 'name', until },
    ]
    assert.deepEqual((await operator('GET', `owners/${id}`)).body.waits, waits)
    assert.equal((await grant(username, password)).status, 429)
    const throttled = async () =>
      (await eventsOf(person)).filter((one) => one.type === 'login.throttled')
    assert.deepEqual(
      (await throttled()).map(({ details }) => ({ ...details, address: '' })),
      [{ counter: 'account name', seconds: 1, address: '' }],
    )
    const refused = (await operator('GET', `refusals?owner=${id}`)).body.items
    const told = refused.map((one: Record<string, string>) => `${one.reason} ${one.route}`)
    assert.deepEqual(told.toSorted(), [
      'login_throttled /login',
      'login_throttled /token',
      ...Array.from({ length: beforeWait }, () => 'wrong_password /login'),
    ])
    assert.equal((await operator('POST', `owners/${id}/unlock`)).status, 204)
    assert.equal((await grant(username, password)).status, 200)
    assert.deepEqual((await operator('GET', `owners/${id}`)).body.waits, [])
    const [unlocked] = (await operator('GET', `events?owner=${id}&type=owner.unlocked`)).body.items
    assert.deepEqual(
      [unlocked.details, unlocked.actor.type, unlocked.actor.client_id],
      [{ counters: 2 }, 'operator', 'latchkey-admin'],
    )
    // Another wait is another event, by the password grant as by the page.
    for (let i = 0; i < beforeWait; i++) assert.equal((await grant(username, 'wrong')).status, 400)
    assert.equal((await throttled()).length, 2)
    await operator('POST', `owners/${id}/set-password`, { password })
    assert.equal((await grant(username, password)).status, 200)
  })

  test('tells strangers nothing, nor does it write without end where nobody has the name', async () => {
    const { username } = await newPerson(started)
    const seen = async (name: string) => {
      const pages: unknown[] = []
      for (let i = 0; i < 8; i++) {
        const { status, body } = await grant(name, 'wrong')
        pages.push([status, { ...body, latchkey_reference: '' }])
      }
      return pages
    }
    assert.deepEqual(await seen(username), await seen(`${username}-nobody`))
    let { operator } = await newPerson(started)
    const ofNobody = async () =>
      (await operator('GET', 'events?type=login.throttled&limit=100')).body.items.filter(
        (one: { owner_id: string | null }) => one.owner_id === null,
      ).length
    const before = await ofNobody()
    for (let i = 0; i < 8; i++) await seen(`${username}-nobody-${i}`)
    // The counter of such events waits after its free ones, like a counter of tries.
    assert.ok((await ofNobody()) - before <= beforeWait)
    // Known names use up none of it.
    await started.advance(ownerLimits.attempts.forgetSeconds)
    for (let i = 0; i < beforeWait; i++) {
      const person = await newPerson(started)
      operator = person.operator
      for (let j = 0; j < beforeWait; j++) await grant(person.username, 'wrong')
    }
    const early = await ofNobody()
    await seen(`${username}-nobody-late`)
    assert.equal((await ofNobody()) - early, 1)
  })

  test('of an account by two names is written after the answer, which tells nothing of it', async () => {
    const { store } = started.server()
    const append = store.appendEvent.bind(store)
    const { promise: answered, resolve: release } = Promise.withResolvers<void>()
    store.appendEvent = async (event) => {
      if (event.type === 'login.throttled') await answered
      await append(event)
    }
    try {
      const person = await newPerson(started)
      const { id, username, operator } = person
      const email = `${username}@example.com`
      await operator('PATCH', `owners/${id}`, { email, email_verified: true })
      for (let i = 1; i < beforeWait; i++) await grant(username, 'wrong')
      assert.equal((await grant(email, 'wrong')).status, 400)
      assert.equal((await operator('GET', `owners/${id}`)).body.waits[0].counter, 'account')
      release()
      const told = async () =>
        (await eventsOf(person)).filter(({ type }) => type === 'login.throttled')
      while ((await told()).length === 0) await new Promise(setImmediate)
      assert.deepEqual(
        (await told()).map(({ details }) => details.counter),
        ['account'],
      )
    } finally {
      store.appendEvent = append
      release()
    }
  })
})

describe('the cookie of a known browser', () => {
  test('has the form of our cookies, lasts for half a year, and holds no name', async () => {
    const { username, browser } = await newVisitor(started)
    const page = await logIn(browser, username, password)
    const header = page.headers.getSetCookie().find((one) => one.startsWith(known)) ?? ''
    assert.match(
      header,
      /^latchkey_known=[\w-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const text = Buffer.from(browser.cookies.get(known) ?? '', 'base64url').toString('latin1')
    assert.equal(text.includes(username), false)
  })

  test('stolen, it allows no more guesses than one owner has, and keeps no other browser out', async () => {
    const { username, browser } = await newVisitor(started)
    const thief = thiefOf(browser)
    for (let i = 0; i < beforeWait; i++) {
      assert.equal((await logIn(thief, username, 'wrong')).status, 403)
    }
    const waiting = await logIn(thief, username, password)
    assert.deepEqual([waiting.status, waiting.headers.get('retry-after')], [429, '1'])
    assert.equal((await logIn(thiefOf(browser), username, password)).status, 429)
    assert.deepEqual(entered(await logIn(new Stranger(started), username, password)), inside)
  })

  test('opens nothing: without the password nobody is let in', async () => {
    const { username, browser } = await newVisitor(started)
    const thief = thiefOf(browser)
    assert.equal((await logIn(thief, username, '')).status, 403)
    assert.equal(await isInside(thief), false)
  })

  test('forged, cut, of another owner, or beside other names, it makes a stranger', async () => {
    const { username, browser } = await newVisitor(started)
    const other = await newVisitor(started)
    await flood(username)
    const right = browser.cookies.get(known) ?? ''
    const foreign = other.browser.cookies.get(known) ?? ''
    const last = right.endsWith('A') ? 'B' : 'A'
    for (const text of [
      foreign,
      withSealOf(foreign, withoutSeal(right)),
      right.slice(0, -1) + last,
      right.slice(1),
      `${right}.`.repeat(40),
      'x'.repeat(60),
      `${'x'.repeat(60)}.${'~'.repeat(3)}`,
    ]) {
      const thief = new Stranger(started)
      thief.cookies.set(known, text)
      assert.equal((await logIn(thief, username, password)).status, 429, text)
    }
    assert.deepEqual(entered(await logIn(thiefOf(browser), username, password)), inside)
  })

  test('ends with a new password, and with half a year; the browser that chose it stays known', async () => {
    const { username, browser, operator, id } = await newVisitor(started)
    const before = thiefOf(browser)
    const next = 'staple the other horse'
    const page = await browser.go('/account/password')
    const form = { password, new_password: next, new_password_again: next }
    await submitWith(browser, page, 'new_password', form)
    await flood(username)
    assert.equal((await logIn(before, username, next)).status, 429)
    assert.deepEqual(entered(await logIn(thiefOf(browser), username, next)), inside)
    const set = await operator('POST', `owners/${id}/set-password`, { password: next })
    assert.equal(set.status, 200)
    await flood(username)
    assert.equal((await logIn(thiefOf(browser), username, next)).status, 429)
    await started.advance(ownerLimits.attempts.forgetSeconds)
    const again = new Stranger(started)
    await logIn(again, username, next)
    await started.advance(ownerLimits.knownBrowserSeconds)
    await flood(username)
    assert.equal((await logIn(thiefOf(again), username, next)).status, 429)
  })

  test('is new at each login, so that what a thief has guessed at counts against the thief', async () => {
    const { username, browser } = await newVisitor(started)
    const thief = thiefOf(browser)
    await logIn(browser, username, password)
    for (let i = 0; i < beforeWait; i++) await logIn(thief, username, 'wrong')
    assert.equal((await logIn(thief, username, password)).status, 429)
    assert.deepEqual(entered(await logIn(browser, username, password)), inside)
  })
})

/** Keeps all hashes from ending until the test says so, or has ended. */
const holdHashes = (t: TestContext) => {
  const held = Promise.withResolvers<void>()
  t.after(() => held.resolve())
  t.mock.method(hashing, 'verify', async (_: string, tried: string) => {
    await held.promise
    return tried === password
  })
  return held.resolve
}

const rowsOf = (table: 'attempts' | 'events', folder: string): number => {
  const database = new DatabaseSync(join(folder, 'latchkey.db'), { readOnly: true })
  try {
    return Number(database.prepare(`select count(*) as rows from ${table}`).get()?.rows)
  } finally {
    database.close()
  }
}

describe('strangers who fill the queue of password hashes', () => {
  const { atOnce } = passwordLimits
  const places = Math.min(atOnce, availableParallelism()) + passwordLimits.waiting

  /** Wrong passwords by the password grant, which need no page before; none is answered yet. */
  const guess = (i: number): Promise<Answer> =>
    started.ask('/token', {
      form: { grant_type: 'password', username: `filling-${i}`, password: 'wrong' },
      headers: { authorization: basic(houseApp) },
    })

  const fill = async (): Promise<readonly Promise<Answer>[]> => {
    const before = rowsOf('attempts', started.folder)
    const filling = Array.from({ length: places }, (_, i) => guess(i))
    // After these, the queue is full.
    while (rowsOf('attempts', started.folder) < before + places) await new Promise(setImmediate)
    return filling
  }

  test('a right password finds no place: 503, not counted, and nothing is written', async (t) => {
    const { username } = await newPerson(started)
    const stranger = new Stranger(started)
    const [form] = formsOf((await stranger.ask('/login')).text)
    const release = holdHashes(t)
    const filling = await fill()
    const before = [rowsOf('attempts', started.folder), rowsOf('events', started.folder)]
    for (let i = 0; i < 3 * beforeWait; i++) {
      const page = await stranger.ask('/login', { ...form?.fields, username, password })
      assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '2'])
    }
    const granted = await guess(places)
    assert.deepEqual(
      [granted.status, granted.body],
      [503, { error: 'temporarily_unavailable', error_description: 'too many logins at once' }],
    )
    const rows = [rowsOf('attempts', started.folder), rowsOf('events', started.folder)]
    assert.deepEqual(rows, before)
    release()
    await Promise.all(filling)
    const page = await stranger.ask('/login', { ...form?.fields, username, password })
    assert.deepEqual(entered(page), inside)
  })

  test('a browser that logged in before has a place of its own, and so has a logged-in owner', async (t) => {
    const one = await newVisitor(started)
    await logOut(one.browser)
    const two = await newVisitor(started)
    const [form] = formsOf((await one.browser.ask('/login')).text)
    const confirm = await two.browser.go('/account/confirm')
    const release = holdHashes(t)
    const filling = await fill()
    const login = one.browser.ask('/login', { ...form?.fields, username: one.username, password })
    const confirmed = submitWith(two.browser, confirm, 'password', { password })
    release()
    assert.deepEqual(entered(await login), inside)
    assert.equal((await confirmed).status, 200)
    await Promise.all(filling)
  })

  test('one owner takes two of the reserved places, and no more', async (t) => {
    const { username, browser } = await newVisitor(started)
    await logOut(browser)
    const other = await newVisitor(started)
    await logOut(other.browser)
    const [form] = formsOf((await browser.ask('/login')).text)
    const [theirs] = formsOf((await other.browser.ask('/login')).text)
    const release = holdHashes(t)
    const filling = await fill()
    const logins = Array.from({ length: 5 }, () =>
      browser.ask('/login', { ...form?.fields, username, password }),
    )
    const login = other.browser.ask('/login', {
      ...theirs?.fields,
      username: other.username,
      password,
    })
    const answered: number[] = []
    for (const one of logins) one.then(({ status }) => answered.push(status))
    while (answered.length < 3) await new Promise(setImmediate)
    release()
    assert.deepEqual(answered.slice(0, 3), [503, 503, 503])
    await Promise.all(logins)
    assert.deepEqual(answered.slice(3), [303, 303])
    assert.deepEqual(entered(await login), inside)
    await Promise.all(filling)
  })
})

describe('what strangers make the service write', () => {
  test('throttled tries write nothing', async () => {
    const { username } = await newPerson(started)
    await flood(username)
    const before = [rowsOf('attempts', started.folder), rowsOf('events', started.folder)]
    for (let i = 0; i < 50; i++) {
      assert.equal((await logIn(new Stranger(started), username, 'wrong')).status, 429)
    }
    const rows = [rowsOf('attempts', started.folder), rowsOf('events', started.folder)]
    assert.deepEqual(rows, before)
  })

  test('of wrong tries at names that nobody has, ever fewer are told', async (t) => {
    t.mock.method(hashing, 'verify', async () => false)
    const before = rowsOf('events', started.folder)
    const many = (prefix: string) =>
      Promise.all(
        Array.from({ length: 200 }, (_, i) => logIn(new Stranger(started), `${prefix}-${i}`, 'x')),
      )
    await many('nobody')
    assert.equal(rowsOf('events', started.folder) - before, beforeWait)
    await started.advance(1)
    await many('no-one')
    assert.equal(rowsOf('events', started.folder) - before, beforeWait + 1)
  })

  test('and they bury no wrong try at an owner, who sees each that was checked', async () => {
    const person = await newPerson(started)
    await flood(person.username)
    const failed = (await eventsOf(person)).filter(({ type }) => type === 'login.failed')
    assert.equal(failed.length, beforeWait)
  })

  test('of a flood from the /64 networks of one site, the counters end', async (t) => {
    t.mock.method(hashing, 'verify', async () => false)
    const before = rowsOf('attempts', started.folder)
    const visitor = new Browser(started)
    const [form] = formsOf((await visitor.ask('/login')).text)
    const guess = (i: number) => {
      const address = `2001:db8:99:${(i * 257) % 65536 ? ((i * 257) % 65536).toString(16) : 0}::1`
      const fields = { ...form?.fields, username: `site-${i}`, password: 'wrong' }
      return visitor.ask('/login', fields, { 'x-forwarded-for': address })
    }
    const free = 4 * defaultLimits.networkFreeTries + 1
    for (let i = 0; i < free; i++) assert.equal((await guess(i)).status, 403)
    const rows = rowsOf('attempts', started.folder)
    // Three networks, the name and its account, and the counter of events.
    assert.ok(rows - before <= 5 * free + 1)
    for (let i = free; i < 2 * free; i++) assert.equal((await guess(i)).status, 429)
    assert.equal(rowsOf('attempts', started.folder), rows)
    await started.advance(
      ownerLimits.attempts.forgetSeconds + ownerLimits.attempts.longestWaitSeconds,
    )
    assert.ok(rowsOf('attempts', started.folder) < rows - before)
  })
})
