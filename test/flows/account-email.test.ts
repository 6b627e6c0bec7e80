/** The email address of an account: confirmed, and changed to another one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { mailsIn } from '../support/mailbox.ts'
import { eventsOf, newVisitor, password, type Visitor } from '../support/people.ts'
import { startBefore } from '../support/start.ts'

const service = startBefore()

/** Submits the form that asks for another address. */
const ask = async ({ browser }: Visitor, email: string): Promise<Page> => {
  const page = await browser.go('/account/email')
  const form = formsOf(page.text).findLast(({ action }) => action === '/account/email')
  assert.ok(form)
  return browser.submitForm(page, form, { email, action: 'change' })
}

const ownerOf = async ({ id, operator }: Visitor) => {
  const { email, email_verified, username } = (await operator('GET', `owners/${id}`)).body
  return { email, email_verified, username }
}

let addresses = 0
const newAddress = (): string => `person-${++addresses}@example.net`

/** Somebody with an address that is not confirmed. */
const withAddress = async (): Promise<Visitor & { readonly email: string }> => {
  const person = await newVisitor(service)
  const email = newAddress()
  await person.operator('PATCH', `owners/${person.id}`, { email })
  return { ...person, email }
}

describe('/account/email', () => {
  it('sends a link that confirms the address', async () => {
    const person = await withAddress()
    const { browser, email, username } = person
    const page = await browser.go('/account/email')
    assert.match(page.text, /not confirmed yet/)
    const form = formsOf(page.text).find(({ action }) => action === '/account/email')
    assert.ok(form)
    const sent = await browser.submitForm(page, form, { action: 'verify' })
    assert.match(sent.text, /A link is on its way/)
    const [mail] = await mailsIn(service)
    assert.equal(mail?.to, email)
    const reader = new Browser(service)
    await reader.submit(await reader.go(mail?.link ?? ''))
    assert.deepEqual(await ownerOf(person), { email, email_verified: true, username })
    assert.match((await browser.go('/account/email')).text, / is confirmed</)
  })

  it('tells both addresses, and the new one counts once it is confirmed', async () => {
    const person = await withAddress()
    const { email: old, username } = person
    const email = newAddress()
    const sent = await ask(person, email)
    assert.match(sent.text, /A link is on its way/)
    assert.ok(sent.text.includes(`<h1 class="after">Check <bdi class="name">${email}</bdi></h1>`))
    assert.equal(decodeURIComponent(sent.url).includes(email), false)
    const form = formsOf(sent.text).find(({ action }) => action === '/account/email')
    assert.deepEqual(form?.fields.email, [email])
    assert.match(sent.text, /name="action" value="change">Send again</)
    assert.match(sent.text, /<a class="button" href="\/account\/email">Another address</)
    assert.doesNotMatch((await person.browser.go('/account/email')).text, /Send again/)
    // The profile repeats the address, and so does no page of another owner in this browser.
    const profile = await person.browser.go('/account/profile')
    assert.ok(
      profile.text.includes(
        `<b><bdi class="name">${email}</bdi></b></p><p class="says line">Waits`,
      ),
    )
    const other = await newVisitor(service)
    for (const name of ['latchkey_typed', 'latchkey_sent']) {
      other.browser.cookies.set(name, person.browser.cookies.get(name) ?? assert.fail(name))
    }
    assert.doesNotMatch((await other.browser.go('/account/profile')).text, /Waits for you/)
    const mails = await mailsIn(service)
    const both = mails.slice(0, 2).map(({ to, subject }) => [to, subject])
    assert.deepEqual(
      both.toSorted(),
      [
        [email, 'Confirm your email address for Latchkey'],
        [old, 'Your email address at Latchkey may change'],
      ].toSorted(),
    )
    assert.deepEqual(await ownerOf(person), { email: old, email_verified: false, username })
    const link = mails.find(({ to }) => to === email)?.link ?? ''
    const reader = new Browser(service)
    const done = await reader.submit(await reader.go(link))
    assert.match(done.text, /The email address is confirmed/)
    assert.deepEqual(await ownerOf(person), { email, email_verified: true, username })
    assert.doesNotMatch((await person.browser.go('/account/profile')).text, /Waits for you/)
    const told = (await eventsOf(person)).find(({ type }) => type === 'owner.email_verified')
    assert.deepEqual(told?.details, { changed: true })
    assert.equal((await reader.go(link)).status, 410)
  })

  it('cancels the link to another address, for its own page and login alone', async () => {
    const person = await withAddress()
    const email = newAddress()
    const sent = await ask(person, email)
    const form = formsOf(sent.text).find(({ action }) => action === '/account/email')
    assert.ok(form)
    const [mail] = (await mailsIn(service)).filter(({ to }) => to === email)
    const reader = new Browser(service)
    const opened = await reader.go(mail?.link ?? '')
    const other = await withAddress()
    const foreign = formsOf((await other.browser.go('/account/email')).text).at(-1)?.fields
    const stolen = { ...foreign, sent: form.fields.sent ?? [], action: 'cancel' }
    const refused = await other.browser.ask('/account/email', stolen)
    assert.deepEqual(
      [refused.status, refused.text.includes('too old to cancel its mail')],
      [403, true],
    )
    const done = await person.browser.submitForm(sent, form, { action: 'cancel' })
    assert.match(done.text, /role="status">Cancelled: the link in the mail works no longer/)
    assert.doesNotMatch(done.text, /value="cancel"/)
    assert.equal((await reader.submit(opened)).status, 410)
    assert.equal((await ownerOf(person)).email, person.email)
  })

  it('cancels the mails of a page that was left behind, too', async () => {
    const person = await withAddress()
    const mistyped = newAddress()
    await ask(person, mistyped)
    const mail = (await mailsIn(service)).find(({ to }) => to === mistyped)
    assert.ok(mail?.link)
    const sent = await ask(person, newAddress())
    const form = formsOf(sent.text).find(({ action }) => action === '/account/email')
    assert.ok(form)
    await person.browser.submitForm(sent, form, { action: 'cancel' })
    assert.equal((await new Browser(service).go(mail.link)).status, 410)
  })

  it('asks for the password anew before another address', async () => {
    const person = await withAddress()
    await service.advance(11 * 60)
    const page = await ask(person, newAddress())
    assert.equal(new URL(page.url).pathname, '/account/confirm')
    const back = await person.browser.submit(page, { password })
    assert.equal(new URL(back.url).pathname, '/account/email')
  })

  it('stops a change by a new password', async () => {
    const person = await withAddress()
    const email = newAddress()
    await ask(person, email)
    const link = (await mailsIn(service)).find(({ to }) => to === email)?.link ?? ''
    const chosen = { password: 'set by the operator' }
    await person.operator('POST', `owners/${person.id}/set-password`, chosen)
    assert.equal((await new Browser(service).go(link)).status, 410)
  })

  it('refuses what is no address, and the address that it is', async () => {
    const person = await withAddress()
    const { id, operator, email } = person
    for (const wrong of ['', 'nobody', 'a@b@c.example', 'a@b.example\r\nBcc: e@evil.example']) {
      const page = await ask(person, wrong)
      assert.equal(page.status, 400)
      assert.match(page.text, /That is not an email address/)
    }
    await operator('PATCH', `owners/${id}`, { email_verified: true })
    assert.match((await ask(person, email)).text, /That is your email address already/)
  })
})
