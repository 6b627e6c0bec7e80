/** The store contract for restarts and purges. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ItemId } from '../../../src/model/ids.ts'
import { storeLimits } from '../../../src/store/limits.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Open } from '../contract.ts'
import { next, start, together, trace } from '../moments.ts'
import {
  sampleApproval,
  sampleClient,
  samplePasskey,
  sampleRedemption,
  sampleRotation,
  sampleSession,
} from '../sample.ts'
import { addPeople, approveIn, settle, settleFamily } from '../settle.ts'

const purgeAll = async (store: Store, now: number, eventsBefore = 0): Promise<number> => {
  let went = 0
  for (;;) {
    const step = await store.purge(now, { events: eventsBefore, accessLog: 0 }, 7)
    assert.ok(step <= 7)
    if (step === 0) return went
    went += step
  }
}

export const housekeepingContract = (open: Open): void => {
  test('ST-08 RF-09 all that was answered is there after a restart', async () => {
    const opened = await open()
    const { store } = opened
    assert.equal(await store.isEmpty(), true)
    const settled = await settleFamily(store)
    assert.equal(await store.isEmpty(), false)
    const { client, owner, familyId, authorization } = settled
    await store.rotateRefreshToken(sampleRotation(familyId, 0), trace())
    const session = sampleSession(owner.id)
    await store.startSession(session, { passwordHash: owner.passwordHash }, null, trace())
    const item = { holder: `owner:${owner.id}`, resource: 'photos', id: 'a' as ItemId } as const
    const put = { ...item, fields: { a: 1 }, version: 'v1', condition: {}, createOnly: true }
    await store.putItem({ ...put, mostItems: 1 })
    const revoked = sampleRedemption(authorization)
    await store.redeemCode(revoked, trace())
    await store.endFamily(revoked.familyId, trace())
    const of = { familyId, authorizationId: authorization.id }
    await store.endToken({ of, tokenId: familyId, expiresAt: null }, trace())
    await store.ping()
    const standing = await store.findStanding(familyId, start)
    const events = await store.listEvents({}, null, 100)

    const after = await opened.reopen()
    assert.deepEqual(await after.findClient(client.id), client)
    assert.deepEqual(await after.findOwnerByName(owner.username), owner)
    assert.deepEqual(await after.findSession(session.id, start), { session, owner })
    assert.deepEqual(await after.findStanding(familyId, start), standing)
    assert.equal(standing?.family.generation, 1)
    assert.equal(await after.findStanding(revoked.familyId, start), null)
    assert.equal(await after.isTokenEnded(familyId), true)
    assert.deepEqual(await after.listEvents({}, null, 100), events)
    assert.equal((await after.findItem(item.holder, 'photos', item.id))?.version, 'v1')
    assert.deepEqual(await after.redeemCode(revoked, trace()), { outcome: 'replayed' })
    const reuse = await after.rotateRefreshToken(sampleRotation(familyId, 0), trace(start + 99))
    assert.deepEqual(reuse, { outcome: 'reused' })
    await opened.dispose()
  })

  test('ST-07 what can never be found again is swept away, in small steps', async () => {
    const { store, dispose } = await open()
    const { authorization, owner } = await settle(store)
    const lasting = sampleRedemption(authorization, { expiresAt: start + 100_000 })
    await store.redeemCode(lasting, trace())
    const { familyId } = lasting
    const short = () => sampleRedemption(authorization, { expiresAt: start + 5 })
    const passed = Array.from({ length: 20 }, short)
    const unlimited = sampleRedemption(authorization, { expiresAt: null })
    const ended = sampleRedemption(authorization, { expiresAt: null })
    const orphan = await settleFamily(store)
    for (const one of [...passed, unlimited, ended]) await store.redeemCode(one, trace())
    await store.endFamily(ended.familyId, trace())
    await store.endAuthorization(orphan.authorization.id, null, trace())
    const brief = await settle(store, { duration: 'day', expiresAt: start + 5 })
    const visit = sampleSession(owner.id, { expiresAt: start + 5 })
    await store.startSession(visit, { passwordHash: owner.passwordHash }, null, trace())
    const ceremony = { id: next('ceremony'), expiresAt: start + 5 }
    const by = { ownerId: owner.id, session: visit.id }
    await store.addPasskey(samplePasskey(owner.id), 1, ceremony, by, trace())
    const of = { familyId, authorizationId: authorization.id }
    const [briefToken, lastingToken] = [`${familyId}.1`, `${familyId}.2`]
    await store.endToken({ of, tokenId: briefToken, expiresAt: start + 5 }, trace())
    await store.endToken({ of, tokenId: lastingToken, expiresAt: null }, trace())
    const rule = {
      freeTries: 1,
      longestWaitSeconds: 1,
      forgetSeconds: 5,
      forgetAfter: 'last try',
    } as const
    await store.admitAttempt([{ key: next('key'), rule }], trace())

    // Journeys and codes that could still be used keep their families, so that they cannot be used again.
    const codesEnd = start + storeLimits.journeySeconds + storeLimits.purgeAfterSeconds
    assert.equal(await purgeAll(store, start + 4), 0)
    assert.equal(await purgeAll(store, codesEnd), 5)
    assert.equal(await store.isRedeemed(passed[0]?.familyId ?? familyId), true)
    assert.equal(await store.isTokenEnded(briefToken), false)
    assert.equal(await store.findAuthorization(brief.authorization.id, start), null)
    assert.equal(await purgeAll(store, codesEnd + 1), 22)
    for (const one of [...passed, ended, { familyId: orphan.familyId }]) {
      assert.equal(await store.isRedeemed(one.familyId), false)
    }
    for (const id of [familyId, unlimited.familyId]) {
      assert.notEqual(await store.findStanding(id, start), null)
    }
    assert.equal(await store.isTokenEnded(lastingToken), true)
    await dispose()
  })

  test('a finished ceremony outlives its end by a margin, for nodes whose clocks are behind', async () => {
    const { store, dispose } = await open()
    const ceremony = { id: next('ceremony'), expiresAt: start + 5 }
    await store.finishCeremony(ceremony)
    const end = ceremony.expiresAt + storeLimits.purgeAfterSeconds
    assert.equal(await purgeAll(store, end - 1), 0)
    assert.equal(await store.isFinished(ceremony.id), true)
    assert.equal(await purgeAll(store, end), 1)
    assert.equal(await store.isFinished(ceremony.id), false)
    await dispose()
  })

  test('an id counts once, in a race and after restarts, and what was made until a found watermark is unsure', async () => {
    const opened = await open()
    const claim = (store: Store, id: string, madeAt: number | null = start, at = start) =>
      store.claimId({ id, madeAt, expiresAt: at + 60 }, at)
    const made = { a: start, b: start - 9, c: null, d: start + 9 } as const
    const claimAll = (store: Store) =>
      Promise.all(Object.entries(made).map(([id, madeAt]) => claim(store, id, madeAt)))
    const racing = await Promise.all([claimAll(opened.store), claimAll(opened.store)])
    assert.deepEqual(racing.flat().sort(), [...Array(4).fill('again'), ...Array(4).fill('first')])
    let after = await opened.reopen()
    assert.deepEqual(await claimAll(after), Array(4).fill('again'))
    assert.equal(await after.findUnsureUntil(start), 0)
    // As a process leaves it that ends without warning.
    after = await opened.reopen()
    await after.setFact('used ids', await after.findFact('used ids'), String(start))
    for (const [x, y] of [
      ['e', 'f'],
      ['g', 'h'],
    ] as const) {
      after = await opened.reopen()
      assert.equal(await after.findUnsureUntil(start), start)
      assert.deepEqual(await claimAll(after), Array(4).fill('again'))
      const outcomes = [
        await claim(after, x),
        await claim(after, x, null),
        await claim(after, y, start + 1, start + 1),
        await claim(after, y, start + 1, start + 1),
      ]
      assert.deepEqual(outcomes, ['unsure', 'first', 'first', 'again'])
    }
    assert.equal(await claim(after, 'z', start, start + 4261), 'first')
    assert.equal(await after.findUnsureUntil(start + 4261), 0)
    await opened.dispose()
  })

  test('ST-07 events are kept until a moment, the oldest going first', async () => {
    const { store, dispose } = await open()
    await addPeople(store)
    for (let i = 0; i < 20; i++) await store.createClient(sampleClient(), trace(start + i))
    const kept = (await store.listEvents({}, null, 100)).rows.filter(({ at }) => at >= start + 15)
    assert.equal(kept.length, 5)
    assert.equal(await purgeAll(store, start), 0)
    assert.equal(await purgeAll(store, start, start + 15), 17)
    assert.deepEqual((await store.listEvents({}, null, 100)).rows, kept)
    assert.equal(await purgeAll(store, start, start + 15), 0)
    await dispose()
  })

  test('a reader of events misses nothing where the newest were purged', async () => {
    const opened = await open()
    const { store } = opened
    const read = async (from: Store, after: string | null) => {
      const page = await from.listCommittedEvents({}, after, 100)
      assert.ok(page !== 'unknown_position')
      return { ids: page.rows.map(({ clientId }) => clientId), next: page.next }
    }
    for (let i = 0; i < 5; i++) await store.createClient(sampleClient(), trace(start))
    const { next: position } = await read(store, null)
    assert.equal(await purgeAll(store, start, start + 1), 5)
    const after = await opened.reopen()
    assert.deepEqual((await read(after, position)).ids, [])
    const client = sampleClient()
    await after.createClient(client, trace(start))
    assert.deepEqual((await read(after, position)).ids, [client.id])
    // And again, from where the numbers went on.
    const { next: later } = await read(after, null)
    assert.equal(await purgeAll(after, start, start + 1), 1)
    const last = sampleClient()
    await after.createClient(last, trace(start))
    assert.deepEqual((await read(after, later)).ids, [last.id])
    await opened.dispose()
  })

  test('an authorization whose visit expired ends with it, and is swept away much later', async () => {
    const { store, dispose } = await open()
    const people = await addPeople(store)
    const session = sampleSession(people.owner.id)
    await store.startSession(session, { passwordHash: people.owner.passwordHash }, null, trace())
    const visit = { duration: 'session', sessionId: session.id } as const
    await approveIn(store, sampleApproval(people, visit), trace())
    assert.equal(await purgeAll(store, session.expiresAt - 1), 0)
    assert.equal(await purgeAll(store, session.expiresAt), 2)
    const forgotten = session.expiresAt + storeLimits.useDays * 86_400
    assert.equal(await purgeAll(store, forgotten - 1), 0)
    assert.equal(await purgeAll(store, forgotten), 1)
    await dispose()
  })

  test('F-14 the latest time is kept, whoever notes an earlier one', async () => {
    const opened = await open()
    assert.equal(await opened.store.noteTime(start), start)
    assert.equal(await opened.store.noteTime(start - 1), start)
    const noted = await together(10, (i) => opened.store.noteTime(start + i))
    assert.ok(noted.every((latest, i) => latest >= start + i))
    const after = await opened.reopen()
    assert.equal(await after.noteTime(start), start + 9)
    await opened.dispose()
  })

  test('rows of nodes that stopped are swept away, never the latest time', async () => {
    const opened = await open()
    await opened.store.noteTime(start)
    await opened.store.ping()
    const week = storeLimits.nodeSeconds
    assert.equal(await purgeAll(opened.store, start + week - 1), 0)
    const after = await opened.reopen()
    await after.noteTime(start + week)
    await after.ping()
    // On an embedded database there is one node, which goes on with its rows.
    const went = await purgeAll(after, start + week)
    assert.ok([0, 2].includes(went), String(went))
    assert.equal(await purgeAll(after, start + week), 0)
    assert.equal(await after.noteTime(start), start + week)
    await opened.dispose()
  })

  test('a closed store answers what it took, then nothing more', async () => {
    const { store, dispose } = await open()
    const pings = Array.from({ length: 10 }, () => store.ping())
    await Promise.all([store.close(), store.close()])
    await Promise.all(pings)
    const closed = { name: 'StoreFault', reason: 'closed', message: 'the store is closed' }
    await assert.rejects(store.ping(), closed)
    await assert.rejects(store.isEmpty(), closed)
    await dispose()
  })
}
