/** Two nodes send from one queue: each mail goes once, also where the mail server is slow. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadSettings } from '../../../src/config/load.ts'
import { drawRandom as random } from '../../../src/crypto/digest.ts'
import { createMetrics } from '../../../src/events/metrics.ts'
import { loadLanguages } from '../../../src/languages.ts'
import { mailLimits } from '../../../src/mail/limits.ts'
import { createSender, type Sender } from '../../../src/mail/sender.ts'
import { MailFault, type SendMail } from '../../../src/mail/smtp.ts'
import type { MailId } from '../../../src/model/ids.ts'
import { ownerLimits } from '../../../src/owners/limits.ts'
import { openSqliteStore } from '../../../src/store/sql/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { openKeyring } from '../../../src/tokens/keys/keyring.ts'
import { sealingKind } from '../../../src/tokens/keys/kinds.ts'
import { next, trace } from '../../store/moments.ts'
import { sampleOwner } from '../../store/sample.ts'
import { rootOf } from '../../support/root.ts'

let folder: string
let store: Store
let now = Date.UTC(2026, 10, 21, 12) / 1000

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-senders-'))
  store = await openSqliteStore({ path: join(folder, 'latchkey.db') })
})
after(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const openSender = async (transport: SendMail): Promise<Sender> => {
  const settings = loadSettings({ env: {}, flags: {}, cwd: folder })
  const clock = () => now * 1000
  const given = { store, clock, random }
  const root = rootOf('a root secret of more than 32 characters', random)
  const keyring = await openKeyring(given, root, settings.issuer, [sealingKind])
  const languages = await loadLanguages(settings)
  const parts = { ...given, settings, languages, keyring, tell: () => {} }
  return createSender(
    transport,
    createMetrics(() => 0),
    parts,
  )
}

/** So many requests for mails, each about an owner of its own. */
const queue = async (count: number): Promise<readonly string[]> => {
  const addresses = Array.from(
    { length: count },
    () => `${next('person').toLowerCase()}@mail.example`,
  )
  for (const email of addresses) {
    const owner = sampleOwner({ email })
    await store.createOwner(owner, trace(now))
    const mail = {
      id: next('mail') as MailId,
      kind: 'reset',
      ownerId: owner.id,
      about: email,
    } as const
    const when = { nextAt: now, tries: 0, expiresAt: now + 86_400 }
    assert.ok(await store.queueMail({ ...mail, language: 'en', waits: false, ...when }, 1000))
  }
  return addresses.toSorted()
}

test('each of 15 mails is sent once, by two nodes at a time', async () => {
  const sent: string[] = []
  const keep: SendMail = async ({ to }) => {
    sent.push(to)
  }
  const senders = await Promise.all([openSender(keep), openSender(keep), openSender(keep)])
  const addresses = await queue(15)
  await Promise.all(senders.map((one) => one.send()))
  assert.deepEqual(sent.toSorted(), addresses)
  assert.equal((await store.findMailQueue()).waiting, 0)
})

test('a slow mail server has each mail once, though another node looks again meanwhile', async () => {
  const sent: string[] = []
  const other = await openSender(async ({ to }) => {
    sent.push(to)
  })
  const begun = now
  const slow = await openSender(async ({ to }) => {
    now += 6
    sent.push(to)
    if (now > begun + mailLimits.retrySeconds) await other.send()
  })
  const addresses = await queue(15)
  await slow.send()
  assert.deepEqual(sent.toSorted(), addresses)
  assert.equal((await store.findMailQueue()).waiting, 0)
})

test('tries of one mail count once for its mailbox', async () => {
  let tried = 0
  const refusing: SendMail = async () => {
    tried++
    throw new MailFault('busy', false)
  }
  const sender = await openSender(refusing)
  const owner = sampleOwner({ email: 'often@mail.example' })
  await store.createOwner(owner, trace(now))
  const when = { nextAt: now, tries: 0, expiresAt: now + 86_400 }
  const about = { kind: 'forgot', ownerId: null, about: owner.username } as const
  const mail = { id: next('mail') as MailId, language: 'en', waits: false, ...about, ...when }
  assert.ok(await store.queueMail(mail, 1000))
  for (let minutes = 0; minutes < 40; minutes++) {
    await sender.send()
    now += 60
  }
  // More than the mails that a mailbox may have in an hour.
  assert.equal(tried, 6)
  assert.equal((await store.findMailQueue()).waiting, 1)
  await store.removeMail(mail.id)
})

test('a mail that is refused for now comes again later, on one node alone', async () => {
  const tried: string[] = []
  const refusing: SendMail = async ({ to }) => {
    tried.push(to)
    throw new MailFault('busy', false)
  }
  const senders = await Promise.all([openSender(refusing), openSender(refusing)])
  await queue(1)
  const turn = () => Promise.all(senders.map((one) => one.send()))
  await turn()
  await turn()
  assert.equal(tried.length, 1)
  now += mailLimits.retrySeconds
  await turn()
  assert.equal(tried.length, 2)
  now += mailLimits.retrySeconds
  await turn()
  assert.equal(tried.length, 2)
})

test('a sender that is closed meanwhile sends no other mail, and each stays queued', async () => {
  const sent: string[] = []
  let closing: Promise<void> | null = null
  const sender = await openSender(async ({ to }) => {
    sent.push(to)
    closing ??= sender.close()
  })
  const { waiting: before } = await store.findMailQueue()
  const addresses = await queue(3)
  await sender.send()
  await closing
  assert.equal(sent.length, 1)
  assert.equal((await store.findMailQueue()).waiting, before + 2)
  const other = await openSender(async ({ to }) => {
    sent.push(to)
  })
  await other.send()
  assert.deepEqual(sent.toSorted(), addresses)
})

test('mails of the operator, and those about new browsers, have no number in an hour', async () => {
  const sent: string[] = []
  const sender = await openSender(async ({ to }) => {
    sent.push(to)
  })
  const owner = sampleOwner({ email: 'both@mail.example' })
  await store.createOwner(owner, trace(now))
  const login = { to: owner.email, at: now, network: '', browser: '', system: '' }
  const abouts = { reset: owner.email, browser: JSON.stringify(login) } as const
  const count = 2 * (ownerLimits.mailbox.freeTries + 1)
  for (const kind of ['reset', 'browser'] as const) {
    const when = { language: 'en', waits: false, nextAt: now, tries: 0, expiresAt: now + 86_400 }
    for (let n = 0; n < count; n++) {
      const mail = { id: next('mail') as MailId, kind, ownerId: owner.id, about: abouts[kind] }
      assert.ok(await store.queueMail({ ...mail, ...when }, 1000))
    }
    await sender.send()
    assert.equal(sent.splice(0).length, count, kind)
  }
})
