/** The store contract for uses: added up once, seen by their owner alone, kept for so long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthorizationId, OwnerId } from '../../../src/model/ids.ts'
import type { NotedUse, Use } from '../../../src/model/use.ts'
import type { UsesOf } from '../../../src/store/contract/event.ts'
import { storeLimits } from '../../../src/store/limits.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Open } from '../contract.ts'
import { next, nextOwned, start, together, trace } from '../moments.ts'
import { settle } from '../settle.ts'

const day = 86_400

export const sampleUse = (
  authorizationId: AuthorizationId,
  change: Partial<NotedUse> = {},
): NotedUse => ({
  authorizationId,
  used: 'photos:read',
  allowed: true,
  network: '192.0.2.*',
  uses: 1,
  lastAt: start,
  ...change,
})

const settleUses = async (store: Store): Promise<UsesOf> => {
  const { authorization } = await settle(store)
  return { authorizationId: authorization.id, ownerId: authorization.ownerId }
}

/** Writes uses as a collector of its own. */
const record = (store: Store, uses: readonly NotedUse[], collector = next('collector'), turn = 1) =>
  store.recordUses({ collector, turn, uses })

/** As long as the access log is kept by default. */
const kept = 31

const listAll = async (store: Store, of: UsesOf, now = start, limit = 7): Promise<Use[]> => {
  const all: Use[] = []
  for (let before: string | null = null; ; ) {
    const page = await store.listUses(of, kept, before, limit, now)
    all.push(...page.rows)
    if (page.next === null) return all
    before = page.next
  }
}

