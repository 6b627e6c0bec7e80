/** LG-14: a logout ends the session on the server, and what was allowed for the visit. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'

const started = startBefore()

const enter = async (): Promise<Browser> => {
  const browser = new Browser(started)
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  return browser
}

/** Allows the demo's web application everything, for so long. */
const allow = async (browser: Browser, duration: string) => {
  const page = await browser.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
  const { code = '' } = answerOf(await browser.submit(page, { decision: 'allow', duration }))
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return (await started.post('/token', form, photoPrinter)).body
}

const used = async (token: string): Promise<number> =>
  (await started.ask('/api/photos', { headers: { authorization: `Bearer ${token}` } })).status

const refreshed = async (refresh_token: string): Promise<number> => {
  const form = { grant_type: 'refresh_token', refresh_token }
  return (await started.post('/token', form, photoPrinter)).status
}

describe('the question', () => {
  test('a link logs nobody out', async () => {
    const browser = await enter()
    const page = await browser.ask('/logout')
    assert.equal(page.status, 200)
    assert.match(page.text, /<h1>Log out\?<\/h1>/)
    assert.equal((await browser.ask('/account')).status, 200)
  })

  test('is not asked where nobody is logged in', async () => {
    const page = await new Browser(started).ask('/logout')
    assert.match(page.text, /<h1>You are logged out<\/h1>/)
    assert.deepEqual(formsOf(page.text), [])
  })
})

describe('the logout', () => {
  test('answers 303, removes the cookie, and says so on the page after', async () => {
    const browser = await enter()
    const [form] = formsOf((await browser.ask('/logout')).text)
    const answer = await browser.ask('/logout', form?.fields)
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/logout'])
    assert.match(answer.headers.getSetCookie()[0] ?? '', /^latchkey_session=; Max-Age=0;/)
    assert.match((await browser.go('/logout')).text, /You are logged out/)
  })

  test('works from the account page as well', async () => {
    const browser = await enter()
    const page = await browser.go('/account')
    const form = formsOf(page.text).find(({ action }) => action === '/logout')
    assert.ok(form)
    assert.match((await browser.submitForm(page, form)).text, /You are logged out/)
  })

  test('the cookie is worth nothing after, on any page', async () => {
    const browser = await enter()
    const replay = new Browser(started)
    for (const [name, value] of browser.cookies) replay.cookies.set(name, value)
    assert.equal((await replay.ask('/account')).status, 200)
    const consent = await replay.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
    await browser.submit(await browser.go('/logout'))
    assert.equal((await replay.ask('/account')).headers.get('location'), '/login')
    const asked = await replay.ask(authorizePath(codeRequest))
    assert.match(asked.headers.get('location') ?? '', /^\/login\?journey=/)
    // A form from before the logout decides nothing.
    const late = await replay.ask('/consent', {
      ...formsOf(consent.text)[0]?.fields,
      decision: 'allow',
    })
    assert.equal(late.status, 303)
    assert.match(late.headers.get('location') ?? '', /^\/authorize\?journey=/)
    const login = await replay.go(late.headers.get('location') ?? '')
    assert.match(login.url, /\/login\?journey=/)
    assert.match((await replay.logIn(login, 'bob', 'builder')).url, /\/consent\?journey=/)
  })

  test('nothing of the pages before may be kept by the browser', async () => {
    const browser = await enter()
    const page = await browser.ask('/account')
    assert.equal(page.headers.get('cache-control'), 'no-store')
  })

  test('twice is once', async () => {
    const browser = await enter()
    const [form] = formsOf((await browser.ask('/logout')).text)
    await browser.ask('/logout', form?.fields)
    const again = await browser.ask('/logout', form?.fields)
    assert.deepEqual([again.status, again.headers.get('location')], [303, '/logout'])
    // From another site it comes without the cookie, which it must not take away then.
    assert.deepEqual(again.headers.getSetCookie(), [])
    assert.match((await browser.go('/logout')).text, /You are logged out/)
  })
})

describe('what was allowed for the visit', () => {
  test('ends with the logout, on the very next request; what was allowed for longer stays', async () => {
    const browser = await enter()
    const visit = await allow(browser, 'session')
    const month = await allow(browser, 'month')
    assert.deepEqual([await used(visit.access_token), await used(month.access_token)], [200, 200])
    await browser.submit(await browser.go('/logout'))
    assert.deepEqual([await used(visit.access_token), await used(month.access_token)], [401, 200])
    assert.deepEqual(
      [await refreshed(visit.refresh_token), await refreshed(month.refresh_token)],
      [400, 200],
    )
  })

  test('ends when the session ends by itself', async () => {
    const browser = await enter()
    const visit = await allow(browser, 'session')
    await started.advance(12 * 3600 - 1)
    assert.equal(await refreshed(visit.refresh_token), 200)
    await started.advance(1)
    assert.equal(await refreshed(visit.refresh_token), 400)
    assert.equal(await used(visit.access_token), 401)
  })

  test('ends when the same browser logs in anew', async () => {
    const browser = await enter()
    const visit = await allow(browser, 'session')
    await browser.logIn(await browser.go('/login?switch=1'), 'alice', 'wonderland')
    assert.equal(await used(visit.access_token), 401)
  })

  test('a code that is not redeemed yet ends with it', async () => {
    const browser = await enter()
    const page = await browser.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
    const { code = '' } = answerOf(
      await browser.submit(page, { decision: 'allow', duration: 'session' }),
    )
    await browser.submit(await browser.go('/logout'))
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const { status, body } = await started.post('/token', form, photoPrinter)
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  })
})
