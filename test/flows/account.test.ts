/** The account page: narrowing and ending work on the next request of an older token. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { StoreFault } from '../../src/store/fault.ts'
import { accessFormsOn, openAccess, readAccount } from '../support/accesses.ts'
import { answerOf, Browser, type FoundForm, formsOf, type Page } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { newVisitor, password } from '../support/people.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

const started = startBefore()

/** With a new token each time: the clock moves a lot here. */
const operator: Operator = async (...asked) => (await operatorOf(started))(...asked)

let browser: Browser
let username: string

beforeEach(async () => {
  const visitor = await newVisitor(started)
  browser = visitor.browser
  username = visitor.username
})

/** Allows the demo's web application something, for so long. */
const allow = async (scope = 'photos contacts:read', duration = 'forever', as = browser) => {
  const page = await as.go(authorizePath({ ...codeRequest, scope, prompt: 'consent' }))
  const { code = '' } = answerOf(await as.submit(page, { decision: 'allow', duration }))
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  const { status, body, text } = await started.post('/token', form, photoPrinter)
  assert.equal(status, 200, text)
  return body
}

const used = async (token: string, path = '/api/photos', method = 'GET'): Promise<number> =>
  (await started.ask(path, { method, headers: { authorization: `Bearer ${token}` } })).status

const refreshed = (refresh_token: string) =>
  started.post('/token', { grant_type: 'refresh_token', refresh_token }, photoPrinter)

const authorizationsOn = accessFormsOn

const change = async (form: FoundForm | undefined, changes: Form, as = browser): Promise<Page> => {
  assert.ok(form)
  return as.ask('/account', { ...form.fields, ...changes })
}

const assertDone = (
  page: Page,
  done: 'narrowed' | 'ended' | 'gone',
  { of = '', detail = '' }: { readonly of?: string | undefined; readonly detail?: string } = {},
): void => {
  const client = done === 'gone' ? '' : '&client=photo-printer'
  assert.equal(page.status, 303)
  const [path, tag = ''] = (page.headers.get('location') ?? '').split('&tag=')
  const told = detail === '' ? '' : `&detail=${encodeURIComponent(detail).replaceAll('%20', '+')}`
  assert.equal(path, `/account${of}?done=${done}${client}${told}`)
  assert.match(tag, /^[A-Za-z0-9_-]{16}$/)
}

/** Where the page of the access of a form is, below the account. */
const placeOf = (form: FoundForm | undefined): string =>
  `/access/${form?.fields.authorization?.[0]}`

/** Since when it may, when it was used last, and until when it may. */
const factsOf = ({ text }: Page) => {
  const [, since = '', used = ''] = /Since (<span.*?<\/span>) · (.*?)<\/p>/.exec(text) ?? []
  const [, until = ''] = /<h2>Until<\/h2>\s*<p>(.*?)<\/p>/.exec(text) ?? []
  return { since, used, until }
}

const timesOf = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<time datetime="([^"]+)">/g)].map(([, time = '']) => time)

const isoOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

