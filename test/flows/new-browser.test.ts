/** A login with a browser that an owner has not used before is an event, and a mail. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { StoreFault } from '../../src/store/fault.ts'
import { Browser } from '../support/browser.ts'
import { eventsOf, newName, type Person, password } from '../support/people.ts'
import { decoded, openSmtp, type SmtpServer } from '../support/smtp.ts'
import { type Form, type Started, start } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'

let smtp: SmtpServer
let service: Started
let owner: Person
let mailbox: string

before(async () => {
  smtp = await openSmtp()
  service = await start({
    smtp: `smtp://latchkey:p%40ss%2Fword@127.0.0.1:${smtp.port}`,
    mailFrom: 'login@service.example',
  })
})
after(async () => {
  await service.close()
  await smtp.close()
})

beforeEach(async () => {
  const operator = await operatorOf(service)
  const username = newName()
  mailbox = `${username}@example.com`
  const { body } = await operator('POST', 'owners', { username, password, email: mailbox })
  owner = { id: body.id, username, operator }
  smtp.taken.splice(0)
})

class Named extends Browser {
  readonly #name: string

  constructor(name: string) {
    super(service)
    this.#name = name
  }

  override ask(path: string, form?: Form, headers: Readonly<Record<string, string>> = {}) {
    return super.ask(path, form, { 'user-agent': this.#name, ...headers })
  }
}

const logIn = async (browser: Browser = new Named(chrome)): Promise<Browser> => {
  const page = await browser.go('/login?switch=1')
  assert.equal((await browser.logIn(page, owner.username, password)).status, 200)
  return browser
}

/** A subject beyond ASCII, as RFC 2047 writes it. */
const decodedSubject = (message: string): string => {
  const [, folded = ''] = /^Subject: ((?:.|\r\n )*)$/m.exec(message) ?? []
  const words = [...folded.matchAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/g)]
  return words
    .map(([, kind, text = '']) =>
      kind === 'B'
        ? Buffer.from(text, 'base64').toString()
        : decodeURIComponent(text.replaceAll('_', ' ').replaceAll('=', '%')),
    )
    .join('')
}

/** The mails to the owner that have come since. */
const mails = async () => {
  await service.advance(1)
  return smtp.taken.splice(0).filter(({ to }) => to.includes(mailbox))
}

const browsersInEvents = async () =>
  (await eventsOf(owner))
    .filter(({ type }) => type === 'login.succeeded')
    .map(({ details }) => details.browser)

describe('a login with a new browser', () => {
  test('is mailed over SMTP with its browser, network and time, and one link', async () => {
    const at = service.now()
    await logIn()
    assert.deepEqual(smtp.taken, [], 'a mail never delays the login')
    const [mail, ...others] = await mails()
    assert.ok(mail)
    assert.deepEqual([mail.to, others], [[mailbox], []])
    assert.match(mail.message, /^Subject: New login to your account at Latchkey$/m)
    const text = decoded(mail.message).replaceAll('\r\n', '\n')
    const time = new Date(at * 1000).toISOString().slice(11, 16)
    assert.match(
      text,
      new RegExp(`Chrome on Windows, network 127\\.0\\.0\\.\\*, 21 November 2026, ${time} UTC`),
    )
    const links = [...text.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link)
    const [link = '', ...more] = new Set(links.map((one) => one.replaceAll('&amp;', '&')))
    assert.deepEqual(more, [])
    assert.match(link, /\/account\/lost\?why=not-me&session=\w{26}$/)
    const other = new Browser(service)
    const guide = await other.logIn(await other.go(link), owner.username, password)
    const path = link.slice(service.issuer.length).replace('why=not-me', 'why=not-me&step=1')
    assert.equal(guide.url, service.issuer + path)
    assert.match(guide.text, /<b>Chrome on Windows <span class="tag warn">This is the one/)
  })

  test('is an event that says so, and a later login of the browser is not', async () => {
    const browser = await logIn()
    const events = await browser.go('/account/events')
    assert.match(events.text, /A new browser logged in with your password\./)
    await logIn(browser)
    assert.deepEqual((await browsersInEvents()).toSorted(), [undefined, 'new'].toSorted())
    assert.equal((await mails()).length, 1)
    const sent = (await eventsOf(owner)).find(({ type }) => type === 'mail.sent')
    assert.deepEqual(sent?.details, { mail: 'browser' })
  })

  test('is mailed twice in an hour at most, also where strangers filled the mailbox', async () => {
    for (let i = 0; i < 5; i++) {
      const stranger = new Browser(service)
      await stranger.submit(await stranger.go('/forgot'), { username: mailbox })
    }
    await mails()
    for (let i = 0; i < 3; i++) await logIn()
    const subjects = (await mails()).map(({ message }) => /^Subject: (.*)$/m.exec(message)?.[1])
    assert.deepEqual(subjects, Array(2).fill('New login to your account at Latchkey'))
    assert.deepEqual(await browsersInEvents(), ['new', 'new', 'new'])
  })

  test('puts no text of a stranger into the mail', async () => {
    await logIn(new Named('evil.example.com/1 https://evil.example/'))
    const [mail] = await mails()
    assert.ok(mail)
    assert.doesNotMatch(decoded(mail.message), /evil/)
    assert.match(decoded(mail.message), /An unknown browser/)
  })

  test('is mailed in the language of the owner, not in that of the browser', async () => {
    const owned = await owner.operator('PATCH', `owners/${owner.id}`, { claims: { locale: 'zh' } })
    assert.equal(owned.status, 200)
    await logIn()
    const [mail] = await mails()
    assert.match(decodedSubject(mail?.message ?? ''), /您在 Latchkey 的账户有新的登录/)
  })

  test('is made whether or not its mail can be queued', async (t) => {
    t.mock.method(service.server().store, 'queueMail', async () => {
      throw new StoreFault('failed', 'the disk is full')
    })
    await logIn()
    assert.deepEqual(await mails(), [])
    assert.ok(
      service.notices.some(({ message }) => message === 'the mail about a login was not queued'),
    )
  })
})
