/** Mails over SMTP: a real server takes them, refuses them, and is away for a while. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { Browser } from '../support/browser.ts'
import { selfSigned } from '../support/certificate.ts'
import { type Started, start } from '../support/start.ts'
import { operatorOf } from './operator.ts'

interface Taken {
  readonly from: string
  readonly to: readonly string[]
  readonly message: string
}

/** A server on a free port. `refuses`: the status that it answers recipients with. */
const openServer = async (secure = false) => {
  const taken: Taken[] = []
  const state = { refuses: 0 }
  const server = new SMTPServer({
    authOptional: true,
    secure,
    ...(secure ? selfSigned(['127.0.0.1']) : {}),
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'latchkey' && password === 'p@ss/word'
        ? done(null, { user: 'latchkey' })
        : done(new Error('Invalid username or password')),
    onRcptTo: (_address, _session, done) =>
      state.refuses === 0
        ? done()
        : done(Object.assign(new Error('refused'), { responseCode: state.refuses })),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  // A client that breaks off.
  server.on('error', () => {})
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    taken,
    state,
    port,
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

let smtp: Awaited<ReturnType<typeof openServer>>
let service: Started
before(async () => {
  smtp = await openServer()
  service = await start({
    smtp: `smtp://latchkey:p%40ss%2Fword@127.0.0.1:${smtp.port}`,
    mailFrom: 'login@service.example',
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

/** The readable parts of a message: quoted-printable and base64 undone. */
const decoded = (message: string): string =>
  message
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )

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
    assert.match(head, /^Auto-Submitted: auto-generated$/m)
    assert.match(head, /^To: alice@example\.com$/m)
    assert.doesNotMatch(head, /^Shop/m)
    assert.match(mail.message, /Content-Type: text\/plain/)
    assert.match(mail.message, /Content-Type: text\/html/)
    const page = await new Browser(service).go(linkIn(mail.message))
    assert.match(page.text, /Choose a new password/)
    assert.equal((await service.ask('/mailbox')).status, 404)
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

  it('tells no log of a password, an address or a link', async () => {
    const log = JSON.stringify(service.notices)
    assert.match(log, /a mail was not taken/)
    assert.doesNotMatch(log, /p@ss|p%40ss|lk_ln_|bob@example|alice@example/)
  })
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
    const strange = await openServer(true)
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