export const useContract = (store: () => Store): void => {
  test('a later use never gives way to an earlier, and what was refused is no use', async () => {
    const { authorizationId: id, ownerId } = await settleUses(store())
    const lastUse = async () =>
      (await store().listAuthorizations({ id }, null, 1, start)).rows[0]?.lastUsedAt
    assert.equal(await lastUse(), null)
    await record(store(), [sampleUse(id, { lastAt: start + 5 })])
    const gone = nextOwned<AuthorizationId>('authorization', ownerId)
    await record(store(), [sampleUse(id, { lastAt: start + 3 }), sampleUse(gone)])
    assert.equal(await lastUse(), start + 5)
    await record(store(), [sampleUse(id, { lastAt: start + 9, allowed: false })])
    assert.equal(await lastUse(), start + 5)
    await record(store(), [sampleUse(id, { lastAt: start + 6 })])
    assert.equal(await lastUse(), start + 6)
    await record(store(), [sampleUse(id, { lastAt: start + day + 5 })])
    await record(store(), [sampleUse(id, { lastAt: start + 9 })])
    assert.equal(await lastUse(), start + day + 5)
    await record(store(), [sampleUse(id, { lastAt: start + day + 7 })])
    assert.equal(await lastUse(), start + day + 7)
    await record(store(), [sampleUse(id, { lastAt: start + 2 * day, allowed: false })])
    assert.equal(await lastUse(), start + day + 7)
  })

  test('what is alike within a minute is one entry, whoever collected it', async () => {
    const of = await settleUses(store())
    const minute = Math.ceil(start / 60)
    const at = (seconds: number): number => minute * 60 + seconds
    const one = (seconds: number, change: Partial<NotedUse> = {}) =>
      sampleUse(of.authorizationId, { lastAt: at(seconds), ...change })
    await together(3, (i) => record(store(), [one(50 - i), one(10 + i, { uses: 5 })]))
    await record(store(), [one(60)])
    const entry = { resource: 'photos', action: 'read', allowed: true, network: '192.0.2.*' }
    assert.deepEqual(await listAll(store(), of, at(60)), [
      { ...entry, minute: minute + 1, minutes: 1, uses: 1, lastAt: at(60) },
      { ...entry, minute, minutes: 1, uses: 18, lastAt: at(50) },
    ])
  })

  test('what is not alike is apart: resource, action, outcome, network and item', async () => {
    const of = await settleUses(store())
    const changes: readonly Partial<NotedUse>[] = [
      {},
      { used: 'photos:write' },
      { used: 'contacts:read' },
      { used: 'an api: with <signs>:check', network: '' },
      { allowed: false },
      { network: '2001:db8:1:*' },
      { target: 'lake-1' },
      { target: 'lake-2' },
    ]
    await record(
      store(),
      changes.map((change, i) => sampleUse(of.authorizationId, { ...change, uses: i + 1 })),
    )
    const found = await listAll(store(), of)
    const told = found.map(({ resource, action, allowed, network, target = '', uses }) =>
      [uses, resource, action, allowed, network, target].join(' ').trimEnd(),
    )
    assert.deepEqual(told.sort(), [
      '1 photos read true 192.0.2.*',
      '2 photos write true 192.0.2.*',
      '3 contacts read true 192.0.2.*',
      '4 an api: with <signs> check true',
      '5 photos read false 192.0.2.*',
      '6 photos read true 2001:db8:1:*',
      '7 photos read true 192.0.2.* lake-1',
      '8 photos read true 192.0.2.* lake-2',
    ])
    const [today, ...earlier] = await store().countUses(of, 30, start)
    assert.deepEqual(earlier, [])
    const expected = { day: Math.floor(start / day), reads: 25, writes: 2, checks: 4, refused: 5 }
    assert.deepEqual(today, expected)
  })

  test('a batch that comes again changes nothing, nor does one that was overtaken', async () => {
    const of = await settleUses(store())
    const collector = next('collector')
    const write = (turn: number) =>
      record(store(), [sampleUse(of.authorizationId)], collector, turn)
    for (const turn of [5, 5, 4, 9, 9]) await write(turn)
    assert.equal((await store().countUses(of, 1, start))[0]?.reads, 2)
    assert.equal((await listAll(store(), of))[0]?.uses, 2)
  })

  test('many at once are all there, newest first, page by page', async () => {
    const of = await settleUses(store())
    const uses = Array.from({ length: 300 }, (_, i) =>
      sampleUse(of.authorizationId, { lastAt: start - i * 1500, uses: i + 1 }),
    )
    await record(store(), uses)
    const found = await listAll(store(), of)
    assert.deepEqual(
      found.map(({ uses, lastAt, minutes }) => [uses, lastAt, minutes]),
      uses.map(({ uses, lastAt }) => [uses, lastAt, 1]),
    )
    const counted = await store().countUses(of, 30, start)
    assert.deepEqual(
      counted.map(({ day }) => day),
      [...new Set(uses.map(({ lastAt }) => Math.floor(lastAt / day)))],
    )
    assert.equal(
      counted.reduce((sum, { reads }) => sum + reads, 0),
      (300 * 301) / 2,
    )
  })

  test('a busy day has few lines, and each use is in one of them', async () => {
    const of = await settleUses(store())
    const midnight = Math.ceil(start / day) * day
    const minutes = 24 * 60
    const perBatch = 60
    for (let minute = 0; minute < minutes; minute += perBatch) {
      const uses = Array.from({ length: perBatch }, (_, i) =>
        sampleUse(of.authorizationId, { lastAt: midnight + (minute + i) * 60 + 7, uses: 2 }),
      )
      await record(store(), uses)
    }
    const now = midnight + day - 1
    const found = await listAll(store(), of, now)
    assert.equal(
      found.reduce((sum, { uses }) => sum + uses, 0),
      2 * minutes,
    )
    assert.ok(found.length < 100, `${found.length} lines`)
    const [latest] = found
    assert.deepEqual(
      [latest?.minutes, latest?.lastAt, found.at(-1)?.minutes],
      [1, midnight + (minutes - 1) * 60 + 7, 60],
    )
    for (const { minute, minutes, lastAt } of found) {
      assert.equal(minute % minutes, 0)
      assert.ok(lastAt >= minute * 60 && lastAt < (minute + minutes) * 60)
    }
    assert.equal((await store().countUses(of, 1, now))[0]?.reads, 2 * minutes)
  })

  test('collectors that write the same days at once lose nothing', async () => {
    const [one, other] = [await settleUses(store()), await settleUses(store())]
    const times = 12
    await together(times, (i) => {
      const uses = [one, other].flatMap(({ authorizationId }) => [
        sampleUse(authorizationId, { lastAt: start + i * 60, uses: 3 }),
        sampleUse(authorizationId, { lastAt: start + day + i * 60, allowed: false }),
      ])
      return record(store(), i % 2 === 0 ? uses : uses.toReversed())
    })
    for (const asked of [one, other]) {
      const counted = await store().countUses(asked, 2, start + day)
      assert.deepEqual(
        counted.map(({ reads, refused }) => [reads, refused]),
        [
          [0, times],
          [3 * times, 0],
        ],
      )
      assert.equal((await listAll(store(), asked, start + day)).length, 2 * times)
    }
  })

  test('nobody but the owner sees them, and for as long again once the authorization has ended', async () => {
    const of = await settleUses(store())
    await record(store(), [sampleUse(of.authorizationId)])
    const seen = async (asked: UsesOf, now = start) => [
      (await listAll(store(), asked, now)).length,
      (await store().countUses(asked, storeLimits.useDays + 1, now)).length,
    ]
    assert.deepEqual(await seen(of), [1, 1])
    const stranger = await settleUses(store())
    assert.deepEqual(await seen({ ...of, ownerId: stranger.ownerId }), [0, 0])
    assert.deepEqual(await seen({ ...of, ownerId: '' as OwnerId }), [0, 0])
    await store().endAuthorization(of.authorizationId, of.ownerId, trace())
    assert.deepEqual(await seen(of), [1, 1])
    assert.deepEqual(await seen({ ...of, ownerId: stranger.ownerId }), [0, 0])
    assert.deepEqual(await seen(of, start + storeLimits.useDays * day - 1), [1, 1])
    assert.deepEqual(await seen(of, start + storeLimits.useDays * day), [0, 0])
  })

  test('lines and counts reach back as many days as are asked for', async () => {
    const of = await settleUses(store())
    const days = [0, 1, kept - 1, kept, 100]
    const uses = days.map((ago) =>
      sampleUse(of.authorizationId, { lastAt: start + 200 * day - ago * day }),
    )
    const now = start + 200 * day
    await record(store(), uses)
    const ages = (await listAll(store(), of, now)).map(({ lastAt }) => (now - lastAt) / day)
    assert.deepEqual(ages, [0, 1, kept - 1])
    for (const [most, expected] of [
      [1, 1],
      [2, 2],
      [kept, 3],
      [400, 5],
    ] as const) {
      assert.equal((await store().countUses(of, most, now)).length, expected)
      assert.equal((await store().listUses(of, most, null, 10, now)).rows.length, expected)
    }
  })

  test('a place that is none is the beginning, or the end', async () => {
    const of = await settleUses(store())
    await record(store(), [sampleUse(of.authorizationId)])
    const found = async (before: string) =>
      (await store().listUses(of, kept, before, 10, start)).rows.length
    assert.equal(await found(''), 1)
    assert.equal(await found("' or 1=1 --"), 1)
    assert.equal(await found('99999 9999'), 1)
    assert.equal(await found('0 '), 0)
  })
}

