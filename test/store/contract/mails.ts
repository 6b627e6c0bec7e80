/** The store contract for the queue of mails: each is taken by one sender at a time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailId, OwnerId } from '../../../src/model/ids.ts'
import type { QueuedMail } from '../../../src/model/mail.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { sampleOwner } from '../sample.ts'

const sampleMail = (change: Partial<QueuedMail> = {}): QueuedMail => ({
  id: next('mail') as MailId,
  kind: 'forgot',
  ownerId: null,
  about: 'alice',
  language: 'en',
  waits: false,
  nextAt: start,
  tries: 0,
  expiresAt: start + 1000,
  ...change,
})

export const mailContract = (store: () => Store): void => {
  const queue = async (change: Partial<QueuedMail> = {}): Promise<QueuedMail> => {
    const mail = sampleMail(change)
    assert.equal(await store().queueMail(mail, 1000), true)
    return mail
  }

  test('a mail is listed from its time on, until it is removed', async () => {
    const owner = sampleOwner()
    await store().createOwner(owner, trace())
    const first = await queue({ nextAt: start - 10, kind: 'verify', ownerId: owner.id })
    const second = await queue({ nextAt: start - 9, waits: true })
    assert.deepEqual(await store().listDueMails(start - 11, 10), [])
    assert.deepEqual(await store().listDueMails(start - 10, 10), [first])
    assert.deepEqual(await store().listDueMails(start - 9, 10), [first, second])
    assert.deepEqual(await store().listDueMails(start - 9, 1), [first])
    assert.deepEqual(await store().findMailQueue(), { waiting: 2, firstExpiresAt: start + 1000 })
    assert.equal(await store().removeMail(second.id), true)
    assert.equal(await store().removeMail(second.id), false)
    await store().deleteOwner(owner.id, trace())
    assert.deepEqual(await store().findMailQueue(), { waiting: 0, firstExpiresAt: null })
  })

  test('of many senders at once one takes a mail, and it comes again later', async () => {
    const mail = await queue()
    const taken = await together(10, () => store().claimMail(mail, start + 60))
    assert.equal(taken.filter((is) => is).length, 1)
    assert.deepEqual(await store().listDueMails(start + 59, 10), [])
    const again = { ...mail, tries: 1, nextAt: start + 60 }
    assert.deepEqual(await store().listDueMails(start + 60, 10), [again])
    await store().removeMail(mail.id)
    assert.equal(await store().claimMail(again, start), false)
  })

  test('a cancelled mail does not wait, and each of its links is used up by whoever comes first', async () => {
    const [mail, other] = [await queue(), await queue()]
    const link = { id: next('link'), expiresAt: start + 600 }
    const used = { id: next('link'), expiresAt: start + 600 }
    assert.equal(await store().finishCeremony(used), true)
    await store().cancelMails([mail.id], [link, used])
    await store().cancelMails([mail.id], [link, used])
    assert.equal(await store().claimMail(mail, start + 60), false)
    assert.deepEqual(await store().listDueMails(start, 10), [other])
    assert.equal(await store().isFinished(link.id), true)
    await store().removeMail(other.id)
    const owner = sampleOwner()
    await store().createOwner(owner, trace())
    const { email, passwordHash, roles } = owner
    const raced = { id: next('link'), expiresAt: start + 600 }
    const by = { link: raced, email, passwordHash, roles, proves: '' }
    const outcomes = await together(8, async (i) =>
      i === 4
        ? store().cancelMails([], [raced])
        : store().changePassword(owner.id, { hash: next('hash'), salt: 'salt' }, by, trace()),
    )
    const changed = outcomes.filter((one) => one !== null && one !== undefined)
    const { passwordHash: now } = (await store().findOwner(owner.id)) ?? owner
    assert.ok(changed.length <= 1)
    assert.equal(now !== passwordHash, changed.length === 1)
    const later = { ...by, passwordHash: now }
    const again = { hash: next('hash'), salt: 'salt' }
    assert.equal(await store().changePassword(owner.id, again, later, trace()), null)
  })

  test('no more mails wait than there may', async () => {
    const mail = await queue()
    assert.equal(await store().queueMail(sampleMail(), 1), false)
    assert.equal((await store().findMailQueue()).waiting, 1)
    await store().removeMail(mail.id)
  })

  test('owners are found by their address, in any case of its letters', async () => {
    const email = `${next('Name')}@Example.com`
    const made: OwnerId[] = []
    for (const disabled of [false, true, false]) {
      const owner = sampleOwner({ email, emailVerified: false, disabled })
      await store().createOwner(owner, trace())
      made.push(owner.id)
    }
    assert.deepEqual(await store().listOwnersOfEmail(email.toUpperCase(), 5), made)
    assert.deepEqual(await store().listOwnersOfEmail(email.toLowerCase(), 2), made.slice(0, 2))
    assert.deepEqual(await store().listOwnersOfEmail(email.replace('@', '＠'), 5), made)
    assert.deepEqual(await store().listOwnersOfEmail(`x${email}`, 5), [])
    const verified = sampleOwner({ email, emailVerified: true })
    await store().createOwner(verified, trace())
    assert.deepEqual(await store().listOwnersOfEmail(email, 2), [verified.id, made[0]])
  })

  test('a quota admits so many, and then nobody until it starts anew', async () => {
    const rule = {
      freeTries: 2,
      longestWaitSeconds: 100,
      forgetSeconds: 100,
      isQuota: true,
    } as const
    const counter = { key: next('quota'), rule: { ...rule, forgetAfter: 'first try' } } as const
    const admit = (at: number) => store().admitAttempt([counter], trace(at))
    const outcomes = []
    for (const at of [0, 1, 2, 3, 99]) outcomes.push((await admit(start + at)).outcome)
    assert.deepEqual(outcomes, ['admitted', 'admitted', 'admitted', 'wait', 'wait'])
    assert.equal((await admit(start + 102)).outcome, 'admitted')
  })
}
