/** Links that the operator hands over: to choose a password, to accept an invitation, to confirm an address. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import { mailsIn } from '../support/mailbox.ts'
import { newName, newPerson, newVisitor, password } from '../support/people.ts'
import { operatorOf, problem, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const chosen = 'another good password'

const logIn = async (username: string, given: string): Promise<number> => {
  const form = { grant_type: 'password', username, password: given }
  return (await service.post('/token', form, houseApp)).status
}

/** Somebody new without a password. */
const invite = async (said: object = {}) => {
  const username = newName()
  const { status, body } = await operator('POST', 'owners', { username, password: null, ...said })
  assert.equal(status, 201)
  return { id: String(body.id), username }
}

const linkFor = async (id: string, purpose: string): Promise<string> => {
  const { status, body, text } = await operator('POST', `owners/${id}/links`, { purpose })
  assert.equal(status, 201, text)
  return body.link
}

describe('a mailed link', () => {
  const verified = async (id: string): Promise<boolean> =>
    (await operator('GET', `owners/${id}`)).body.email_verified

  it('confirms the address together with the password, where it is still the same', async () => {
    for (const purpose of ['invite', 'reset'] as const) {
      const email = `${newName()}@example.com`
      const { id, username } = await invite({ email })
      const sent = await operator('POST', `owners/${id}/links`, { purpose, send: true })
      assert.equal(sent.status, 202, sent.text)
      await service.advance(1)
      const mail = (await mailsIn(service)).find(({ to }) => to === email)
      assert.ok(mail)
      const browser = new Browser(service)
      const page = await browser.go(mail.link)
      assert.equal(await verified(id), false)
      const password = 'a password of my own'
      await browser.submit(page, { password })
      assert.deepEqual([await logIn(username, password), await verified(id)], [200, true], purpose)
    }
  })

  it('confirms nothing after the address changed, and shown ones never do', async () => {
    const email = `${newName()}@example.com`
    const { id } = await invite({ email })
    await operator('POST', `owners/${id}/links`, { purpose: 'invite', send: true })
    await service.advance(1)
    const mail = (await mailsIn(service)).find(({ to }) => to === email)
    await operator('PATCH', `owners/${id}`, { email: `other-${email}` })
    const browser = new Browser(service)
    assert.doesNotMatch((await browser.go(mail?.link ?? '')).text, /name="password"/)
    for (const purpose of ['invite', 'reset']) {
      const link = await linkFor(id, purpose)
      await browser.submit(await browser.go(link), { password: `a password to ${purpose}` })
      assert.equal(await verified(id), false, purpose)
    }
  })
})

describe('POST /admin/api/owners/{id}/links', () => {
  it('answers a link that says when it ends', async () => {
    const { id } = await invite()
    const { status, headers, body } = await operator('POST', `owners/${id}/links`, {
      purpose: 'invite',
    })
    assert.equal(status, 201)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { link, ...rest } = body
    assert.deepEqual(rest, { purpose: 'invite', expires_at: service.now() + 7 * 86_400 })
    assert.match(link, new RegExp(`^${service.issuer}/invite\\?link=lk_ln_[\\w-]+$`))
    assert.doesNotMatch(JSON.stringify(service.notices), /lk_ln_/)
    const { body: told } = await operator('GET', `events?owner=${id}`)
    const issued = told.items.filter(({ type }: { type: string }) => type === 'link.issued')
    assert.deepEqual(
      issued.map(({ details }: { details: object }) => details),
      [{ purpose: 'invite' }],
    )
  })

  it('refuses a link that would be of no use', async () => {
    const { id } = await newPerson(service)
    const ask = async (purpose: string) => {
      const { status, body } = await operator('POST', `owners/${id}/links`, { purpose })
      return [status, body]
    }
    const refused = (detail: string) => [409, problem('conflict', 409, detail)]
    const chose = 'this owner has chosen a password: make a link to reset it'
    assert.deepEqual(await ask('invite'), refused(chose))
    assert.deepEqual(await ask('verify'), refused('this owner has no email address'))
    await operator('PATCH', `owners/${id}`, { email: 'a@example.com', email_verified: true })
    assert.deepEqual(await ask('verify'), refused('the email address of this owner is verified'))
    await operator('PATCH', `owners/${id}`, { disabled: true })
    assert.deepEqual(await ask('reset'), refused('this owner is disabled: enable it first'))
    const wrong = 'purpose has to be reset, invite or verify'
    assert.deepEqual(await ask('sign up'), [400, problem('invalid_request', 400, wrong)])
  })

  it('refuses to send one without an address', async () => {
    const { id } = await newPerson(service)
    const asked = { purpose: 'reset', send: true }
    const { status, body } = await operator('POST', `owners/${id}/links`, asked)
    const detail = 'this owner has no email address'
    assert.deepEqual([status, body], [409, problem('conflict', 409, detail)])
  })

  it('needs owners:write', async () => {
    const { id } = await newPerson(service)
    const reader = await operatorOf(service, 'owners:read')
    assert.equal((await reader('POST', `owners/${id}/links`, { purpose: 'reset' })).status, 403)
  })
})

