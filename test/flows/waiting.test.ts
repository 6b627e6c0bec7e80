/** An application waits while somebody makes an account or chooses a password, with a link of a mail. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { askFor } from '../support/authorization.ts'
import { answerOf, Browser, type Page } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { lastLink, mailsIn } from '../support/mailbox.ts'
import { newName, newPerson, password } from '../support/people.ts'
import { callback } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

const service = startBefore()
let operator: Operator
beforeEach(async () => {
  // The counters of the test before start anew.
  await service.advance(2 * 3600)
  operator = await operatorOf(service)
})

const chosen = 'another good password'

const linkOf = (page: Page, path: string): string => {
  const found = new RegExp(`href="(${path}[^"]*)"`).exec(page.text)?.[1]
  assert.ok(found, `${page.url} leads to no ${path}`)
  return found.replaceAll('&amp;', '&')
}

/** A browser that came from the application to one of these pages. */
const comeTo = async (
  path: '/signup' | '/forgot',
  changes: Readonly<Record<string, string>> = {},
  at = service,
) => {
  const browser = new Browser(at)
  const first = await askFor(at, changes, browser)
  const login = await browser.go(first.headers.get('location') ?? '')
  return { browser, page: await browser.go(linkOf(login, path)) }
}

const newAddress = (): string => `${newName()}@example.com`

const pathOf = ({ url }: Page): string => new URL(url).pathname

const assertConsent = (page: Page): void => {
  assert.equal(pathOf(page), '/consent')
  assert.match(page.text, /Photo Printer/)
}

const assertCode = async (browser: Browser, consent: Page): Promise<void> => {
  const answer = await browser.submit(consent, { decision: 'allow' })
  const { code = '' } = answerOf(answer)
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  assert.equal((await service.post('/token', form, photoPrinter)).status, 200)
}

const askToSignUp = async (email: string) => {
  const { browser, page } = await comeTo('/signup')
  const sent = await browser.submit(page, { email })
  return { browser, sent, link: await lastLink(service) }
}

const askToReset = async (username: string) => {
  const { browser, page } = await comeTo('/forgot')
  const sent = await browser.submit(page, { username })
  return { browser, sent, link: await lastLink(service) }
}

describe('a new account', () => {
  it('goes on to the application, where the link is opened in the same browser', async () => {
    const { browser, sent, link } = await askToSignUp(newAddress())
    assert.match(sent.text, /Photo Printer<\/bdi> waits for you/)
    const [mail] = await mailsIn(service)
    assert.match(mail?.text ?? '', /open the link in the browser where you began/)
    const consent = await browser.submit(await browser.go(link), { password: chosen })
    assertConsent(consent)
    await assertCode(browser, consent)
    const after = await browser.go(linkOf(sent, '/authorize'))
    assert.match(after.text, /answered already/)
  })

  it('says on another device where to go on, and goes on there', async () => {
    const email = newAddress()
    const { browser, sent, link } = await askToSignUp(email)
    const phone = new Browser(service)
    const made = await phone.submit(await phone.go(link), { password: chosen })
    assert.match(made.text, /waits in the browser where you began/)
    assert.equal(pathOf(await phone.go(linkOf(made, '/account'))), '/account')
    service.pass(50 * 60)
    const login = await browser.go(linkOf(sent, '/authorize'))
    assert.match(login.text, /Photo Printer/)
    assertConsent(await browser.logIn(login, email, chosen))
  })

  it('also where there is an account already: its mail leads to the login for the application', async () => {
    const email = newAddress()
    const { id } = await newPerson(service)
    await operator('PATCH', `owners/${id}`, { email })
    const { browser, link } = await askToSignUp(email)
    assert.equal(link, `${service.issuer}/login?waits=1`)
    const login = await browser.go(link)
    assert.match(login.text, /Photo Printer/)
    // It waits on the page now, and a later link leads nowhere.
    assert.doesNotMatch((await browser.go(link)).text, /Photo Printer/)
    assert.equal(pathOf(await new Browser(service).go(link)), '/login')
  })

  it('goes to its own pages after an hour, or where nothing waits', async () => {
    const { browser, link } = await askToSignUp(newAddress())
    service.pass(3600)
    const late = await browser.submit(await browser.go(link), { password: chosen })
    assert.match(late.text, /waits in the browser where you began/)
    const plain = new Browser(service)
    await plain.submit(await plain.go('/signup'), { email: newAddress() })
    const form = await plain.go(await lastLink(service))
    assert.equal(pathOf(await plain.submit(form, { password: chosen })), '/account')
  })
})

