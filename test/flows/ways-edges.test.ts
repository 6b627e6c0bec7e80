/** Ways in at their edges: closed ones, long names, and links in two requests at once. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { OwnerId } from '../../src/model/ids.ts'
import { ownerLimits } from '../../src/owners/limits.ts'
import { parameterLimits } from '../../src/protocol/parameters.ts'
import { Browser, formsOf } from '../support/browser.ts'
import { newPerson, password } from '../support/people.ts'
import { openSmtp, type SmtpServer } from '../support/smtp.ts'
import { type Started, start } from '../support/start.ts'

let smtp: SmtpServer
let service: Started
before(async () => {
  smtp = await openSmtp()
  const url = `smtp://latchkey:p%40ss%2Fword@127.0.0.1:${smtp.port}`
  service = await start({ smtp: url, mailFrom: 'login@service.example', signUp: 'open' })
})
after(async () => {
  await service.close()
  await smtp.close()
})

const queued = async () => service.server().store.listDueMails(service.now(), 100)

describe('asking for a mail', () => {
  test('leads to no mailbox of the demo where mails are sent', async () => {
    const browser = new Browser(service)
    const sent = await browser.submit(await browser.go('/forgot'), { username: 'bob' })
    assert.match(sent.text, /Check your email/)
    assert.doesNotMatch(sent.text, /\/mailbox/)
    await service.advance(1)
  })

  test('sends nothing about an account without an address', async () => {
    const { id, username } = await newPerson(service)
    const before = smtp.taken.length
    const browser = new Browser(service)
    await browser.submit(await browser.go('/forgot'), { username })
    // This browser is a new one.
    await browser.logIn(await browser.go('/login'), username, password)
    assert.deepEqual(
      (await queued()).map(({ kind }) => kind),
      ['forgot'],
    )
    await service.advance(1)
    assert.equal(smtp.taken.length, before)
    const ownerId = id as OwnerId
    const { rows } = await service.server().store.listEvents({ ownerId }, null, 10)
    assert.deepEqual(
      rows.filter(({ type }) => type.startsWith('mail.')),
      [],
    )
  })

  test('queues no more of a name than an address may have, without unseen characters', async () => {
    const browser = new Browser(service)
    const username = ` al\u200bice\n${'x'.repeat(parameterLimits.emailCharacters)}`
    await browser.submit(await browser.go('/forgot'), { username })
    const [mail] = await queued()
    assert.match(mail?.about ?? '', /^alicex+$/)
    assert.ok((mail?.about ?? '').length <= parameterLimits.emailCharacters)
    await service.advance(1)
  })

  test('takes an address in one form, and none that is too long for a username', async () => {
    const browser = new Browser(service)
    await browser.submit(await browser.go('/signup'), { email: 'jose\u0301@mail.example ' })
    assert.deepEqual(
      (await queued()).map(({ about }) => about),
      ['jos\u00e9@mail.example'],
    )
    const long = `${'x'.repeat(ownerLimits.usernameCharacters)}@mail.example`
    const refused = await browser.submit(await browser.go('/signup'), { email: long })
    assert.equal(refused.status, 400)
    await service.advance(1)
  })
})

test('a form of before makes no account where nobody may sign up any more', async (t) => {
  const closed = await start({ signUp: 'off' })
  t.after(closed.close)
  const browser = new Browser(closed)
  const [form] = formsOf((await browser.go('/forgot')).text)
  const csrf = form?.fields.csrf ?? []
  for (const fields of [{ email: 'new@mail.example' }, { link: 'lk_ln_x', password: 'x' }]) {
    const page = await browser.go('/signup', { csrf, ...fields })
    assert.equal(page.status, 404)
    assert.match(page.text, /Nobody can create an account here/)
  }
  assert.deepEqual(await closed.server().store.listDueMails(closed.now(), 10), [])
})

test('two requests with one link confirm an address once', async () => {
  const { id, operator } = await newPerson(service)
  await operator('PATCH', `owners/${id}`, { email: 'two@mail.example' })
  const { body } = await operator('POST', `owners/${id}/links`, { purpose: 'verify' })
  const browser = new Browser(service)
  const [form] = formsOf((await browser.go(body.link)).text)
  assert.ok(form)
  const answers = await Promise.all([1, 2].map(() => browser.ask(form.action, form.fields)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 410])
})
