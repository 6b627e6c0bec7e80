/** The store contract for counters: added up once over nodes, bounded for each period, kept for so long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientId } from '../../../src/model/ids.ts'
import type { CountedThing, CountSpan } from '../../../src/model/metric.ts'
import { recordLimits } from '../../../src/store/limits.ts'
import { countLimits } from '../../../src/store/records/count.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, together } from '../moments.ts'

const day = 86_400
/** Days of their own, so that no other test counts there. */
let today = 2_000 * day
const newDay = (): number => {
  today += 200 * day
  return today
}

const refused = (name: string, count = 1): CountedThing => ({
  kind: 'refusals',
  clientId: '',
  name,
  count,
})

const stepOf = (clientId: string, count = 1, kind: 'funnel' | 'guests' = 'funnel') => ({
  kind,
  clientId,
  name: 'authorize',
  count,
})

export const countContract = (store: () => Store): void => {
  const add = (at: number, counts: readonly CountedThing[], collector = next('node'), turn = 1) =>
    store().addCounts({ collector, turn, at, counts })

  const list = (
    span: CountSpan,
    from: number,
    kinds: readonly CountedThing['kind'][] = ['refusals'],
    clientId: string | null = null,
  ) => store().listCounts({ span, kinds, clientId }, from)

  test('counts of a moment are those of its minute, hour and day (UTC)', async () => {
    const at = newDay()
    await add(at + 3 * 3600 + 61, [refused('one', 2)])
    await add(at + 3 * 3600 + 119, [refused('one', 3), refused('other')])
    await add(at + 3 * 3600 + 120, [refused('one')])
    await add(at + 4 * 3600, [refused('one')])
    const counts = async (span: CountSpan) =>
      (await list(span, at)).map((one) => [one.at - at, one.name, one.count])
    assert.deepEqual(await counts('minute'), [
      [10_860, 'one', 5],
      [10_860, 'other', 1],
      [10_920, 'one', 1],
      [14_400, 'one', 1],
    ])
    assert.deepEqual(await counts('hour'), [
      [10_800, 'one', 6],
      [10_800, 'other', 1],
      [14_400, 'one', 1],
    ])
    assert.deepEqual(await counts('day'), [
      [0, 'one', 7],
      [0, 'other', 1],
    ])
    assert.deepEqual(await list('minute', at + 14_401), [])
  })

  test('many nodes at once lose nothing, and a batch sent again changes nothing', async () => {
    const at = newDay()
    const names = Array.from({ length: 60 }, (_, i) => `reason_${i}`)
    await together(8, (i) => {
      const counts = (i % 2 === 0 ? names : names.toReversed()).map((name) => refused(name))
      return add(at, counts, `node ${at} ${i}`)
    })
    await add(at, [refused('reason_0', 100)], `node ${at} 0`)
    await add(at, [refused('reason_0', 1)], `node ${at} 0`, 2)
    const counts = await list('day', at)
    assert.deepEqual(
      new Map(counts.map(({ name, count }) => [name, count])),
      new Map(names.map((name) => [name, name === 'reason_0' ? 9 : 8])),
    )
  })

  test('clients beyond the limit of a period are added up, the rarest ones', async () => {
    const at = newDay()
    const clients = Array.from({ length: countLimits.clients.funnel + 20 }, (_, i) => `app-${i}`)
    await add(
      at,
      clients.map((id, i) => stepOf(id, i + 1)),
    )
    await add(at, [stepOf('late', 50), stepOf('app-119'), stepOf('*', 4)])
    const found = new Map(
      (await list('hour', at, ['funnel'])).map(({ clientId, count }) => [clientId, count]),
    )
    assert.equal(found.size, countLimits.clients.funnel + 1)
    assert.equal(found.get('app-119'), 121)
    assert.equal(found.get('app-20'), 21)
    assert.equal(found.get('app-19'), undefined)
    assert.equal(found.get('*'), 210 + 54)
    const guests = Array.from({ length: 90 }, (_, i) => stepOf(`guest-${i}`, 1, 'guests'))
    await add(at, guests)
    const strangers = await list('hour', at, ['guests'])
    assert.equal(strangers.length, countLimits.clients.guests + 1)
    assert.equal(strangers.find(({ clientId }) => clientId === '*')?.count, 40)
  })

  test('the steps of one client are found by it', async () => {
    const at = newDay()
    await add(at, [stepOf('one', 3), { ...stepOf('one'), name: 'token' }, stepOf('two')])
    assert.deepEqual(await list('minute', at, ['funnel', 'guests'], 'one'), [
      { at, ...stepOf('one', 3) },
      { at, ...stepOf('one'), name: 'token' },
    ])
  })

  test('rules that clients broke are summed by day, each with its last day', async () => {
    const at = newDay()
    const lax = (clientId: string, name: string, count = 1): CountedThing => ({
      ...{ kind: 'lax', clientId, name, count },
    })
    await add(at + 3600, [lax('one', 'weak_client', 2), lax('one', 'missing_pkce')])
    await add(at + 2 * day, [lax('one', 'weak_client', 3), lax('two', 'weak_client')])
    await add(at + 3 * day, [lax('one', 'missing_pkce'), { ...lax('two', 'x'), kind: 'laxGuests' }])
    const sums = (clientId: string | null, from: number) =>
      store().listDailySums(['lax'], clientId, from)
    const sum = (days: number, clientId: string, name: string, count: number) => ({
      ...{ at: at + days * day, kind: 'lax' as const, clientId, name, count },
    })
    assert.deepEqual(await sums(null, at), [
      sum(3, 'one', 'missing_pkce', 2),
      sum(2, 'one', 'weak_client', 5),
      sum(2, 'two', 'weak_client', 1),
    ])
    assert.deepEqual(await sums('two', at), [sum(2, 'two', 'weak_client', 1)])
    assert.deepEqual(await sums('one', at + 1), [
      sum(3, 'one', 'missing_pkce', 1),
      sum(2, 'one', 'weak_client', 3),
    ])
    assert.deepEqual(await list('hour', at, ['lax', 'laxGuests']), [])
    const purge = async (now: number) => {
      while ((await store().purge(now, { events: 0, accessLog: 0 }, 1000)) > 0);
    }
    await purge(at + 2 * day + recordLimits.laxSeconds)
    assert.deepEqual(await sums(null, at), [sum(3, 'one', 'missing_pkce', 1)])
    await purge(at + 3 * day + recordLimits.laxSeconds)
    assert.deepEqual(await sums(null, at), [])
  })

  test('acts of a client are told by day over all nodes, each with its last time, for 31 days', async () => {
    const at = newDay()
    const act = (
      name: string,
      count: number,
      kind: 'acts' | 'namedActs' | 'actGuests' = 'acts',
    ) => ({
      ...{ kind, clientId: 'doer', name, count },
    })
    const now = at + 30 * day
    await together(4, (i) => add(now + i, [act('token', 2)]))
    await add(now + 1, [act('named x', 1, 'actGuests'), { ...act('token', 9), clientId: 'other' }])
    await add(now, [act('named x', 1, 'namedActs')])
    await add(at - 1, [act('use', 1)])
    await add(at + 7, [act('use', 1)])
    const acts = await store().listActs('doer' as ClientId, now + day - 1)
    assert.deepEqual(acts, [
      { at, name: 'use', count: 1, lastAt: at + 7 },
      { at: now, name: 'named x', count: 2, lastAt: now + 1 },
      { at: now, name: 'token', count: 8, lastAt: now + 3 },
    ])
    assert.deepEqual(await list('hour', at, ['acts', 'namedActs', 'actGuests'], 'doer'), [])
  })

  test('periods are purged, each after its time', async () => {
    const at = newDay()
    await add(at, [refused('old')])
    const left = async () => {
      const spans = ['minute', 'hour', 'day'] as const
      const found = await Promise.all(spans.map((span) => list(span, at)))
      return found.map(({ length }) => length)
    }
    const { minute, hour, day: days } = recordLimits.countSpans
    const before = { events: 0, accessLog: 0 }
    const purge = async (now: number) => {
      while ((await store().purge(now, before, 1000)) > 0);
    }
    assert.deepEqual(await left(), [1, 1, 1])
    await purge(at + minute.keepSeconds - 1)
    assert.deepEqual(await left(), [1, 1, 1])
    await purge(at + minute.keepSeconds)
    assert.deepEqual(await left(), [0, 1, 1])
    await purge(at + hour.keepSeconds)
    assert.deepEqual(await left(), [0, 0, 1])
    await purge(at + days.keepSeconds)
    assert.deepEqual(await left(), [0, 0, 0])
  })
}
