/** Recent events of an account: in plain words, newest first, with the network where it is known, and nobody else's. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { openAccess } from '../support/accesses.ts'
import { enter } from '../support/authorization.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { makeRecoveryCodes, setUpCodes } from '../support/factors.ts'
import { newPerson, password, type Visitor } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'
import { redeem, refresh } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

const another = 'staple the other horse'

const started = startBefore()
let owner: Visitor
let browser: Browser

const addOwner = async (): Promise<Visitor> => {
  const person = await newPerson(started)
  await later()
  const own = await enter(started, person.username, password)
  await later()
  return { ...person, browser: own }
}

/** Events of one millisecond come in no order, so something passes between them. */
const later = (): Promise<void> => started.advance(1)

beforeEach(async () => {
  owner = await addOwner()
  browser = owner.browser
})

const eventsOn = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<li class="marked">.*?<div><p>(.*?)<\/p>/g)].map(([, said = '']) =>
    said.replaceAll(/<[^>]*>/g, ''),
  )

const told = async (own = browser): Promise<readonly string[]> =>
  eventsOn(await own.go('/account/events'))

const allow = async (scope = 'photos contacts:read', own = browser) => {
  const page = await own.go(authorizePath({ ...codeRequest, scope, prompt: 'consent' }))
  const { code = '' } = answerOf(await own.submit(page, { decision: 'allow' }))
  await later()
  return { code, ...(await redeem(started, code)).body }
}

const change = async (path: string, changes: Form): Promise<void> => {
  const page = path === '/account' ? await openAccess(browser) : await browser.go(path)
  const form = formsOf(page.text).find(({ action }) => action === path)
  assert.ok(form)
  await browser.submitForm(page, form, changes)
  await later()
}

describe('in plain words', () => {
  test('what the owner did with applications', async () => {
    await allow()
    await change('/account', { action: 'narrow', permission: ['photos:read', 'contacts:read'] })
    await change('/account', { action: 'until', until: 'date', date: '2027-05-01' })
    await change('/account', { action: 'until', until: 'forever' })
    await change('/account', { action: 'end' })
    assert.deepEqual((await told()).slice(0, 5), [
      'You ended the access of Photo Printer.',
      'You let Photo Printer go on until you take it back.',
      'You let Photo Printer go on until 1 May 2027, 23:59.',
      'You narrowed Photo Printer. Still allowed: Contacts (see), Photos (see).',
      'You allowed Photo Printer: Contacts (see), Photos (see, change).',
    ])
  })

  test('what a further decision did not allow, and what that took away', async () => {
    await allow('photos')
    const ask = async (scope: string, changes: Form): Promise<void> => {
      const page = await browser.go(authorizePath({ ...codeRequest, scope, prompt: 'consent' }))
      await browser.submit(page, { decision: 'allow', ...changes })
      await later()
    }
    await ask('photos contacts:read', { permission: ['contacts:read'], duration: 'month' })
    await ask('photos', { duration: 'day' })
    await ask('photos', { permission: ['photos:read'], duration: 'session' })
    await change('/account', { action: 'narrow' })
    await ask('photos', { permission: [] })
    assert.deepEqual((await told()).slice(0, 8), [
      'You ended the access of Photo Printer.',
      'You ended the access of Photo Printer.',
      'You allowed Photo Printer: Photos (see). Not allowed: Photos (change).',
      'An earlier access of Photo Printer lost what you did not allow again: Photos (change). Still allowed: Photos (see).',
      'You allowed Photo Printer: Photos (see, change).',
      'You allowed Photo Printer: Contacts (see). Not allowed: Photos (see, change).',
      'An earlier access of Photo Printer ended, because you did not allow all of it again: Photos (see, change).',
      'You allowed Photo Printer: Photos (see, change).',
    ])
  })

  test('logins, wrong passwords and changes of the password', async () => {
    const stranger = new Browser(started)
    await stranger.logIn(await stranger.go('/login'), owner.username, 'a guess')
    await later()
    await change('/account/password', {
      password,
      new_password: another,
      new_password_again: another,
    })
    await stranger.logIn(await stranger.go('/login'), owner.username, another)
    await later()
    await change('/account/sessions', { action: 'end-others' })
    assert.deepEqual(await told(), [
      'All other browsers were logged out, 1 of them.',
      'A new browser logged in with your password.',
      'You changed your password. All other browsers were logged out.',
      'Wrong password.',
      'A new browser logged in with your password.',
      'The operator made your account.',
    ])
  })

  test('what was set up beside the password, and taken away', async () => {
    await setUpCodes(browser, started.now())
    await later()
    await makeRecoveryCodes(browser)
    await later()
    assert.deepEqual((await told()).slice(0, 2), [
      'You added recovery codes.',
      'You added one-time codes.',
    ])
    await owner.operator('DELETE', `owners/${owner.id}/factors`)
    assert.equal((await told())[0], 'The operator removed all second factors.')
  })

  test('what looks like theft', async () => {
    const { code, refresh_token: token } = await allow()
    await redeem(started, code)
    await later()
    const other = await allow()
    for (let i = 0; i < 3; i++) {
      await refresh(started, other.refresh_token)
      await started.advance(60)
    }
    const events = await told()
    assert.ok(token)
    assert.ok(events.some((said) => said.startsWith('An old key of Photo Printer came back')))
    assert.ok(events.some((said) => said.startsWith('A code for Photo Printer came twice.')))
  })

  test('in Chinese, too', async () => {
    await allow('photos')
    const page = await browser.ask('/account/events', undefined, { 'accept-language': 'zh' })
    assert.equal(eventsOn(page)[0], '您允许了 Photo Printer：照片（查看、更改）。')
  })

  test('an application that is gone has no name any more', async () => {
    const operator = await operatorOf(started)
    const { body: client } = await operator('POST', 'clients', {
      client_name: 'Short Lived',
      redirect_uris: [codeRequest.redirect_uri ?? 'http://127.0.0.1/'],
      grant_types: ['authorization_code'],
    })
    const page = await browser.go(authorizePath({ ...codeRequest, client_id: client.client_id }))
    await browser.submit(page, { decision: 'allow' })
    assert.match((await told())[0] ?? '', /^You allowed Short Lived: /)
    await operator('DELETE', `clients/${client.client_id}`)
    assert.match((await told())[0] ?? '', /^You allowed an application that is gone: /)
  })
})