describe('/reset', () => {
  it('saves the new password, ends all logins, and leads to the login page', async () => {
    const { id, username, browser: before } = await newVisitor(service)
    const link = await linkFor(id, 'reset')
    const browser = new Browser(service)
    const page = await browser.go(link)
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.match(page.text, /Choose a new password/)
    assert.ok(page.text.includes(username))
    const done = await browser.submit(page, { password: chosen })
    assert.equal(new URL(done.url).pathname, '/login')
    assert.match(done.text, /The password is new/)
    assert.deepEqual([await logIn(username, password), await logIn(username, chosen)], [400, 200])
    assert.match((await before.go('/account')).url, /\/login/)
    const entered = await browser.logIn(done, username, chosen)
    assert.equal(new URL(entered.url).pathname, '/account')
  })

  it('refuses a password that cannot be chosen, and does not use the link up', async () => {
    const { id, username } = await newPerson(service)
    const browser = new Browser(service)
    const page = await browser.go(await linkFor(id, 'reset'))
    const again = await browser.submit(page, { password: 'short' })
    assert.equal(again.status, 400)
    assert.match(again.text, /This password has 5 characters; at least 8 are needed/)
    const done = await browser.submit(again, { password: chosen })
    assert.equal(done.status, 200)
    assert.equal(await logIn(username, chosen), 200)
  })

  it('keeps second factors, and points at a passkey of the former password', async () => {
    const { id, username, browser: visitor } = await newVisitor(service)
    await visitor.go('/account/security/passkeys')
    const link = await linkFor(id, 'reset')
    const browser = new Browser(service)
    const done = await browser.submit(await browser.go(link), { password: chosen })
    assert.equal(new URL(done.url).searchParams.get('next'), null)
    assert.equal(await logIn(username, chosen), 200)
  })

  it('speaks Chinese', async () => {
    const { id } = await newPerson(service)
    const link = await linkFor(id, 'reset')
    const page = await new Browser(service).go(`${link}&ui_locales=zh`)
    assert.match(page.text, /选择新密码/)
    const dead = await new Browser(service).go('/reset?link=x&ui_locales=zh')
    assert.match(dead.text, /此链接无法使用/)
  })
})

describe('/invite', () => {
  it('lets nobody in before a password was chosen, then logs in', async () => {
    const { id, username } = await invite({ name: 'Ada', email: 'ada@example.com' })
    for (const given of ['', 'null', chosen]) assert.equal(await logIn(username, given), 400)
    const browser = new Browser(service)
    const page = await browser.go(await linkFor(id, 'invite'))
    assert.match(page.text, /Accept the invitation/)
    const account = await browser.submit(page, { password: chosen })
    assert.equal(new URL(account.url).pathname, '/account')
    assert.match(account.text, /You are logged in as/)
    assert.equal(await logIn(username, chosen), 200)
    // The operator may pass it on in any way.
    assert.equal((await operator('GET', `owners/${id}`)).body.email_verified, false)
  })
})

describe('/verify', () => {
  it('confirms the address of the account', async () => {
    const { id } = await invite({ email: 'eve@example.com' })
    const browser = new Browser(service)
    const page = await browser.go(await linkFor(id, 'verify'))
    assert.match(page.text, /Confirm your email address/)
    assert.ok(page.text.includes('eve@example.com'))
    const verified = async () => (await operator('GET', `owners/${id}`)).body.email_verified
    assert.equal(await verified(), false)
    const done = await browser.submit(page)
    assert.match(done.text, /The email address is confirmed/)
    assert.equal(await verified(), true)
    // Another link takes a login. A new password would not bring one.
    const dead = await browser.go('/verify?link=lk_ln_x')
    assert.equal(dead.status, 410)
    assert.doesNotMatch(dead.text, /\/forgot/)
  })

  it('offers the login where another account has confirmed the address', async () => {
    const { id } = await invite({ email: 'Twin@example.com' })
    const browser = new Browser(service)
    const page = await browser.go(await linkFor(id, 'verify'))
    const other = await invite({ email: 'twin@example.com', email_verified: true })
    const taken = await browser.submit(page)
    assert.equal(taken.status, 409)
    assert.match(taken.text, /belongs to another account/)
    assert.match(taken.text, /href="\/login\b/)
    assert.equal((await operator('GET', `owners/${id}`)).body.email_verified, false)
    // Nothing is used up: the address may become free.
    await operator('DELETE', `owners/${other.id}`)
    assert.match((await browser.submit(page)).text, /The email address is confirmed/)
  })
})