describe('a new password', () => {
  it('leads to a login for the application, in the same browser', async () => {
    const { username, id } = await newPerson(service)
    await operator('PATCH', `owners/${id}`, { email: newAddress() })
    const { browser, link } = await askToReset(username)
    const login = await browser.submit(await browser.go(link), { password: chosen })
    assert.match(login.text, /The password is new/)
    assert.match(login.text, /Photo Printer/)
    const consent = await browser.logIn(login, username, chosen)
    assertConsent(consent)
    await assertCode(browser, consent)
  })

  it('says on another device where to go on, and goes on there', async () => {
    const { username, id } = await newPerson(service)
    await operator('PATCH', `owners/${id}`, { email: newAddress() })
    const { browser, sent, link } = await askToReset(username)
    const phone = new Browser(service)
    const done = await phone.submit(await phone.go(link), { password: chosen })
    assert.match(done.text, /go back to the browser where you began/)
    assert.doesNotMatch(done.text, /Photo Printer/)
    const login = await browser.go(linkOf(sent, '/authorize'))
    assertConsent(await browser.logIn(login, username, chosen))
  })
})

describe('a link of the operator', () => {
  it('goes on to the application that the browser came from', async () => {
    const invited = await start({ signUp: 'invited', demo: true })
    const asOperator = await operatorOf(invited)
    const { browser, page } = await comeTo('/signup', {}, invited)
    assert.match(page.text, /You need an invitation/)
    const person = { username: newName(), password: null }
    const { body } = await asOperator('POST', 'owners', person)
    const { body: made } = await asOperator('POST', `owners/${body.id}/links`, {
      purpose: 'invite',
    })
    const consent = await browser.submit(await browser.go(made.link), { password: chosen })
    assertConsent(consent)
    await invited.close()
  })
})

describe('a request that waits is of one browser', () => {
  it('a link asked for by somebody else goes on to nothing of theirs', async () => {
    const email = newAddress()
    const eve = await askToSignUp(email)
    const victim = new Browser(service)
    const made = await victim.submit(await victim.go(eve.link), { password: chosen })
    assert.equal(pathOf(made), '/signup')
    assert.doesNotMatch(made.text, /Photo Printer|journey/)
    // Neither by the cookie nor by the page of the other browser.
    const stolen = new Browser(service)
    const cookie = eve.browser.cookies.get('latchkey_waiting')
    assert.ok(cookie)
    const { username, id } = await newPerson(service)
    await operator('PATCH', `owners/${id}`, { email: newAddress() })
    const { link } = await askToReset(username)
    stolen.cookies.set('latchkey_waiting', cookie)
    const done = await stolen.submit(await stolen.go(link), { password: chosen })
    assert.doesNotMatch(done.text, /Photo Printer/)
    const continued = await victim.go(linkOf(eve.sent, '/authorize'))
    assert.equal(continued.status, 400)
    assert.match(continued.text, /belongs to another browser/)
  })

  it('the latest request of a browser counts: one without an application forgets the former', async () => {
    const { browser } = await askToSignUp(newAddress())
    assert.ok(browser.cookies.has('latchkey_waiting'))
    await browser.submit(await browser.go('/signup'), { email: newAddress() })
    assert.equal(browser.cookies.has('latchkey_waiting'), false)
    const form = await browser.go(await lastLink(service))
    assert.equal(pathOf(await browser.submit(form, { password: chosen })), '/account')
  })

  it('one that was answered does not come again', async () => {
    const { username, id } = await newPerson(service)
    await operator('PATCH', `owners/${id}`, { email: newAddress() })
    const { browser, sent, link } = await askToReset(username)
    const login = await browser.go(linkOf(sent, '/authorize'))
    await assertCode(browser, await browser.logIn(login, username, password))
    const done = await browser.submit(await browser.go(link), { password: chosen })
    assert.doesNotMatch(done.text, /Photo Printer/)
  })

  it('a long one waits on its page alone', async () => {
    const { browser, page } = await comeTo('/signup', { state: 's'.repeat(4000) })
    const sent = await browser.submit(page, { email: newAddress() })
    assert.equal(browser.cookies.has('latchkey_waiting'), false)
    const form = await browser.go(await lastLink(service))
    const made = await browser.submit(form, { password: chosen })
    assert.match(made.text, /waits in the browser where you began/)
    assertConsent(await browser.go(linkOf(sent, '/authorize')))
  })
})