test('browser, network and time are told, and no address in full', async () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
  const stranger = new Browser(started)
  const login = await stranger.go('/login')
  const [form] = formsOf(login.text)
  const guess = { ...form?.fields, username: owner.username, password: 'a guess' }
  const wrong = () => stranger.ask('/login', guess, { 'user-agent': agent })
  for (let times = 0; times < 2; times++) await wrong()
  const at = new Date(started.now() * 1000).toISOString()
  const { text } = await browser.go('/account/events')
  const [line = ''] = /<li class="marked">.*?<\/li>/.exec(text) ?? []
  const place = 'Chrome on Linux, <bdi dir="ltr">127.0.0.*</bdi>'
  assert.ok(
    line.includes(
      `<p>Wrong password. <span class="tag">2 times</span></p><p class="says">${place}</p>`,
    ),
    line,
  )
  const clock = `<time datetime="${at.slice(0, 19)}Z">${at.slice(11, 16)}</time>`
  assert.match(line, new RegExp(`<a href="/account/lost\\?event=[0-9a-z]{26}">Not me<.*${clock}`))
  assert.doesNotMatch(text, /127\.0\.0\.1[^:]/)
  assert.equal(text.match(/<h2>/g)?.length, 1)
  await started.advance(86_400)
  const after = await (await enter(started, owner.username, password)).go('/account/events')
  assert.match(after.text, /<h2><span data-as="day"><time datetime="[^"]*">yesterday<\/time>/)
})

test('a filter leaves one kind of events, on further pages, too', async () => {
  await allow()
  await setUpCodes(browser, started.now())
  await later()
  await owner.operator('DELETE', `owners/${owner.id}/factors`)
  const of = async (kind: string): Promise<readonly string[]> =>
    eventsOn(await browser.go(`/account/events?kind=${kind}`))
  assert.deepEqual(await of('logins'), ['A new browser logged in with your password.'])
  assert.deepEqual(await of('applications'), [
    'You allowed Photo Printer: Contacts (see), Photos (see, change).',
  ])
  assert.deepEqual(await of('keys'), [
    'The operator removed all second factors.',
    'You added one-time codes.',
  ])
  assert.deepEqual(await of('operator'), [
    'The operator removed all second factors.',
    'The operator made your account.',
  ])
  assert.deepEqual(await of('unknown'), await told())
  const { text } = await browser.go('/account/events?kind=operator')
  assert.match(text, /<a href="\/account\/events\?kind=operator" aria-current="page">/)
  assert.doesNotMatch(text, /\/account\/lost/)
})

describe('nobody else’s', () => {
  test('events are shown, whatever ids are named', async () => {
    await allow()
    const { browser: stranger } = await addOwner()
    await allow('calendar', stranger)
    const { body } = await (await operatorOf(started))('GET', 'events?limit=100')
    const own = await told(stranger)
    assert.equal(own.length, 3)
    for (const { id } of body.items) {
      const page = await stranger.go(`/account/events?before=${id}`)
      for (const said of eventsOn(page)) assert.ok(own.includes(said), said)
    }
    for (const strange of ['x', '%27%20or%201=1', 'z'.repeat(26), '']) {
      const page = await stranger.go(`/account/events?before=${strange}&owner=owner-1`)
      assert.deepEqual(eventsOn(page), own)
    }
  })

  test('page is shown without a login', async () => {
    const page = await new Browser(started).ask('/account/events')
    assert.deepEqual([page.status, page.headers.get('location')], [303, '/login?next=events'])
  })
})

test('more than fifty go on on further pages, each event once', async () => {
  await allow('photos')
  for (let i = 0; i < 60; i++) {
    await change('/account', { action: 'until', until: i % 2 === 0 ? 'day' : 'month' })
  }
  const first = await browser.go('/account/events')
  const [, more = ''] = /<a href="(\/account\/events\?before=[^"]+)"/.exec(first.text) ?? []
  const second = await browser.go(more)
  assert.deepEqual([eventsOn(first).length, eventsOn(second).length], [50, 13])
  assert.equal(eventsOn(second).at(-1), 'The operator made your account.')
  assert.doesNotMatch(second.text, /\?before=/)
})

test('nothing secret is on the page', async () => {
  const tokens = await allow()
  const { text } = await browser.go('/account/events')
  for (const secret of [tokens.access_token, tokens.refresh_token, tokens.code, password]) {
    assert.equal(text.includes(secret), false)
  }
  for (const [name, value] of browser.cookies) {
    // The last way of a login is none.
    assert.equal(/way$/.test(name) || !text.includes(value), true)
  }
})
