/** A client that changes itself after an approval: the approval was not for the new one. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { storeLimits } from '../../src/store/limits.ts'
import { bearer, operatorOf } from '../flows/operator.ts'
import { answerOf, type Browser, formsOf, type Page } from '../support/browser.ts'
import { newVisitor, type Visitor } from '../support/people.ts'
import { authorizePath } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'

const service = startBefore()

const honest = 'https://printer.example/callback'
const evil = 'https://evil.example/callback'
const metadata = {
  client_name: 'Printer',
  redirect_uris: [honest],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'client_secret_basic',
}

let visitor: Visitor
let browser: Browser
let clientId: string
let token: string

const change = (changes: object) => {
  const json = { ...metadata, ...changes, client_id: clientId }
  return service.ask(`/register/${clientId}`, { ...bearer(token), method: 'PUT', json })
}

const ask = (changes: Form = {}): Promise<Page> =>
  browser.go(
    authorizePath({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: honest,
      scope: 'photos',
      state: 'xyz',
      ...changes,
    }),
  )

const allow = (page: Page): Promise<Page> => browser.submit(page, { decision: 'allow' })

const assertAsked = (page: Page): void =>
  assert.ok(page.url.includes('/consent?'), page.headers.get('location') ?? page.text)

/** Approved once, after which the same request is answered without a page. */
beforeEach(async () => {
  visitor = await newVisitor(service)
  browser = visitor.browser
  const { body } = await service.ask('/register', { json: metadata })
  clientId = body.client_id
  token = body.registration_access_token
  assert.ok(answerOf(await allow(await ask())).code)
  assert.ok(answerOf(await ask()).code)
})

const noticeOn = ({ text }: Page): readonly string[] => {
  const [, notice = ''] = /<div class="notice warning">(.*?)<\/div>/s.exec(text) ?? []
  return [...notice.matchAll(/<(?:strong|li)>(.*?)<\/(?:strong|li)>/gs)].map(([, said = '']) =>
    said.replaceAll(/<[^>]*>/g, ''),
  )
}

describe('its owner is asked again, and sees what has changed', () => {
  const changes: readonly (readonly [string, object, Form, string])[] = [
    ['the name', { client_name: 'Bank' }, {}, 'Its name was Printer. It is now Bank.'],
    [
      'where it sends people',
      { redirect_uris: [evil] },
      { redirect_uri: evil },
      'It sent you to printer.example. It now sends you to evil.example.',
    ],
    [
      'the response types',
      { grant_types: ['authorization_code', 'implicit'] },
      {},
      'It received its access as code. It can now receive it as code, token.',
    ],
    [
      'how it authenticates',
      { token_endpoint_auth_method: 'client_secret_post' },
      {},
      'It proved who it is by client_secret_basic. It now does so by client_secret_post.',
    ],
  ]
  for (const [what, by, asked, said] of changes) {
    test(what, async () => {
      const { status, text } = await change(by)
      assert.equal(status, 200, text)
      assert.equal(answerOf(await ask({ ...asked, prompt: 'none' })).error, 'consent_required')
      const page = await ask(asked)
      assertAsked(page)
      assert.ok(noticeOn(page).includes(said), noticeOn(page).join(' '))
      assert.ok(answerOf(await allow(page)).code)
      assert.ok(answerOf(await ask(asked)).code)
    })
  }

  test('a further redirect URI with a host of its own, and only there', async () => {
    await change({ redirect_uris: [honest, evil] })
    assert.ok(answerOf(await ask()).code)
    assertAsked(await ask({ redirect_uri: evil }))
  })

  test('nothing that matters to an owner asks nobody again', async () => {
    await change({
      tos_uri: 'https://printer.example/terms',
      redirect_uris: [honest, `${honest}/2`],
    })
    assert.ok(answerOf(await ask()).code)
    assert.ok(answerOf(await ask({ redirect_uri: `${honest}/2` })).code)
  })

  test('what was not decided again stays with the client as it was', async () => {
    await change({ client_name: 'Bank' })
    assert.ok(answerOf(await allow(await ask({ scope: 'photos:read' }))).code)
    assert.ok(answerOf(await ask({ scope: 'photos:read' })).code)
    assertAsked(await ask({ scope: 'photos:write' }))
  })

  test('nothing goes along as settled', async () => {
    await change({ client_name: 'Bank' })
    const page = await ask({ scope: 'photos contacts:read' })
    assertAsked(page)
    assert.equal('settled' in (formsOf(page.text)[0]?.fields ?? {}), false)
  })
})

test('a change while the page is open: the owner decides about what the owner saw', async () => {
  const page = await ask({ prompt: 'consent' })
  await change({ client_name: 'Bank' })
  const again = await allow(page)
  assert.equal(again.status, 409)
  assert.match(again.text, /Nothing has been allowed yet/)
  assert.match(again.text, /<h1>[^<]*<bdi class="name">Bank<\/bdi>/)
  assert.ok(answerOf(await allow(again)).code)
})

describe('the owner finds it in the events', () => {
  const said = 'changed itself. You are asked again before it gets access anew.'
  const events = async (of: Browser): Promise<string> =>
    (await of.go('/account/events')).text.replaceAll(/<[^>]*>/g, '')

  test('with what was and what is, and nobody else does', async () => {
    const other = await newVisitor(service)
    await service.advance(1)
    await change({ client_name: 'Bank', redirect_uris: [evil] })
    const mine = await events(browser)
    assert.ok(mine.includes(said))
    assert.ok(mine.includes('Its name was Printer. It is now Bank.'))
    assert.ok(mine.includes('It sent you to printer.example. It now sends you to evil.example.'))
    assert.equal((await events(other.browser)).includes(said), false)
  })

  test('and the operator sees where it sends people, whatever else it changes', async () => {
    const long = `https://printer.example/${'x'.repeat(400)}`
    const pages = { client_uri: long, logo_uri: long, tos_uri: long, policy_uri: long }
    const contacts = Array.from({ length: 5 }, (_, i) => `${i}${'x'.repeat(400)}@printer.example`)
    const uris = [honest, ...Array.from({ length: 10 }, (_, i) => `${long}${i}`), evil]
    const { status } = await change({ ...pages, contacts, redirect_uris: uris })
    assert.equal(status, 200)
    const operator = await operatorOf(service)
    const { body } = await operator('GET', `events?client=${clientId}&type=client.changed_itself`)
    const [{ details }] = body.items
    const added = details.redirectUrisAdded.split(' ')
    assert.deepEqual([added.length, added.at(-1)], [11, evil])
  })

  test('and a client cannot write more of them than it may change itself', async () => {
    const statuses: number[] = []
    for (let times = 0; times <= storeLimits.ownChanges; times++) {
      statuses.push((await change({ client_name: `Bank ${times}` })).status)
    }
    assert.deepEqual(statuses, [...Array(storeLimits.ownChanges).fill(200), 429])
    // Saying the same again changes nothing.
    const same = await change({ client_name: `Bank ${storeLimits.ownChanges - 1}` })
    assert.equal(same.status, 200)
    const operator = await operatorOf(service)
    const { body } = await operator('GET', `events?client=${clientId}&limit=100`)
    const changes = body.items.filter(
      (item: { type: string }) => item.type === 'client.changed_itself',
    )
    assert.equal(changes.length, storeLimits.ownChanges)
  })
})
