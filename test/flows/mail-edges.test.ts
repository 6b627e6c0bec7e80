/** Mails that are overtaken between the request and the sender, and the bounds of the demo's mailbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailLimits } from '../../src/mail/limits.ts'
import { openSmtp } from '../../src/mail/smtp.ts'
import type { MailId, OwnerId } from '../../src/model/ids.ts'
import type { QueuedMail } from '../../src/model/mail.ts'
import { mailsIn } from '../support/mailbox.ts'
import { newPerson } from '../support/people.ts'
import { openSmtp as openServer } from '../support/smtp.ts'
import { type Started, start } from '../support/start.ts'

let count = 0

/** Queues what somebody asked for before. */
const queue = async (
  service: Started,
  mail: Pick<QueuedMail, 'kind' | 'about'> & { readonly ownerId?: string },
): Promise<void> => {
  const { kind, about, ownerId = null } = mail
  const id = `queued-${String(++count).padStart(4, '0')}` as MailId
  const of = { id, kind, about, ownerId: ownerId as OwnerId | null }
  const at = service.now()
  const when = { nextAt: at, tries: 0, expiresAt: at + 3600 }
  assert.ok(
    await service.server().store.queueMail({ ...of, language: 'en', waits: false, ...when }, 1000),
  )
}

test('nobody is mailed a link for an account once sign-up is closed', async (t) => {
  const service = await start({ signUp: 'off' })
  t.after(service.close)
  await queue(service, { kind: 'signup', about: 'new@mail.example' })
  assert.deepEqual(await mailsIn(service), [])
  assert.equal((await service.server().store.findMailQueue()).waiting, 0)
})

test('a link of the operator is not sent where the address is gone', async (t) => {
  const service = await start()
  t.after(service.close)
  const { id } = await newPerson(service)
  await queue(service, { kind: 'reset', about: 'gone@mail.example', ownerId: id })
  await queue(service, { kind: 'forgot', about: 'gone@mail.example' })
  assert.deepEqual(await mailsIn(service), [])
})

test('the mailbox of the demo shows the latest mails, and no more than it may', async (t) => {
  const service = await start({ signUp: 'open' })
  t.after(service.close)
  const most = mailLimits.shown
  for (let n = 0; n <= most; n++)
    await queue(service, { kind: 'signup', about: `p${n}@mail.example` })
  let shown = await mailsIn(service)
  while ((await service.server().store.findMailQueue()).waiting > 0) shown = await mailsIn(service)
  const addresses = Array.from({ length: most }, (_, n) => `p${most - n}@mail.example`)
  assert.deepEqual(
    shown.map(({ to }) => to),
    addresses,
  )
})

test('open sign-up without mail is told to the operator at the start', async (t) => {
  const message = 'LATCHKEY_SIGN_UP is open without LATCHKEY_SMTP: sign-up takes an invitation'
  for (const [settings, isTold] of [
    [{ demo: false, signUp: 'open' }, true],
    [{ demo: false, signUp: 'invited' }, false],
    [{ demo: true, signUp: 'open' }, false],
  ] as const) {
    const service = await start(settings)
    t.after(service.close)
    const told = service.notices.some((notice) => Object(notice).message === message)
    assert.equal(told, isTold, JSON.stringify(settings))
  }
})

test('a mail has one recipient, whatever its address looks like', async (t) => {
  const server = await openServer()
  t.after(server.close)
  const send = await openSmtp(`smtp://127.0.0.1:${server.port}`, 'login@service.example')
  const mail = { sender: 'Latchkey', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  const { signal } = new AbortController()
  const recipients = {
    'a.b+c@mail.example': 'a.b+c@mail.example',
    // Without the quotes the mail would go to another mailbox.
    'a,b@mail.example': '"a,b"@mail.example',
  }
  for (const [to, recipient] of Object.entries(recipients)) {
    await send({ ...mail, to }, signal)
    assert.deepEqual(
      server.taken.splice(0).map((taken) => taken.to),
      [[recipient]],
    )
  }
})