describe('what it shows', () => {
  test('nothing to begin with, and it says so', async () => {
    const page = await browser.go('/account')
    assert.equal(page.status, 200)
    assert.match(page.text, /No application has access to your account/)
    assert.deepEqual(authorizationsOn(page), [])
  })

  test('each application with what it may do, ticked', async () => {
    await allow('photos contacts:read')
    const page = await openAccess(browser)
    const [form] = authorizationsOn(page)
    assert.match(page.text, /<h1><bdi class="name">Photo Printer<\/bdi><\/h1>/)
    assert.deepEqual(form?.fields.permission, ['photos:read', 'photos:write', 'contacts:read'])
    const buttons = [...page.text.matchAll(/name="action" value="(\w+)"/g)].map(
      ([, value]) => value,
    )
    assert.deepEqual(buttons, ['pause', 'end', 'narrow', 'until'])
  })

  test('since when, and until when', async () => {
    const since = started.now()
    await allow('photos', 'day')
    const facts = factsOf(await openAccess(browser))
    assert.equal(facts.used, 'never used')
    assert.ok(facts.since.includes(`datetime="${isoOf(since)}"`))
    assert.ok(facts.until.includes(`datetime="${isoOf(since + 24 * 3600)}"`))
  })

  test('one line for each duration, newest first', async () => {
    await allow('photos', 'forever')
    await started.advance(60)
    await allow('contacts', 'session')
    const page = await readAccount(browser)
    const permissions = authorizationsOn(page).map(({ fields }) => fields.permission)
    assert.deepEqual(permissions, [
      ['contacts:read', 'contacts:write'],
      ['photos:read', 'photos:write'],
    ])
    assert.match(page.text, /When you log out, at the latest/)
    assert.match(page.text, /No end date/)
  })

  test('only to whoever is logged in', async () => {
    const page = await new Browser(started).ask('/account')
    assert.deepEqual([page.status, page.headers.get('location')], [303, '/login'])
  })

  test('what is over is gone', async () => {
    await allow('photos', 'day')
    await started.advance(24 * 3600)
    await browser.logIn(await browser.go('/login'), username, password)
    assert.deepEqual(authorizationsOn(await readAccount(browser)), [])
  })

  test('who an application is: that nobody checked a stranger, its page, whether it is disabled', async () => {
    await allow()
    assert.doesNotMatch((await readAccount(browser)).text, /Nobody has checked|has disabled/)
    // The newest access comes first, and ids of one moment come in any order.
    await started.advance(1)
    const { status, body } = await started.ask('/register', {
      json: {
        client_name: 'Stranger',
        redirect_uris: [callback],
        client_uri: 'https://shop.example/who/we/are',
        scope: 'photos',
      },
    })
    assert.equal(status, 201)
    const { client_id } = body
    const asked = await browser.go(authorizePath({ ...codeRequest, client_id }))
    await browser.submit(asked, { decision: 'allow' })
    await operator('PATCH', `clients/${client_id}`, { disabled: true })
    const account = await openAccess(browser)
    const { text } = account
    assert.match(
      text,
      /<strong>Nobody has checked this application\.<\/strong> It registered itself/,
    )
    assert.match(text, /says that its page is at <code>shop\.example<\/code>/)
    assert.match(text, /has disabled <bdi class="name">Stranger<\/bdi>\. It can do nothing/)
    const [, ledger = ''] = /href="(\/account\/ledger\?authorization=[^"]+)"/.exec(text) ?? []
    await change(authorizationsOn(account)[0], { action: 'end' })
    assert.match((await browser.go('/account/ended')).text, /<bdi class="name">Stranger<\/bdi>/)
    const page = await browser.go(ledger)
    assert.match(page.text, /<bdi class="name">Stranger<\/bdi>/)
    assert.match(
      page.text,
      /<strong>Nobody has checked this application\.<\/strong> It registered itself/,
    )
    assert.match(page.text, /says that its page is at <code>shop\.example<\/code>/)
  })
})

describe('the last use', () => {
  test('is shown as <time datetime>, at once', async () => {
    const { access_token: token } = await allow('photos', 'forever')
    await started.advance(600)
    const at = started.now()
    assert.equal(await used(token), 200)
    const told = `<time datetime="${isoOf(at)}">just now</time>`
    const page = await openAccess(browser)
    assert.ok(factsOf(page).used.includes(told))
    const list = await browser.go('/account')
    assert.ok(list.text.includes(`<span data-as="when">${told}`))
    assert.ok(timesOf(list).includes(isoOf(at)))
  })

  test('is the latest of all, and stays over a restart', async () => {
    const { access_token: token } = await allow('photos', 'forever')
    await used(token)
    await started.advance(1200)
    const at = started.now()
    await used(token)
    await started.restart()
    await started.advance(180)
    const { used: last } = factsOf(await openAccess(browser))
    assert.ok(last.includes(`<time datetime="${isoOf(at)}">3 min ago</time>`), last)
  })

  test('is not that of a token that was refused', async () => {
    const { access_token: token } = await allow('photos:read', 'forever')
    assert.equal(await used(token, '/api/contacts'), 403)
    assert.equal(factsOf(await openAccess(browser)).used, 'never used')
  })
})

