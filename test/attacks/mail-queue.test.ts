/** LG-06: the queue of mails in the hands of strangers: full, or with a mail that nobody can make. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { mailKeepSeconds } from '../../src/events/limits.ts'
import type { MailId } from '../../src/model/ids.ts'
import type { QueuedMail } from '../../src/model/mail.ts'
import { ownerLimits } from '../../src/owners/limits.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import { operatorOf } from '../flows/operator.ts'
import { Browser } from '../support/browser.ts'
import { mailsIn } from '../support/mailbox.ts'
import { start } from '../support/start.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-mails-'))
})
afterEach(() => rm(folder, { recursive: true }))

const now = Date.UTC(2026, 10, 21, 12) / 1000

const mail = (i: number, change: Partial<QueuedMail>): QueuedMail => ({
  id: `mail-${i}` as MailId,
  kind: 'forgot',
  ownerId: null,
  about: 'nobody',
  language: 'en',
  waits: false,
  nextAt: now,
  tries: 0,
  expiresAt: now + mailKeepSeconds,
  ...change,
})

/** A service that finds these mails in its queue. */
const startWith = async (mails: readonly QueuedMail[]) => {
  const path = join(folder, 'latchkey.db')
  const store = await openSqliteStore({ path })
  await Promise.all(mails.map((one) => store.queueMail(one, ownerLimits.mailsWaiting)))
  await store.close()
  return start({ store: `sqlite:${path}` })
}

test('strangers cannot fill it: the operator and owners still have room', async () => {
  const later = { nextAt: now + 86_000 }
  const waiting = Array.from(
    { length: ownerLimits.mailsWaiting * ownerLimits.mailsOfStrangers },
    (_, i) => mail(i, later),
  )
  const service = await startWith(waiting)
  const browser = new Browser(service)
  const asked = await browser.submit(await browser.go('/forgot'), { username: 'alice' })
  assert.equal(asked.status, 503)
  assert.equal(asked.headers.get('retry-after'), '60')
  const operator = await operatorOf(service)
  const { body } = await operator('GET', 'owners')
  const { id } = body.items.find(({ username }: { username: string }) => username === 'alice')
  const sent = await operator('POST', `owners/${id}/links`, { purpose: 'reset', send: true })
  assert.equal(sent.status, 202, sent.text)
  assert.equal((await mailsIn(service)).length, 1)
  await service.close()
})

test('a mail that cannot be made stops no other one', async () => {
  const service = await startWith([])
  const operator = await operatorOf(service)
  const { body } = await operator('GET', 'owners')
  const { id } = body.items.find(({ username }: { username: string }) => username === 'alice')
  await service.server().close()
  const poison = { kind: 'browser', ownerId: id, about: 'no JSON' } as const
  const fine = { about: 'bob', nextAt: now + 1 }
  const again = await startWith([mail(1, poison), mail(2, poison), mail(3, fine)])
  await again.advance(2)
  const [shown, ...others] = await mailsIn(again)
  assert.deepEqual([shown?.to, others.length], ['bob@example.com', 0])
  assert.match(JSON.stringify(again.notices), /mails were not sent/)
  await again.advance(25 * 3600)
  // The sender may have looked before the purge of this turn.
  await again.advance(1)
  assert.match((await again.ask('/metrics')).text, /^latchkey_mails_queued 0$/m)
  await again.close()
})
