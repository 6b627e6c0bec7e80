/** Pages of the login at their edges: names that are filled in, another person, and staying logged in. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '../../src/config/limits.ts'
import { authorizePath, Browser, codeRequest, formsOf } from '../support/browser.ts'
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
  const most = limits.usernameCharacters
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
