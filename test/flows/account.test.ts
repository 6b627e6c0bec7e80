/** The account page: narrowing and ending work on the next request of an older token. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { StoreFault } from '../../src/store/fault.ts'
import {
  answerOf,
  authorizePath,
  Browser,
  callback,
  codeRequest,
  type FoundForm,
  formsOf,
  type Page,
} from '../support/browser.ts'
import { type Form, photoPrinter, type Started, start } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

let started: Started

before(async () => {
  started = await start()
})
after(() => started.close())

/** With a new token each time: the clock moves a lot here. */
const operator: Operator = async (...asked) => (await operatorOf(started))(...asked)

const password = 'correct horse battery'
let names = 0
let browser: Browser

const newOwner = async (): Promise<Browser> => {
  const username = `person-${++names}`
  await operator('POST', 'owners', { username, password })
  const own = new Browser(started)
  await own.logIn(await own.go('/login'), username, password)
  return own
}

beforeEach(async () => {
  browser = await newOwner()
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

const authorizationsOn = ({ text }: Page): readonly FoundForm[] =>
  formsOf(text).filter(({ action }) => action.split('?')[0] === '/account')

const change = async (form: FoundForm | undefined, changes: Form, as = browser): Promise<Page> => {
  assert.ok(form)
  return as.ask('/account', { ...form.fields, ...changes })
}

const assertDone = (page: Page, done: 'narrowed' | 'ended' | 'gone'): void => {
  const client = done === 'gone' ? '' : '&client=photo-printer'
  assert.equal(page.status, 303)
  const [path, tag = ''] = (page.headers.get('location') ?? '').split('&tag=')
  assert.equal(path, `/account?done=${done}${client}`)
  assert.match(tag, /^[A-Za-z0-9_-]{16}$/)
}

/** `<dt>` and what stands beside it. */
const factsOf = ({ text }: Page): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/<dt>([^<]+)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value]),
  )

const timesOf = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<time datetime="([^"]+)">/g)].map(([, time = '']) => time)

const isoOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

describe('what it shows', () => {
  test('nothing to begin with, and it says so', async () => {
    const page = await browser.go('/account')
    assert.equal(page.status, 200)
    assert.match(page.text, /No application may reach your things/)
    assert.deepEqual(authorizationsOn(page), [])
  })

  test('each application with what it may do, ticked', async () => {
    await allow('photos contacts:read')
    const page = await browser.go('/account')
    const [form] = authorizationsOn(page)
    assert.match(page.text, /<h2><bdi class="name">Photo Printer<\/bdi><\/h2>/)
    assert.deepEqual(form?.fields.permission, ['photos:read', 'photos:write', 'contacts:read'])
    const buttons = [...page.text.matchAll(/name="action" value="(\w+)"/g)].map(
      ([, value]) => value,
    )
    assert.deepEqual(buttons, ['narrow', 'until', 'pause', 'end'])
  })

  test('since when, and until when', async () => {
    const since = started.now()
    await allow('photos', 'day')
    const facts = factsOf(await browser.go('/account'))
    assert.equal(facts['Last used'], 'never')
    assert.ok(facts['Allowed since']?.includes(`datetime="${isoOf(since)}"`))
    assert.ok(facts.Until?.includes(`datetime="${isoOf(since + 24 * 3600)}"`))
  })

  test('one card for each duration, newest first', async () => {
    await allow('photos', 'forever')
    await started.advance(60)
    await allow('contacts', 'session')
    const page = await browser.go('/account')
    const permissions = authorizationsOn(page).map(({ fields }) => fields.permission)
    assert.deepEqual(permissions, [
      ['contacts:read', 'contacts:write'],
      ['photos:read', 'photos:write'],
    ])
    assert.match(page.text, /you log out, at the latest/)
    assert.match(page.text, /you take it back/)
  })

  test('only to whoever is logged in', async () => {
    const page = await new Browser(started).ask('/account')
    assert.deepEqual([page.status, page.headers.get('location')], [303, '/login'])
  })

  test('what is over is gone', async () => {
    await allow('photos', 'day')
    await started.advance(24 * 3600)
    await browser.logIn(await browser.go('/login'), `person-${names}`, password)
    assert.deepEqual(authorizationsOn(await browser.go('/account')), [])
  })

  test('more than a hundred go on on a further page, where what is done there leads back to', async () => {
    for (let i = 0; i < 101; i++) {
      const made = await operator('POST', 'clients', {
        client_name: `Shop ${i}`,
        redirect_uris: [callback],
        grant_types: ['authorization_code'],
      })
      const client_id = made.body.client_id
      const page = await browser.go(authorizePath({ ...codeRequest, client_id }))
      await browser.submit(page, { decision: 'allow' })
      await started.advance(1)
    }
    const first = await browser.go('/account')
    const names = (page: Page) =>
      [...page.text.matchAll(/<h2><bdi class="name">(Shop \d+)</g)].map(([, name]) => name)
    assert.deepEqual([names(first)[0], names(first).at(-1)], ['Shop 100', 'Shop 1'])
    const [, more = ''] = /<a href="(\/account\?after=[^"]+)">Show more/.exec(first.text) ?? []
    const second = await browser.go(more)
    const shown = [first, second].flatMap((page) =>
      authorizationsOn(page).map(({ fields }) => fields.authorization?.[0]),
    )
    assert.deepEqual(
      [authorizationsOn(first).length, shown.length, new Set(shown).size],
      [100, 101, 101],
    )
    assert.deepEqual(names(second), ['Shop 0'])
    assert.doesNotMatch(second.text, /Show more/)
    const press = (changes: Form) => {
      const [form] = authorizationsOn(second)
      assert.ok(form)
      return browser.submitForm(second, form, changes)
    }
    const bad = await press({ action: 'until', until: 'date', date: '2020-01-01' })
    assert.deepEqual([bad.status, names(bad)], [400, ['Shop 0']])
    const narrowed = await press({ action: 'narrow', permission: ['photos:read'] })
    assert.match(narrowed.text, /Saved\. <bdi class="name">Shop 0</)
    assert.deepEqual(names(narrowed), ['Shop 0'])
    const ended = await press({ action: 'end' })
    assert.match(ended.text, /The access of <bdi class="name">Shop 0<\/bdi> has ended/)
    assert.deepEqual([names(ended)[0], names(ended).length], ['Shop 100', 100])
  })

  test('who an application is: that nobody checked a stranger, its page, whether it is disabled', async () => {
    await allow()
    assert.doesNotMatch((await browser.go('/account')).text, /Unverified|has disabled/)
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
    const account = await browser.go('/account')
    const { text } = account
    assert.match(text, /<strong>Unverified\.<\/strong> This application registered itself/)
    assert.match(text, /says that its page is at <code>shop\.example<\/code>/)
    assert.match(text, /has disabled <bdi class="name">Stranger<\/bdi>: it can do nothing/)
    const [, ledger = ''] = /href="(\/account\/ledger\?authorization=[^"]+)"/.exec(text) ?? []
    await change(authorizationsOn(account)[0], { action: 'end' })
    for (const path of [ledger, '/account/ended']) {
      const page = await browser.go(path)
      assert.match(page.text, /<bdi class="name">Stranger<\/bdi>/)
      assert.match(page.text, /<strong>Unverified\.<\/strong> This application registered itself/)
      assert.match(page.text, /says that its page is at <code>shop\.example<\/code>/)
    }
  })
})

