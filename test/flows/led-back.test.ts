/** A page that needs a login leads back afterwards, and says if a form was not executed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accessFormsOn, accessPathsOn } from '../support/accesses.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { codeAt, setUpCodes, submitWith } from '../support/factors.ts'
import { newVisitor, password } from '../support/people.ts'
import { obtainTokens } from '../support/printing.ts'
import { listRows } from '../support/rows.ts'
import { startBefore } from '../support/start.ts'

const service = startBefore()

const pathOf = ({ url }: Page): string => url.slice(service.issuer.length)

const noticeOn = ({ text }: Page): string | undefined =>
  /<p[^>]* role="status"[^>]*>(.*?)<\/p>/.exec(text)?.[1]

const nothingChanged = /You were logged out by then, so nothing was changed/

/** Asks for something without a login; after it, where one is. */
const throughLogin = async (path: string): Promise<string> => {
  const browser = new Browser(service)
  return pathOf(await browser.logIn(await browser.go(path), 'alice', 'wonderland'))
}

/** Somebody in front of a page, whose login ends behind it. */
const loggedOutAt = async (path: string): Promise<{ browser: Browser; page: Page }> => {
  const browser = new Browser(service)
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  const page = await browser.go(path)
  await browser.submit(await browser.go('/logout'))
  return { browser, page }
}

describe('a page that was asked for without a login', () => {
  const asked = listRows().filter(
    ({ path, refusedAs }) => /^\/account(\/[a-z/]+)?$/.test(path) && refusedAs === 'page',
  )
  for (const { method, path } of asked) {
    // They have ways of their own: below, and in the tests of deletion.
    if (/\/(confirm|recovery|deletion|ledger|passkey)$/.test(path)) continue
    test(`${method} ${path} is where the login ends`, async () => {
      const browser = new Browser(service)
      const login = await browser.go(path, method === 'POST' ? { csrf: 'of nobody' } : undefined)
      const inside = await browser.logIn(login, 'alice', 'wonderland')
      const place = path === '/account/upstreams' ? '/account/security' : path
      assert.deepEqual([inside.status, pathOf(inside).split('?')[0]], [200, place])
    })
  }

  test('where one is to prove to be there, the login does, and what it is for is next', async () => {
    for (const [path, next] of [
      ['/account/confirm', '/account/security'],
      ['/account/confirm?next=security%2Fcodes', '/account/security/codes'],
      ['/account/confirm?next=events', '/account/security'],
    ] as const) {
      assert.equal(await throughLogin(path), next)
    }
  })

  test('new recovery codes are, for whoever may have some', async () => {
    const { browser: own, username } = await newVisitor(service)
    const secret = await setUpCodes(own, service.now())
    await service.advance(60)
    for (const path of [
      '/account/security/recovery',
      '/account/confirm?next=security%2Frecovery',
    ]) {
      const browser = new Browser(service)
      const second = await browser.logIn(await browser.go(path), username, password)
      await service.advance(60)
      const code = codeAt(secret, service.now())
      const page = await submitWith(browser, second, 'code', { code })
      assert.equal(pathOf(page), '/account/security/recovery')
      assert.match(page.text, /Your new recovery codes/)
    }
  })

  test('a list begins with its first part', async () => {
    const further = `after=${'0'.repeat(26)}&before=${'0'.repeat(26)}`
    for (const path of ['/account', '/account/sessions', '/account/events', '/account/ended']) {
      assert.equal(await throughLogin(`${path}?${further}`), path)
    }
  })

  test('the page and the ledger of one application are found again by its id', async () => {
    await obtainTokens(service)
    const browser = new Browser(service)
    const account = await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    const [access = ''] = accessPathsOn(account)
    const { text } = await browser.go(access)
    const [, path = ''] = /href="(\/account\/ledger\?authorization=[^"]+)"/.exec(text) ?? []
    for (const one of [access, path]) {
      assert.notEqual(one, '')
      assert.equal(await throughLogin(one), one)
    }
  })

  test('an id that is none leads to the first page', async () => {
    assert.equal(await throughLogin('/account/ledger?authorization=//evil.example'), '/account')
    assert.equal(await throughLogin('/account/access/evil.example'), '/account')
  })

  test('is where a login ends that took two tries and a second step', async () => {
    const { browser: own, username } = await newVisitor(service)
    const secret = await setUpCodes(own, service.now())
    await service.advance(60)
    const browser = new Browser(service)
    const wrong = await browser.logIn(await browser.go('/account/events'), username, 'a guess')
    const second = await browser.logIn(wrong, username, password)
    const wrongCode = await submitWith(browser, second, 'code', { code: '000000' })
    const code = codeAt(secret, service.now())
    assert.equal(pathOf(await submitWith(browser, wrongCode, 'code', { code })), '/account/events')
  })

  test('stays so where the second step begins anew', async () => {
    const { browser: own, username } = await newVisitor(service)
    const secret = await setUpCodes(own, service.now())
    const browser = new Browser(service)
    const second = await browser.logIn(await browser.go('/account/ended'), username, password)
    await service.advance(3600)
    const late = await submitWith(browser, second, 'code', { code: codeAt(secret, service.now()) })
    const again = await browser.logIn(late, username, password)
    const code = codeAt(secret, service.now())
    assert.equal(pathOf(await submitWith(browser, again, 'code', { code })), '/account/ended')
  })

  test('is shown at once to whoever has logged in meanwhile', async () => {
    const browser = new Browser(service)
    const asked = await browser.ask('/account/sessions')
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    const page = await browser.go(asked.headers.get('location') ?? '')
    assert.equal(pathOf(page), '/account/sessions')
  })

  test('nothing but a page of the account can be asked for', async () => {
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/account/sessions',
      'ledger-',
      'ledger-//evil.example',
      `ledger-${'a'.repeat(25)}/`,
      'toString',
      '__proto__',
    ]) {
      const page = await new Browser(service).go(`/login?next=${encodeURIComponent(next)}`)
      assert.doesNotMatch(page.text, /name="next"/)
      assert.equal(await throughLogin(`/login?next=${encodeURIComponent(next)}`), '/account', next)
    }
    const browser = new Browser(service)
    const [form] = formsOf((await browser.go('/login')).text)
    const fields = { ...form?.fields, username: 'alice', password: 'wonderland' }
    const forged = await browser.ask('/login', { ...fields, next: 'https://evil.example/' })
    assert.deepEqual([forged.status, forged.headers.get('location')], [303, '/account'])
  })
})

