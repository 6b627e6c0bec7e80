/** Pages of the login at their edges: names that are filled in, another person, and staying logged in. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ownerLimits } from '../../src/owners/limits.ts'
import { answerAsked, askedOn } from '../support/authenticator.ts'
import { Browser, formsOf } from '../support/browser.ts'
import { addPasskey, named, newDevice, submitWith } from '../support/factors.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'

let service: Started
before(async () => {
  service = await start()
})
after(() => service.close())

const logIn = async (): Promise<Browser> => {
  const browser = new Browser(service)
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  return browser
}

test('login_hint fills in a name that somebody could have, and nothing else', async () => {
  const most = ownerLimits.usernameCharacters
  const hints = {
    alice: true,
    ['x'.repeat(most)]: true,
    ['x'.repeat(most + 1)]: false,
    'a\u0007b': false,
  }
  for (const [login_hint, isFilled] of Object.entries(hints)) {
    const page = await new Browser(service).go(authorizePath({ ...codeRequest, login_hint }))
    const form = formsOf(page.text).find(({ fields }) => 'username' in fields)
    assert.deepEqual(form?.fields.username, [isFilled ? login_hint : ''])
  }
})

test('somebody else may log in on the way to an account page', async () => {
  const browser = await logIn()
  assert.match((await browser.go('/login')).url, /\/account$/)
  const page = await browser.go('/login?switch=1')
  assert.match(page.url, /\/login/)
  assert.match((await browser.logIn(page, 'bob', 'builder')).text, /Bob/)
})

test('who stays logged in is led to the account, and stays', async () => {
  const browser = await logIn()
  const page = await browser.submit(await browser.go('/logout'), { decision: 'stay' })
  assert.match(page.url, /\/account$/)
  assert.match((await browser.go('/account')).text, /Alice Liddell/)
})

test('a ceremony to confirm a login adds no passkey', async (t) => {
  const site = await start(named)
  t.after(site.close)
  const browser = new Browser(site)
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  await addPasskey(browser, newDevice(site))
  await site.advance(3600)
  const confirm = await browser.go('/account/confirm?next=security')
  const { form, options } = askedOn(confirm)
  await submitWith(browser, confirm, 'password', { password: 'wonderland' })
  const add = askedOn(await browser.go('/account/security/passkeys'))
  const count = async () => {
    const { store } = site.server()
    const owner = await store.findOwnerByName('alice')
    return owner && (await store.findFactors(owner.id)).passkeys.length
  }
  const { challenge } = Object(options)
  const ceremony = form.fields.ceremony ?? assert.fail()
  await answerAsked(browser, add, newDevice(site).create(add, { challenge }), { ceremony })
  assert.equal(await count(), 1)
  const again = askedOn(await browser.go('/account/security/passkeys'))
  await answerAsked(browser, again, newDevice(site).create(again))
  assert.equal(await count(), 2)
})