describe('the last use', () => {
  test('is shown as <time datetime>, at once', async () => {
    const { access_token: token } = await allow('photos', 'forever')
    await started.advance(600)
    const at = started.now()
    assert.equal(await used(token), 200)
    const page = await browser.go('/account')
    assert.ok(factsOf(page)['Last used']?.startsWith(`<time datetime="${isoOf(at)}">`))
    assert.ok(factsOf(page)['Last used']?.endsWith('(just now)'))
    assert.ok(timesOf(page).includes(isoOf(at)))
  })

  test('is the latest of all, and stays over a restart', async () => {
    const { access_token: token } = await allow('photos', 'forever')
    await used(token)
    await started.advance(1200)
    const at = started.now()
    await used(token)
    await started.restart()
    await started.advance(180)
    const { 'Last used': last = '' } = factsOf(await browser.go('/account'))
    assert.ok(last.startsWith(`<time datetime="${isoOf(at)}">`), last)
    assert.ok(last.endsWith('(3 minutes ago)'), last)
  })

  test('is not that of a token that was refused', async () => {
    const { access_token: token } = await allow('photos:read', 'forever')
    assert.equal(await used(token, '/api/contacts'), 403)
    assert.equal(factsOf(await browser.go('/account'))['Last used'], 'never')
  })
})

describe('narrowing', () => {
  test('works on the very next request of a token issued before', async () => {
    const tokens = await allow('photos contacts:read')
    assert.equal(await used(tokens.access_token, '/api/contacts'), 200)
    const [form] = authorizationsOn(await browser.go('/account'))
    assertDone(await change(form, { action: 'narrow', permission: ['photos:read'] }), 'narrowed')
    assert.equal(await used(tokens.access_token), 200)
    assert.equal(await used(tokens.access_token, '/api/contacts'), 403)
    assert.equal(await used(tokens.access_token, '/api/photos', 'POST'), 403)
    const [left] = authorizationsOn(await browser.go('/account'))
    assert.deepEqual(left?.fields.permission, ['photos:read'])
  })

  test('holds for what is refreshed, and for a code that waits', async () => {
    const tokens = await allow('photos contacts:read')
    const page = await browser.go(authorizePath({ ...codeRequest, scope: 'photos contacts:read' }))
    const { code = '' } = answerOf(page)
    const [form] = authorizationsOn(await browser.go('/account'))
    await change(form, { action: 'narrow', permission: ['contacts:read'] })
    assert.equal((await refreshed(tokens.refresh_token)).body.scope, 'contacts:read')
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
    assert.equal((await started.post('/token', exchange, photoPrinter)).body.scope, 'contacts:read')
  })

  test('never widens', async () => {
    const tokens = await allow('photos:read')
    const [form] = authorizationsOn(await browser.go('/account'))
    const wide = ['photos:read', 'photos:write', 'contacts:read', 'clients:write', 'x']
    assertDone(await change(form, { action: 'narrow', permission: wide }), 'narrowed')
    const [left] = authorizationsOn(await browser.go('/account'))
    assert.deepEqual(left?.fields.permission, ['photos:read'])
    assert.equal(await used(tokens.access_token, '/api/contacts'), 403)
  })

  test('to nothing is the end', async () => {
    for (const permission of [[], ['calendar:read']]) {
      const tokens = await allow()
      const [form] = authorizationsOn(await browser.go('/account'))
      assertDone(await change(form, { action: 'narrow', permission }), 'ended')
      assert.equal(await used(tokens.access_token), 401)
      assert.deepEqual(authorizationsOn(await browser.go('/account')), [])
    }
  })

  test('is asked for again by a client that wants more', async () => {
    await allow('photos')
    const [form] = authorizationsOn(await browser.go('/account'))
    await change(form, { action: 'narrow', permission: ['photos:read'] })
    const page = await browser.go(authorizePath({ ...codeRequest, scope: 'photos' }))
    assert.match(page.url, /\/consent\?/)
  })
})

