/** Mails over SMTP: a real server takes them, refuses them, and is away for a while. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mailLimits } from '../../src/mail/limits.ts'
import { Browser } from '../support/browser.ts'
import { selfSigned } from '../support/certificate.ts'
import { newName } from '../support/people.ts'
import { decoded, openSmtp, type SmtpServer } from '../support/smtp.ts'
import { type Started, start } from '../support/start.ts'
import { operatorOf } from './operator.ts'

let smtp: SmtpServer
let service: Started
before(async () => {
  smtp = await openSmtp()
  service = await start({
    smtp: `smtp://latchkey:p%40ss%2Fword@127.0.0.1:${smtp.port}`,
    mailFrom: 'login@service.example',
    accentColor: '#7c2d12',
    operatorName: { en: 'Print\r\nShop', zh: '打印店' },
  })
})
after(async () => {
  await service.close()
  await smtp.close()
})

const ask = async (username: string): Promise<void> => {
  const browser = new Browser(service)
  await browser.submit(await browser.go('/forgot'), { username })
}

const linkIn = (message: string): string => /http\S+lk_ln_[\w-]+/.exec(decoded(message))?.[0] ?? ''

describe('a mail over SMTP', () => {
  it('goes to one recipient, as text and as HTML, with a link that works', async () => {
    await ask('alice')
    assert.equal(smtp.taken.length, 0, 'a mail never delays the page')
    await service.advance(1)
    const [mail] = smtp.taken.splice(0)
    assert.ok(mail)
    assert.deepEqual([mail.from, mail.to], ['login@service.example', ['alice@example.com']])
    const [head = ''] = mail.message.split('\r\n\r\n')
    assert.match(head, /^Subject: Choose a new password for Print Shop$/m)
    assert.match(head, /^From: "?Print Shop"? <login@service\.example>$/m)
    assert.match(head, /^Auto-Submitted: auto-generated$/m)
    assert.match(head, /^To: alice@example\.com$/m)
    assert.doesNotMatch(head, /^Shop/m)
    assert.match(mail.message, /Content-Type: text\/plain/)
    assert.match(mail.message, /Content-Type: text\/html/)
    const [, page = ''] = decoded(mail.message).split(/Content-Type: text\/html/)
    assert.match(page, /color:#7c2d12">Print\s+Shop<\/p>/)
    assert.match(page, /background:#7c2d12">Choose a new password<\/a>/)
    assert.doesNotMatch(page, /src=|url\(|<link|<script|<img/)
    const opened = await new Browser(service).go(linkIn(mail.message))
    assert.match(opened.text, /Choose a new password/)
    assert.equal((await service.ask('/mailbox')).status, 404)
  })

  it('names its sender in its own language', async () => {
    const browser = new Browser(service)
    await browser.submit(await browser.go('/forgot?ui_locales=zh'), { username: 'alice' })
    await service.advance(1)
    const [mail] = smtp.taken.splice(0)
    const name = Buffer.from('打印店').toString('base64')
    assert.ok(mail?.message.includes(`From: =?UTF-8?B?${name}?= <login@service.example>`))
  })

  it('brings a link of the operator, in the language of the owner', async () => {
    const operator = await operatorOf(service)
    const person = {
      username: newName(),
      password: null,
      email: 'new@example.com',
      claims: { locale: 'zh-Hans-CN' },
    }
    const { body: owner } = await operator('POST', 'owners', person)
    const path = `owners/${owner.id}/links`
    const { status, body } = await operator('POST', path, { purpose: 'invite', send: true })
    assert.deepEqual([status, body], [202, { purpose: 'invite', sent_to: 'new@example.com' }])
    await service.advance(1)
    const [mail] = smtp.taken.splice(0)
    assert.deepEqual(mail?.to, ['new@example.com'])
    const page = await new Browser(service).go(linkIn(mail?.message ?? ''))
    assert.equal(new URL(page.url).pathname, '/invite')
    const isVerified = async () => (await operator('GET', `owners/${owner.id}`)).body.email_verified
    assert.equal(await isVerified(), false)
    await operator('POST', `owners/${owner.id}/set-password`, { password: 'chosen meanwhile' })
    const reset = await operator('POST', path, { purpose: 'reset', send: true })
    assert.equal(reset.status, 202)
    await service.advance(1)
    const [other] = smtp.taken.splice(0)
    const browser = new Browser(service)
    // It takes longer on its way than one that somebody asked for.
    service.pass(2400)
    const form = await browser.go(linkIn(other?.message ?? ''))
    assert.equal(new URL(form.url).pathname, '/reset')
    await browser.submit(form, { password: 'read in the mailbox' })
    assert.equal(await isVerified(), true)
    const { body: told } = await operator('GET', `events?owner=${owner.id}`)
    const issued = told.items.filter(({ type }: { type: string }) => type === 'link.issued')
    assert.deepEqual(
      issued.map(({ details }: { details: object }) => details),
      [
        { purpose: 'reset', by: 'mail' },
        { purpose: 'invite', by: 'mail' },
      ],
    )
  })

  it('brings no invitation to whoever has got a password meanwhile', async () => {
    const operator = await operatorOf(service)
    const person = { username: newName(), password: null, email: 'invited@example.com' }
    const { body: owner } = await operator('POST', 'owners', person)
    await operator('POST', `owners/${owner.id}/links`, { purpose: 'invite', send: true })
    await operator('POST', `owners/${owner.id}/set-password`, { password: 'chosen meanwhile' })
    await service.advance(1)
    assert.deepEqual(smtp.taken.splice(0), [])
  })

  it('is tried again while the server refuses it for now, with a new link each time', async () => {
    smtp.state.refuses = 451
    await ask('bob')
    await service.advance(1)
    await service.advance(59)
    assert.equal(smtp.taken.length, 0)
    const { text } = await service.ask('/metrics')
    assert.match(text, /latchkey_mails_queued 1/)
    await service.restart()
    smtp.state.refuses = 0
    await service.advance(2)
    const [mail, ...others] = smtp.taken.splice(0)
    assert.deepEqual([mail?.to, others], [['bob@example.com'], []])
    await service.advance(3600)
    assert.deepEqual(smtp.taken, [])
    assert.match((await service.ask('/metrics')).text, /latchkey_mails_queued 0/)
  })

  it('is given up where the server refuses it for good, or for a day', async () => {
    const operator = await operatorOf(service)
    const failed = async () => {
      const { body } = await operator('GET', 'events?limit=100')
      return body.items.filter(({ type }: { type: string }) => type === 'mail.failed').length
    }
    smtp.state.refuses = 550
    await ask('bob')
    await service.advance(1)
    assert.equal(await failed(), 1)
    smtp.state.refuses = 451
    await ask('bob')
    for (let hour = 0; hour < 22; hour++) await service.advance(3600)
    assert.match((await service.ask('/metrics')).text, /latchkey_mails_queued 1/)
    await service.advance(3600)
    assert.match((await service.ask('/metrics')).text, /latchkey_mails_queued 0/)
    smtp.state.refuses = 0
    await service.advance(24 * 3600)
    assert.deepEqual(smtp.taken, [])
  })

  it('is given up where the server refuses its text for good', async () => {
    const failed = async (): Promise<string> =>
      /mails_total\{outcome="failed"\} (\d+)/.exec((await service.ask('/metrics')).text)?.[1] ?? ''
    const before = Number(await failed())
    smtp.state.refusesText = 554
    await ask('bob')
    await service.advance(1)
    smtp.state.refusesText = 0
    assert.equal(Number(await failed()), before + 1)
    await service.advance(24 * 3600)
    assert.deepEqual(smtp.taken, [])
  })

  it('comes once to each account of an address, though a later one is refused for now', async () => {
    const operator = await operatorOf(service)
    const email = 'shared@example.com'
    for (const username of [newName(), newName()]) {
      await operator('POST', 'owners', { username, password: 'correct horse battery', email })
    }
    smtp.state.takes = 1
    await ask(email)
    for (let i = 0; i < 5; i++) await service.advance(3600)
    smtp.state.takes = Number.POSITIVE_INFINITY
    assert.equal(smtp.taken.splice(0).length, 1)
  })

  it('shows in the metrics how long the oldest one has waited, and how often', async () => {
    smtp.state.refuses = 451
    await ask('alice')
    await service.advance(1)
    await service.advance(599)
    const { text } = await service.ask('/metrics')
    smtp.state.refuses = 0
    await service.advance(3600)
    smtp.taken.splice(0)
    assert.match(text, /^latchkey_mails_queued 1$/m)
    assert.match(text, /^latchkey_mail_oldest_seconds 600$/m)
    assert.match(text, /^latchkey_mails_total\{outcome="retried"\} [1-9]/m)
    assert.match((await service.ask('/metrics')).text, /^latchkey_mail_oldest_seconds 0$/m)
  })

  it('tells no log of a password, an address or a link', async () => {
    const log = JSON.stringify(service.notices)
    assert.match(log, /a mail was not taken/)
    assert.doesNotMatch(log, /p@ss|p%40ss|lk_ln_|bob@example|alice@example/)
  })
})

describe('a server that hangs', () => {
  const holdsUpNone = async (isToldBefore: boolean) => {
    const waits: number[] = []
    let cancelled = 0
    const own = await start({
      smtp: `smtp://127.0.0.1:${smtp.port}`,
      mailFrom: 'login@service.example',
      deadline(milliseconds, end) {
        waits.push(milliseconds)
        end()
        return () => cancelled++
      },
    })
    const browser = new Browser(own)
    await browser.submit(await browser.go('/forgot'), { username: 'alice' })
    const asked = Promise.withResolvers<void>()
    smtp.state.hangs = asked.resolve
    const turn = own.advance(1)
    await asked.promise
    if (isToldBefore) {
      own.server().hurry()
      await turn
    }
    await own.restart()
    await turn
    smtp.state.hangs = null
    assert.deepEqual([waits, cancelled], [[mailLimits.closeMilliseconds], 1])
    const faults = own.notices.flatMap(({ fault }) => (fault === undefined ? [] : [fault]))
    assert.deepEqual(faults, ['EABORT: the service ended before the server answered'])
    assert.equal(smtp.taken.length, 0)
    await own.advance(60)
    assert.deepEqual(
      smtp.taken.splice(0).map(({ to }) => to),
      [['alice@example.com']],
    )
    await own.close()
  }

  it('holds up no service that ends, and gets the mail once it answers again', () =>
    holdsUpNone(false))

  it('is left alone while the requests under way are answered', () => holdsUpNone(true))
})

describe('a server that cannot be trusted', () => {
  it('gets no mail: its password is wrong, or it is away', async () => {
    const other = await start({
      smtp: `smtp://latchkey:wrong-password@127.0.0.1:${smtp.port}`,
      mailFrom: 'login@service.example',
    })
    const browser = new Browser(other)
    await browser.submit(await browser.go('/forgot'), { username: 'alice' })
    await other.advance(1)
    assert.deepEqual(smtp.taken, [])
    const log = JSON.stringify(other.notices)
    assert.match(log, /a mail was not taken.*EAUTH 535/)
    assert.doesNotMatch(log, /wrong-password/)
    await other.close()
  })

  it('and one with a certificate that nobody vouches for', async () => {
    const strange = await openSmtp({ secure: selfSigned(['127.0.0.1']) })
    const smtpUrl = `smtps://latchkey:p%40ss%2Fword@127.0.0.1:${strange.port}`
    const other = await start({ smtp: smtpUrl, mailFrom: 'login@service.example' })
    const browser = new Browser(other)
    await browser.submit(await browser.go('/forgot'), { username: 'alice' })
    await other.advance(1)
    assert.deepEqual(strange.taken, [])
    assert.match(JSON.stringify(other.notices), /a mail was not taken/)
    await other.close()
    await strange.close()
  })
})