const purgeAll = async (store: Store, now: number, before = { events: 0, accessLog: 0 }) => {
  let went = 0
  for (;;) {
    const step = await store.purge(now, before, 7)
    assert.ok(step <= 7)
    if (step === 0) return went
    went += step
  }
}

export const useHousekeepingContract = (open: Open): void => {
  test('uses are there after a restart', async () => {
    const opened = await open()
    const of = await settleUses(opened.store)
    await record(opened.store, [sampleUse(of.authorizationId, { uses: 3 })], 'a', 7)
    const [lines, counts] = [
      await listAll(opened.store, of),
      await opened.store.countUses(of, 30, start),
    ]
    const after = await opened.reopen()
    await record(after, [sampleUse(of.authorizationId, { uses: 3 })], 'a', 7)
    assert.deepEqual(await listAll(after, of), lines)
    assert.deepEqual(await after.countUses(of, 30, start), counts)
    assert.equal(counts[0]?.reads, 3)
    await opened.dispose()
  })

  test('days go when they were kept for long enough, and the last use is known all the same', async () => {
    const { store, dispose } = await open()
    const of = await settleUses(store)
    const uses = Array.from({ length: 50 }, (_, i) =>
      sampleUse(of.authorizationId, { lastAt: start + i * day }),
    )
    await record(store, uses)
    await record(store, [sampleUse(of.authorizationId, { lastAt: start + 49 * day + 5 })])
    const now = start + 49 * day
    const days = async () => (await store.countUses(of, 400, now)).length
    // The collectors stopped long ago.
    assert.equal(await purgeAll(store, now, { events: 0, accessLog: start + 10 * day }), 10 + 2)
    assert.equal(await days(), 40)
    assert.equal((await store.listUses(of, 400, null, 100, now)).rows.length, 40)
    const lastUse = async () =>
      (await store.listAuthorizations({ id: of.authorizationId }, null, 1, now)).rows[0]?.lastUsedAt
    assert.equal(await purgeAll(store, now, { events: 0, accessLog: now }), 39)
    assert.deepEqual([await days(), await lastUse()], [1, start + 49 * day + 5])
    assert.equal(await purgeAll(store, now, { events: 0, accessLog: now + day }), 1)
    assert.deepEqual([await days(), await lastUse()], [0, start + 49 * day])
    await dispose()
  })

  test('those of authorizations that ended long ago are swept away', async () => {
    const { store, dispose } = await open()
    const kept = await settleUses(store)
    const ended = await settleUses(store)
    for (const { authorizationId } of [kept, ended]) {
      const uses = Array.from({ length: 40 }, (_, i) =>
        sampleUse(authorizationId, { lastAt: start - i * 6 * 3600 }),
      )
      await record(store, uses, 'a', Number(authorizationId.slice(0, 8)))
    }
    const { length: days } = await store.countUses(kept, 12, start)
    assert.ok(days >= 10)
    assert.equal(await purgeAll(store, start), 1)
    await store.endAuthorization(ended.authorizationId, ended.ownerId, trace())
    const forgotten = start + storeLimits.useDays * day
    assert.equal(await purgeAll(store, start), 0)
    assert.equal(await purgeAll(store, forgotten - 1), 0)
    assert.equal((await store.countUses(ended, 100, forgotten - 1)).length, days)
    assert.equal(await purgeAll(store, forgotten), 1 + days)
    assert.equal((await store.countUses(kept, 100, forgotten)).length, days)
    assert.equal((await store.countUses(ended, 100, start)).length, 0)
    await dispose()
  })
}