describe('a form that was sent without a login', () => {
  for (const path of ['/account/sessions', '/account/password', '/account/security/codes']) {
    test(`says that nothing was changed, and leads back to ${path}`, async () => {
      const { browser, page } = await loggedOutAt(path)
      const form = formsOf(page.text).find(({ action }) => action.startsWith(path))
      assert.ok(form, page.text)
      const login = await browser.submitForm(page, form)
      assert.match(noticeOn(login) ?? '', nothingChanged)
      assert.equal(pathOf(await browser.logIn(login, 'alice', 'wonderland')), path)
    })
  }

  test('leaves an access as it was, and says so', async () => {
    await obtainTokens(service)
    const visitor = new Browser(service)
    const list = await visitor.logIn(await visitor.go('/login'), 'alice', 'wonderland')
    const { browser, page } = await loggedOutAt(accessPathsOn(list)[0] ?? '')
    const [form] = accessFormsOn(page)
    assert.ok(form)
    const login = await browser.submitForm(page, form, { action: 'end' })
    assert.match(noticeOn(login) ?? '', nothingChanged)
    const account = await browser.logIn(login, 'alice', 'wonderland')
    assert.equal(pathOf(account), '/account')
    assert.deepEqual(accessPathsOn(account), accessPathsOn(list))
  })

  test('says so in Chinese', async () => {
    const { browser } = await loggedOutAt('/account')
    const sent = await browser.ask('/account', { action: 'end' })
    const zh = { 'accept-language': 'zh' }
    const login = await browser.ask(sent.headers.get('location') ?? '', undefined, zh)
    assert.match(noticeOn(login) ?? '', /\p{Script=Han}/u)
  })

  test('a link alone makes the login page say nothing', async () => {
    const { browser } = await loggedOutAt('/account')
    const sent = await browser.ask('/account', { action: 'end' })
    const { searchParams } = new URL(sent.headers.get('location') ?? '', service.issuer)
    assert.equal(searchParams.get('done'), 'nothing')
    const other = new Browser(service)
    await other.go('/login')
    const path = `/login?${searchParams}`
    assert.equal(noticeOn(await other.go(path)), undefined)
    assert.equal(noticeOn(await new Browser(service).go(path)), undefined)
    assert.match(noticeOn(await browser.go(path)) ?? '', nothingChanged)
  })
})

test('a form that another site sent makes the login page say nothing', async () => {
  const { browser } = await loggedOutAt('/account')
  for (const headers of [
    { origin: 'http://127.0.0.1:6750' },
    { 'sec-fetch-site': 'same-site', origin: 'null' },
  ]) {
    const sent = await browser.ask('/account/password', { password: 'x' }, headers)
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/login?next=password'])
  }
})

test('a ledger that is downloaded without a login is refused as JSON, not taken for a page', async () => {
  await obtainTokens(service)
  const { browser, page } = await loggedOutAt('/account')
  const [, id = ''] = /\/account\/ledger\?authorization=([^"]+)"/.exec(page.text) ?? []
  const answer = await browser.ask(`/account/ledger.json?authorization=${id}`)
  assert.equal(answer.status, 403)
  assert.equal(answer.headers.get('content-type'), 'application/json;charset=UTF-8')
  assert.deepEqual(answer.body, {
    error: 'access_denied',
    error_description: 'the login is missing or has ended: log in at /account, then ask again',
  })
})
