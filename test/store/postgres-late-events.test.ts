/** Readers of events beside a transaction that is committed late: nothing is missed or comes twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { fillPlaces } from '../../src/store/records/event/places.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { eventAt } from './contract/webhooks.ts'
import { takePostgres } from './one-postgres.ts'

const insert = fillPlaces(
  `insert into events (id, at, type, client_id, owner_id, authorization_id, request_id, details, actor, operator, place)
   values ($1, $2, 'login.succeeded', null, null, null, null, '{}', '', '', next_place())`,
  'postgres',
)

const begun = 3_000_000_000

const take = async (store: Store, after: string | null, limit = 100) => {
  const page = await store.listCommittedEvents({}, after, limit)
  if (page === 'unknown_position') assert.fail(page)
  return { ids: page.rows.map(({ id }) => id), next: page.next }
}

/** Takes and finishes all due deliveries. */
const deliver = async (store: Store, at: number): Promise<readonly string[]> => {
  await store.queueWebhookEvents('hook', null, at)
  const due = await store.claimWebhookDeliveries('hook', 1000, at + 60, at)
  for (const { webhook, tries, event } of due) {
    await store.finishWebhookDelivery({ webhook, tries, eventId: event.id })
  }
  return due.map(({ event }) => event.id)
}

test('events of transactions that are committed late', async (t) => {
  const postgres = await takePostgres()
  if (postgres === null) return t.skip('no PostgreSQL here')
  const url = await postgres.newDatabase()
  const store = await openPostgresStore({ url, random })
  const connections = [new Client({ connectionString: url }), new Client({ connectionString: url })]
  await Promise.all(connections.map((one) => one.connect()))
  t.after(async () => {
    await Promise.all(connections.map((one) => one.end()))
    await store.close()
    await postgres.stop()
  })
  const [one, two] = connections
  assert.ok(one !== undefined && two !== undefined)

  await t.test('come once, hours after their time, while others came before', async () => {
    await deliver(store, begun)
    const { next } = await take(store, null)
    const late = eventAt(begun + 1)
    await one.query('begin')
    await one.query(insert, [late.id, late.at])
    const others = [eventAt(begun + 2), eventAt(begun + 3)]
    for (const event of others) await store.appendEvent(event)
    const ids = others.map(({ id }) => id)
    const first = await take(store, next)
    assert.deepEqual(first.ids, ids)
    assert.deepEqual(await deliver(store, begun + 10), ids)
    assert.deepEqual(await deliver(store, begun + 9000), [])
    await one.query('commit')
    const second = await take(store, first.next)
    assert.deepEqual(second.ids, [late.id])
    assert.deepEqual((await take(store, second.next)).ids, [])
    assert.deepEqual(await deliver(store, begun + 9001), [late.id])
    assert.deepEqual(await deliver(store, begun + 20_000), [])
  })

  await t.test('in pages of one, with two open at once and one undone', async () => {
    let { next } = await take(store, null)
    const [first, undone, last, between] = [4, 5, 6, 7].map((i) => eventAt(begun + i))
    assert.ok(first && undone && last && between)
    const came: string[] = []
    const read = async (pages: number): Promise<void> => {
      for (let page = 0; page < pages; page++) {
        const found = await take(store, next, 1)
        came.push(...found.ids)
        next = found.next
      }
    }
    await one.query('begin')
    await one.query(insert, [first.id, first.at])
    await store.appendEvent(between)
    await two.query('begin')
    await two.query(insert, [undone.id, undone.at])
    await read(3)
    await store.appendEvent(last)
    await two.query('rollback')
    await one.query('commit')
    await read(4)
    assert.deepEqual(came, [between.id, first.id, last.id])
  })

  await t.test('events of a dump into a new cluster are not new there', async () => {
    // As if the dump came from a cluster with many more transactions.
    const ahead = eventAt(begun + 20)
    await store.appendEvent(ahead)
    await one.query(
      `update events set place = 20 + cast(cast(pg_current_xact_id() as text) as bigint)
       where id = $1`,
      [ahead.id],
    )
    const reopened = await openPostgresStore({ url, random })
    const { next } = await take(reopened, null)
    const events = Array.from({ length: 40 }, (_, i) => eventAt(begun + 21 + i))
    for (const event of events) await reopened.appendEvent(event)
    assert.deepEqual(
      (await take(reopened, next)).ids,
      events.map(({ id }) => id),
    )
    await reopened.close()
  })

  await t.test(
    'a backlog of a webhook is queued in pieces beside an open transaction',
    async () => {
      await deliver(store, begun + 30_000)
      const late = eventAt(begun + 8)
      await one.query('begin')
      await one.query(insert, [late.id, late.at])
      const events = Array.from({ length: 700 }, () => eventAt(begun + 9))
      await Promise.all(events.map((event) => store.appendEvent(event)))
      const came = new Map<string, number>()
      const note = async (at: number): Promise<void> => {
        for (const id of await deliver(store, at)) came.set(id, (came.get(id) ?? 0) + 1)
      }
      await note(begun + 30_001)
      await one.query('commit')
      for (let turn = 2; turn < 8; turn++) await note(begun + 30_000 + turn * 1000)
      assert.deepEqual(
        [...came.keys()].toSorted(),
        [late, ...events].map(({ id }) => id).toSorted(),
      )
      assert.deepEqual(new Set(came.values()), new Set([1]))
    },
  )
})