describe('ending', () => {
  test('works on the very next request of each token of each device', async () => {
    const [desk, phone] = [await allow(), await allow()]
    const [form] = authorizationsOn(await browser.go('/account'))
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
    const [form] = authorizationsOn(await browser.go('/account'))
    await change(form, { action: 'end' })
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const { status, body } = await started.post('/token', exchange, photoPrinter)
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  })

  test('ends one duration, and leaves the other', async () => {
    const lasting = await allow('photos', 'forever')
    await started.advance(1)
    const visit = await allow('contacts', 'session')
    const [newest] = authorizationsOn(await browser.go('/account'))
    await change(newest, { action: 'end' })
    assert.equal(await used(visit.access_token, '/api/contacts'), 401)
    assert.equal(await used(lasting.access_token), 200)
  })

  test('of an application with several: the card says so, and one button ends them all', async () => {
    const all = [await allow('photos', 'forever')]
    for (const duration of ['day', 'session']) {
      await started.advance(1)
      all.push(await allow('photos', duration))
    }
    const page = await browser.go('/account')
    assert.equal(page.text.match(/has another access, on a card of its own/g)?.length, 3)
    assert.match(page.text, /End this access</)
    const [form] = authorizationsOn(page)
    assert.ok(form)
    assertDone(await change(form, { action: 'end-every' }), 'ended')
    for (const tokens of all) assert.equal(await used(tokens.access_token), 401)
    assert.deepEqual(authorizationsOn(await browser.go('/account')), [])
    assertDone(await change(form, { action: 'end-every' }), 'gone')
  })

  test('ending every access of one application leaves others, and other owners, alone', async () => {
    const tokens = await allow()
    const stranger = await newOwner()
    const others = await allow('photos', 'forever', stranger)
    const [form] = authorizationsOn(await stranger.go('/account'))
    const foreign = { action: 'end-every', client: 'gallery' }
    assertDone(await change(form, foreign, stranger), 'gone')
    const own = { action: 'end-every', client: 'photo-printer' }
    assertDone(await change(form, own, stranger), 'ended')
    assert.equal(await used(others.access_token), 401)
    assert.equal(await used(tokens.access_token), 200)
  })

  test('twice is once', async () => {
    await allow()
    const [form] = authorizationsOn(await browser.go('/account'))
    assertDone(await change(form, { action: 'end' }), 'ended')
    assertDone(await change(form, { action: 'end' }), 'gone')
  })

  test('survives a restart (ST-08)', async () => {
    const tokens = await allow()
    const [form] = authorizationsOn(await browser.go('/account'))
    await change(form, { action: 'end' })
    await started.restart()
    assert.equal(await used(tokens.access_token), 401)
    assert.equal((await refreshed(tokens.refresh_token)).status, 400)
  })

  test('RV-09: is not promised where the store fails', async (t) => {
    const tokens = await allow()
    const [form] = authorizationsOn(await browser.go('/account'))
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
    const [foreign] = authorizationsOn(await browser.go('/account'))
    const id = foreign?.fields.authorization ?? []
    const stranger = await newOwner()
    await allow('photos', 'forever', stranger)
    const [own] = authorizationsOn(await stranger.go('/account'))
    for (const action of ['end', 'narrow', 'until']) {
      const changes = { action, authorization: id, permission: ['photos:read'], until: 'day' }
      assertDone(await change(own, changes, stranger), 'gone')
    }
    assert.equal(await used(tokens.access_token, '/api/contacts'), 200)
    assert.equal(authorizationsOn(await stranger.go('/account')).length, 1)
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
      const [form] = authorizationsOn(await browser.go('/account'))
      const page = await change(form, changes)
      assert.equal(page.status, 400)
      assert.match(page.text, /Go back, reload the page and send it again/)
      assert.equal(await used(tokens.access_token), 200)
    })
  }
})