describe('narrowing', () => {
  test('works on the very next request of a token issued before', async () => {
    const tokens = await allow('photos contacts:read')
    assert.equal(await used(tokens.access_token, '/api/contacts'), 200)
    const [form] = authorizationsOn(await readAccount(browser))
    const saved = await change(form, { action: 'narrow', permission: ['photos:read'] })
    const detail = 'contacts:read photos:write'
    assertDone(saved, 'narrowed', { of: placeOf(form), detail })
    const told = await browser.go(saved.headers.get('location') ?? '')
    assert.match(
      told.text,
      /role="status">Saved\. <bdi class="name">Photo Printer<\/bdi> can no longer do this: Add, change and delete your photos; See the people you know\. It must ask you again\.</,
    )
    assert.equal(await used(tokens.access_token), 200)
    assert.equal(await used(tokens.access_token, '/api/contacts'), 403)
    assert.equal(await used(tokens.access_token, '/api/photos', 'POST'), 403)
    const [left] = authorizationsOn(await readAccount(browser))
    assert.deepEqual(left?.fields.permission, ['photos:read'])
  })

  test('holds for what is refreshed, and for a code that waits', async () => {
    const tokens = await allow('photos contacts:read')
    const page = await browser.go(authorizePath({ ...codeRequest, scope: 'photos contacts:read' }))
    const { code = '' } = answerOf(page)
    const [form] = authorizationsOn(await readAccount(browser))
    await change(form, { action: 'narrow', permission: ['contacts:read'] })
    assert.equal((await refreshed(tokens.refresh_token)).body.scope, 'contacts:read')
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
    assert.equal((await started.post('/token', exchange, photoPrinter)).body.scope, 'contacts:read')
  })

  test('never widens', async () => {
    const tokens = await allow('photos:read')
    const [form] = authorizationsOn(await readAccount(browser))
    const wide = ['photos:read', 'photos:write', 'contacts:read', 'clients:write', 'x']
    const saved = await change(form, { action: 'narrow', permission: wide })
    assertDone(saved, 'narrowed', { of: placeOf(form) })
    const told = await browser.go(saved.headers.get('location') ?? '')
    assert.match(told.text, /role="status">Saved\. Nothing has changed\.</)
    const [left] = authorizationsOn(await readAccount(browser))
    assert.deepEqual(left?.fields.permission, ['photos:read'])
    assert.equal(await used(tokens.access_token, '/api/contacts'), 403)
  })

  test('to nothing is the end', async () => {
    for (const permission of [[], ['calendar:read']]) {
      const tokens = await allow()
      const [form] = authorizationsOn(await readAccount(browser))
      assertDone(await change(form, { action: 'narrow', permission }), 'ended')
      assert.equal(await used(tokens.access_token), 401)
      assert.deepEqual(authorizationsOn(await readAccount(browser)), [])
    }
  })

  test('is asked for again by a client that wants more', async () => {
    await allow('photos')
    const [form] = authorizationsOn(await readAccount(browser))
    await change(form, { action: 'narrow', permission: ['photos:read'] })
    const page = await browser.go(authorizePath({ ...codeRequest, scope: 'photos' }))
    assert.match(page.url, /\/consent\?/)
  })
})

