/** An owner's logins: told apart, ended one by one or all but this one, on the next request. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { StoreFault } from '../../src/store/fault.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { isInside } from '../support/factors.ts'
import { newPerson, type Person, password } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'
import { redeem, refresh, use } from '../support/tokens.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const started = startBefore()
let owner: Person
let desk: Browser

/** A browser with a `User-Agent`. */
class Named extends Browser {
  readonly #name: string

  constructor(name: string) {
    super(started)
    this.#name = name
  }

  override ask(path: string, form?: Form, headers: Readonly<Record<string, string>> = {}) {
    return super.ask(path, form, { 'user-agent': this.#name, ...headers })
  }
}

const logIn = async (browser: Browser, { username } = owner): Promise<Browser> => {
  const page = await browser.logIn(await browser.go('/login'), username, password)
  assert.equal(page.status, 200)
  return browser
}

beforeEach(async () => {
  owner = await newPerson(started)
  desk = await logIn(new Browser(started))
})

/** Resolves after writes that nobody waited for. */
const written = () => started.server().store.ping()

const namesOn = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<li class="marked">.*?<b>(.*?)<\/b>/g)].map(([, name = '']) => name)

const formsTo = (page: Page, action: string) =>
  formsOf(page.text).filter((form) => form.action === action)

const handlesOn = (page: Page): readonly string[] =>
  formsTo(page, '/account/sessions').flatMap(({ fields }) => fields.session ?? [])

const submit = async (browser: Browser, changes: Form): Promise<Page> => {
  const page = await browser.go('/account/sessions')
  const { csrf = [] } = formsTo(page, '/logout')[0]?.fields ?? {}
  return browser.go('/account/sessions', { csrf, ...changes })
}

const noticeOn = ({ text }: Page): string | undefined => /<p role="status">([^<]*)</.exec(text)?.[1]

/** What the owner allows in a browser until it logs out. */
const allowVisit = async (browser: Browser) => {
  const page = await browser.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
  const { code = '' } = answerOf(
    await browser.submit(page, { decision: 'allow', duration: 'session' }),
  )
  return (await redeem(started, code)).body
}

describe('the list', () => {
  test('names each browser, this one first, with its time, method and network', async () => {
    const at = started.now()
    await started.advance(120)
    await logIn(new Named(firefox))
    const page = await desk.go('/account/sessions')
    assert.equal(page.status, 200)
    assert.deepEqual(namesOn(page), ['An unknown browser', 'Firefox on Linux'])
    assert.match(page.text, /<h1>2 browsers are logged in<\/h1>/)
    assert.match(
      page.text,
      /Password, <bdi dir="ltr">127\.0\.0\.\*<\/bdi> as here, active within the last hour<\/p>/,
    )
    const iso = `${new Date(at * 1000).toISOString().slice(0, 19)}Z`
    assert.match(page.text, new RegExp(`logged in <span data-as="when"><time datetime="${iso}">`))
    assert.match(page.text, /<span class="status">This browser<\/span>/)
    const [handle] = handlesOn(page)
    assert.ok(page.text.includes(`href="/account/lost?why=not-me&amp;session=${handle}"`))
    assert.equal(handlesOn(page).length, 1)
  })

  test('begins with the way to log out all others', async () => {
    await logIn(new Named(firefox))
    const { text } = await desk.go('/account/sessions')
    assert.ok(text.indexOf('value="end-others"') < text.indexOf('class="rows"'))
  })

  test('tells to the hour when a browser was last seen, whether or not that can be written', async (t) => {
    const phone = await logIn(new Named(firefox))
    await started.advance(5 * 3600)
    await desk.go('/account')
    assert.match((await desk.go('/account/sessions')).text, /active 5 hours ago/)
    const failing = t.mock.method(started.server().store, 'noteSession', async () => {
      throw new StoreFault('failed', 'the disk is full')
    })
    assert.equal((await phone.go('/account')).status, 200)
    assert.match((await desk.go('/account/sessions')).text, /active 5 hours ago/)
    failing.mock.restore()
    assert.equal((await phone.go('/account')).status, 200)
    await written()
    assert.doesNotMatch((await desk.go('/account/sessions')).text, /active \d+ hours ago/)
  })

  test('writes the time of a request once an hour', async (t) => {
    const noted = t.mock.method(started.server().store, 'noteSession')
    for (const seconds of [3599, 1, 0, 3600]) {
      started.pass(seconds)
      await desk.go('/account')
      await written()
      await desk.go('/account/sessions')
    }
    assert.equal(noted.mock.callCount(), 2)
  })

  test('of one browser offers nothing to end', async () => {
    const page = await desk.go('/account/sessions')
    assert.deepEqual(formsTo(page, '/account/sessions'), [])
    assert.doesNotMatch(page.text, /Log out the other/)
  })

  test('shows nothing of the cookie, and no address in full', async () => {
    await logIn(new Named(firefox))
    const page = await desk.go('/account/sessions')
    assert.doesNotMatch(page.text, /127\.0\.0\.1/)
    for (const value of desk.cookies.values()) assert.equal(page.text.includes(value), false)
  })

  test('is not disturbed by what a browser says of itself', async () => {
    const said = [`<script>alert(1)</script>${'x'.repeat(5000)}`, '"><img src=x>/1', 'Fire\tfox/1']
    for (const name of said) await logIn(new Named(name))
    const page = await desk.go('/account/sessions')
    assert.equal(page.status, 200)
    assert.doesNotMatch(
      page.text,
      /<script(?! type="module" src="\/assets\/account\.js">)|<img|alert/,
    )
    assert.equal(namesOn(page).length, 4)
  })

  test('goes on on further pages', async () => {
    // Sessions of one moment have no order. This browser is the oldest one, and shown first.
    await started.advance(1)
    for (let i = 0; i < 51; i++) await logIn(new Browser(started))
    const first = await desk.go('/account/sessions')
    const [, more = ''] = /<a href="(\/account\/sessions\?before=[^"]+)"/.exec(first.text) ?? []
    const second = await desk.go(more)
    assert.deepEqual([namesOn(first).length, namesOn(second).length], [51, 1])
    assert.doesNotMatch(second.text, /\?before=/)
    const strange = await desk.go('/account/sessions?before=x%27%20or%201')
    assert.equal(namesOn(strange).length, 51)
  })

  test('is for whoever is logged in, and in Chinese, too', async () => {
    const page = await new Browser(started).ask('/account/sessions')
    assert.deepEqual([page.status, page.headers.get('location')], [303, '/login?next=sessions'])
    await logIn(new Named(firefox))
    const zh = await desk.ask('/account/sessions', undefined, { 'accept-language': 'zh' })
    assert.ok(namesOn(zh).includes('Linux 上的 Firefox'))
  })
})

