/** Somebody has a session of an owner in another browser: the guided page ends it, and lends it nothing. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { addPasskey, formWith, isInside, named, newDevice } from '../support/factors.ts'
import { newVisitor, password, type Visitor } from '../support/people.ts'
import { type Form, start, startBefore } from '../support/start.ts'

const service = startBefore(() => start(named))
const fresh = 'staple the other horse'

let owner: Visitor
let thief: Browser

/** The thief copied all cookies of the browser at home, while the owner sits at another one. */
beforeEach(async () => {
  const home = await newVisitor(service)
  thief = new Browser(service)
  for (const [name, value] of home.browser.cookies) thief.cookies.set(name, value)
  const browser = new Browser(service)
  await browser.logIn(await browser.go('/login'), home.username, password)
  owner = { ...home, browser }
})

const formOn = (page: Page) => {
  const form = formsOf(page.text).find(({ action }) => action === '/account/lost')
  assert.ok(form, page.text)
  return form
}

const press = (browser: Browser, page: Page, action: string, changes: Form = {}): Promise<Page> =>
  browser.submitForm(page, formOn(page), { action, ...changes })

const open = (browser: Browser, query: string): Promise<Page> =>
  browser.go(`/account/lost?${query}`)

test('loses it at the first step, whatever the thief holds open', async () => {
  assert.equal(await isInside(thief), true)
  const held = await open(thief, 'why=phone')
  await press(owner.browser, await open(owner.browser, 'why=not-me'), 'log-out')
  assert.equal(await isInside(thief), false)
  assert.match((await press(thief, held, 'log-out')).url, /\/login\?/)
  assert.equal(await isInside(owner.browser), true)
})

describe('the guided page in the hands of the thief', () => {
  test('removes no key without a recent proof', async () => {
    await addPasskey(owner.browser, newDevice(service))
    const before = await open(thief, 'step=2')
    const passkey = /name="passkey" value="([^"]+)"/.exec(before.text)?.[1] ?? ''
    await service.advance(600)
    const page = await open(thief, 'step=2')
    assert.doesNotMatch(page.text, /name="passkey"/)
    assert.match(page.text, /\/account\/confirm\?next=lost-not-me-2/)
    const sent = await press(thief, before, 'remove', { passkey })
    assert.match(sent.url, /\/account\/confirm\?next=lost-not-me-2$/)
    const kept = await owner.browser.go('/account/security')
    assert.match(kept.text, /1 passkey/)
    const confirmed = formWith(await open(thief, 'step=2').then(() => sent), 'password')
    const refused = await thief.submitForm(sent, confirmed, { password: 'a guess' })
    assert.equal(refused.status, 403)
  })

  test('a proof leads back to the step that asked for it', async () => {
    await addPasskey(owner.browser, newDevice(service))
    await service.advance(600)
    const page = await owner.browser.go('/account/confirm?next=lost-phone-2')
    const done = await owner.browser.submitForm(page, formWith(page, 'password'), { password })
    assert.equal(done.url, `${service.issuer}/account/lost?why=phone&step=2`)
  })

  test('changes no password without the present one', async () => {
    const page = await open(thief, 'step=4')
    const sent = await press(thief, page, 'renew', { password: 'x', new_password: fresh })
    assert.equal(sent.status, 403)
    assert.equal(await isInside(owner.browser), true)
  })

  test('shows no recovery codes without a recent proof', async () => {
    await addPasskey(owner.browser, newDevice(service))
    await service.advance(600)
    const page = await open(thief, 'step=5&codes=1')
    assert.doesNotMatch(page.text, /<ol class="codes"/)
    assert.match(page.text, /href="\/account\/security\/recovery"/)
  })
})

test('CSRF: no step is taken from elsewhere', async () => {
  const page = await open(owner.browser, 'why=not-me')
  const { action, fields } = formOn(page)
  const form = { ...fields, action: 'log-out' }
  const forged = await owner.browser.ask(action, { ...form, csrf: 'forged' })
  assert.equal(forged.status, 403)
  const site = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await owner.browser.ask(action, form, site)).status, 403)
  assert.equal(await isInside(thief), true)
})

test('the event or session of another owner says nothing, and a made-up place leads nowhere else', async () => {
  const other = await newVisitor(service)
  const { body } = await other.operator('GET', `events?owner=${other.id}`)
  const plain = await open(owner.browser, 'why=not-me')
  const strip = ({ text }: Page) => text.replaceAll(/name="event" value="[^"]*"/g, '')
  assert.doesNotMatch(plain.text, /It is about this/)
  for (const query of [
    `event=${body.items[0].id}`,
    'event=x%27',
    'session=00000000000000000000000000',
  ]) {
    const page = await open(owner.browser, query)
    assert.doesNotMatch(strip(page), /It is about this|This is the one/, query)
  }
  for (const next of ['lost-phone-9', 'lost-phone-1-event-//evil.example', 'lost-x-1']) {
    const browser = new Browser(service)
    const page = await browser.go(`/login?next=${encodeURIComponent(next)}`)
    assert.doesNotMatch(page.text, /name="next"/, next)
  }
})

test('another owner ends, removes and pauses nothing by the ids of this one', async () => {
  await addPasskey(owner.browser, newDevice(service))
  const own = await open(owner.browser, 'step=1')
  const [session = ''] = formOn(own).fields.session ?? []
  const keys = await open(owner.browser, 'step=2')
  const passkey = /name="passkey" value="([^"]+)"/.exec(keys.text)?.[1] ?? ''
  const mallory = await newVisitor(service)
  const page = await open(mallory.browser, 'step=4')
  await press(mallory.browser, page, 'log-out', { session, shown: `${session} x` })
  await press(mallory.browser, page, 'remove', { passkey })
  assert.equal(await isInside(thief), true)
  assert.match((await owner.browser.go('/account/security')).text, /1 passkey/)
})