describe('ending', () => {
  test('works on the very next request of each token of each device', async () => {
    const [desk, phone] = [await allow(), await allow()]
    const [form] = authorizationsOn(await readAccount(browser))
    assertDone(await change(form, { action: 'end' }), 'ended')
    for (const tokens of [desk, phone]) {
      assert.equal(await used(tokens.access_token), 401)
      const { status, body } = await refreshed(tokens.refresh_token)
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    }
    const asked = await browser.go(authorizePath({ ...codeRequest, scope: 'photos' }))
    assert.match(asked.url, /\/consent\?/)
  })

  test('takes a code along that waits to be redeemed', async () => {
    const page = await browser.go(authorizePath(codeRequest))
    const { code = '' } = answerOf(await browser.submit(page, { decision: 'allow' }))
    const [form] = authorizationsOn(await readAccount(browser))
    await change(form, { action: 'end' })
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const { status, body } = await started.post('/token', exchange, photoPrinter)
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  })

  test('ends one duration, and leaves the other', async () => {
    const lasting = await allow('photos', 'forever')
    await started.advance(1)
    const visit = await allow('contacts', 'session')
    const [newest] = authorizationsOn(await readAccount(browser))
    await change(newest, { action: 'end' })
    assert.equal(await used(visit.access_token, '/api/contacts'), 401)
    assert.equal(await used(lasting.access_token), 200)
  })

  test('of an application with several: its page says so, and one button ends them all', async () => {
    const all = [await allow('photos', 'forever')]
    for (const duration of ['day', 'session']) {
      await started.advance(1)
      all.push(await allow('photos', duration))
    }
    const page = await readAccount(browser)
    assert.equal(page.text.match(/Other access of <bdi class="name">Photo Printer</g)?.length, 3)
    const [form] = formsOf(page.text).filter(({ fields }) => 'client' in fields)
    assert.ok(form)
    assertDone(await change(form, { action: 'end-every' }), 'ended')
    for (const tokens of all) assert.equal(await used(tokens.access_token), 401)
    assert.deepEqual(authorizationsOn(await readAccount(browser)), [])
    assertDone(await change(form, { action: 'end-every' }), 'gone')
  })

  test('ending every access of one application leaves others, and other owners, alone', async () => {
    const tokens = await allow()
    const { browser: stranger } = await newVisitor(started)
    const others = await allow('photos', 'forever', stranger)
    const [form] = authorizationsOn(await readAccount(stranger))
    const foreign = { action: 'end-every', client: 'gallery' }
    assertDone(await change(form, foreign, stranger), 'gone')
    const own = { action: 'end-every', client: 'photo-printer' }
    assertDone(await change(form, own, stranger), 'ended')
    assert.equal(await used(others.access_token), 401)
    assert.equal(await used(tokens.access_token), 200)
  })

  test('twice is once', async () => {
    await allow()
    const [form] = authorizationsOn(await readAccount(browser))
    assertDone(await change(form, { action: 'end' }), 'ended')
    assertDone(await change(form, { action: 'end' }), 'gone')
  })

  test('survives a restart (ST-08)', async () => {
    const tokens = await allow()
    const [form] = authorizationsOn(await readAccount(browser))
    await change(form, { action: 'end' })
    await started.restart()
    assert.equal(await used(tokens.access_token), 401)
    assert.equal((await refreshed(tokens.refresh_token)).status, 400)
  })

  test('RV-09: is not promised where the store fails', async (t) => {
    const tokens = await allow()
    const [form] = authorizationsOn(await readAccount(browser))
    const failing = t.mock.method(started.server().store, 'endAuthorization', async () => {
      throw new StoreFault('failed', 'the disk is full')
    })
    const page = await change(form, { action: 'end' })
    failing.mock.restore()
    assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '1'])
    assert.equal(await used(tokens.access_token), 200)
  })
})

describe('what is not one’s own', () => {
  test('is neither narrowed nor ended, whoever knows its id', async () => {
    const tokens = await allow('photos contacts:read')
    const [foreign] = authorizationsOn(await readAccount(browser))
    const id = foreign?.fields.authorization ?? []
    const { browser: stranger } = await newVisitor(started)
    await allow('photos', 'forever', stranger)
    const [own] = authorizationsOn(await readAccount(stranger))
    for (const action of ['end', 'narrow', 'until']) {
      const changes = { action, authorization: id, permission: ['photos:read'], until: 'day' }
      assertDone(await change(own, changes, stranger), 'gone')
    }
    assert.equal(await used(tokens.access_token, '/api/contacts'), 200)
    assert.equal(authorizationsOn(await readAccount(stranger)).length, 1)
  })
})

describe('a form that makes no sense', () => {
  const rows: readonly [string, Form][] = [
    ['no action', { action: '' }],
    ['another action', { action: 'widen' }],
    ['no authorization', { action: 'end', authorization: '' }],
    ['every access of nobody', { action: 'end-every' }],
  ]
  for (const [what, changes] of rows) {
    test(`${what}: 400, nothing changes`, async () => {
      const tokens = await allow()
      const [form] = authorizationsOn(await readAccount(browser))
      const page = await change(form, changes)
      assert.equal(page.status, 400)
      assert.match(page.text, /Go back, reload the page and send it again/)
      assert.equal(await used(tokens.access_token), 200)
    })
  }
})