describe('ending one', () => {
  test('works on the very next request, with what was allowed for its visit', async () => {
    const phone = await logIn(new Named(firefox))
    const visit = await allowVisit(phone)
    const own = await allowVisit(desk)
    const [handle = ''] = handlesOn(await desk.go('/account/sessions'))
    const page = await submit(desk, { action: 'end', session: handle })
    assert.equal(noticeOn(page), 'That browser is logged out.')
    assert.equal(namesOn(page).length, 1)
    assert.deepEqual([await isInside(phone), await isInside(desk)], [false, true])
    assert.equal(await use(started, visit.access_token), 401)
    assert.equal((await refresh(started, visit.refresh_token, photoPrinter)).status, 400)
    assert.equal(await use(started, own.access_token), 200)
  })

  test('twice is once', async () => {
    await logIn(new Browser(started))
    const [session = ''] = handlesOn(await desk.go('/account/sessions'))
    await submit(desk, { action: 'end', session })
    assert.equal(
      noticeOn(await submit(desk, { action: 'end', session })),
      'That browser was logged out before.',
    )
  })

  test('is not for somebody else, whoever knows the handle', async () => {
    const phone = await logIn(new Named(firefox))
    const [session = ''] = handlesOn(await desk.go('/account/sessions'))
    const stranger = await logIn(new Browser(started), await newPerson(started))
    const page = await submit(stranger, { action: 'end', session })
    assert.equal(noticeOn(page), 'That browser was logged out before.')
    await submit(stranger, { action: 'end-others' })
    assert.deepEqual(
      [await isInside(phone), await isInside(desk), await isInside(stranger)],
      [true, true, true],
    )
  })

  test('is not promised where the store fails', async (t) => {
    const phone = await logIn(new Browser(started))
    const [session = ''] = handlesOn(await desk.go('/account/sessions'))
    const failing = t.mock.method(started.server().store, 'endSessionOf', async () => {
      throw new StoreFault('failed', 'the disk is full')
    })
    const page = await submit(desk, { action: 'end', session })
    failing.mock.restore()
    assert.equal(page.status, 503)
    assert.equal(await isInside(phone), true)
  })
})

describe('ending all others', () => {
  test('keeps this one and what was allowed in it, and survives a restart', async () => {
    const others = [await logIn(new Named(firefox)), await logIn(new Browser(started))]
    const visits = await Promise.all(others.map(allowVisit))
    const own = await allowVisit(desk)
    const page = await submit(desk, { action: 'end-others' })
    assert.equal(noticeOn(page), 'All other browsers are logged out.')
    await started.restart()
    assert.deepEqual(await Promise.all([desk, ...others].map(isInside)), [true, false, false])
    for (const { access_token } of visits) assert.equal(await use(started, access_token), 401)
    assert.equal(await use(started, own.access_token), 200)
  })
})

describe('a form that makes no sense', () => {
  const rows: readonly [string, Form, number][] = [
    ['no action', {}, 400],
    ['another action', { action: 'keep' }, 400],
    ['no session', { action: 'end' }, 400],
    ['a wrong csrf token', { action: 'end-others', csrf: 'x' }, 403],
    ['no csrf token', { action: 'end-others', csrf: '' }, 403],
  ]
  for (const [what, changes, status] of rows) {
    test(`${what}: ${status}, nothing changes`, async () => {
      const phone = await logIn(new Browser(started))
      assert.equal((await submit(desk, changes)).status, status)
      assert.equal(await isInside(phone), true)
    })
  }
})

test('a visit ends with its login: at logout, at its last second, and with a login instead of it', async () => {
  const visit = await allowVisit(desk)
  assert.equal(visit.authorization_expires_in, 12 * 3600)
  await desk.submit(await desk.go('/logout'))
  assert.equal(await use(started, visit.access_token), 401)

  await logIn(desk)
  const second = await allowVisit(desk)
  await desk.logIn(await desk.go('/login?switch=1'), owner.username, password)
  assert.equal(await use(started, second.access_token), 401)

  const third = await allowVisit(desk)
  await started.advance(12 * 3600 - 1)
  const { body } = await refresh(started, third.refresh_token, photoPrinter)
  assert.deepEqual([body.expires_in, body.authorization_expires_in], [1, 1])
  await started.advance(1)
  assert.equal(await use(started, body.access_token), 401)
  assert.equal((await refresh(started, body.refresh_token, photoPrinter)).status, 400)
})
