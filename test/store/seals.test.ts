/** Sealed events (decision 110): a change by SQL is found and named, and a change by the service is none. */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { test } from 'node:test'
import { runVerify } from '../../src/cli/verify/verify.ts'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { sealLimits } from '../../src/events/seals/sealer.ts'
import type { Digest, OwnerId } from '../../src/model/ids.ts'
import { recordLimits } from '../../src/store/limits.ts'
import { openPostgresStore, openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { backUp } from '../../src/store/transfer/dump.ts'
import { newPath } from './folder.ts'
import { trace } from './moments.ts'
import { takePostgres } from './one-postgres.ts'
import { sampleClient, sampleOwner } from './sample.ts'
import {
  begin,
  change,
  eventAt,
  findingsOf,
  hour,
  idAt,
  newSqlite,
  sealAll,
  settings,
  verify,
} from './sealed.ts'

/** Three hours with three events each, and one that is not sealed yet. */
const events = [0, 1, 2].flatMap((number) =>
  [10, 20, 30].map((second) => eventAt(begin + number * hour + second)),
)
const tail = eventAt(begin + 3 * hour + 10)
const end = begin + 3 * hour + sealLimits.settleSeconds

const lateAt = begin + 2 * hour + 15

const [first = tail, second = tail, third = tail, , middle = tail] = events
const other = idAt(begin + 15)
const inserted = (id: string, place = '0') =>
  `insert into events (id, at, type, client_id, owner_id, authorization_id, request_id, details, actor, operator, place)
   select '${id}', at, type, client_id, owner_id, authorization_id, request_id, details, actor, operator, ${place} from events where id = '${first.id}'`

/** What SQL does, and the findings: a problem with its event, or with its seals. */
const tampers: readonly (readonly [sql: string, findings: readonly string[]])[] = [
  // Each member of an event, each in another event.
  [
    [
      ...['at = at + 1', "type = 'login.failed'", "client_id = 'other'", "owner_id = 'other'"],
      ...["authorization_id = 'other'", "request_id = 'other'", "operator = 'cli:root'"],
      ...["actor = ''", "details = '{}'"],
    ]
      .map((set, index) => `update events set ${set} where id = '${events[index]?.id}'`)
      .join(';'),
    events.map(({ id }) => `changed ${id}`),
  ],
  [
    `update events set id = '${other}' where id = '${first.id}'`,
    [`added ${other}`, `missing ${first.id}`],
  ],
  [`delete from events where id = '${middle.id}'`, [`missing ${middle.id}`]],
  [`delete from events`, events.map(({ id }) => `missing ${id}`)],
  [inserted(other), [`added ${other}`]],
  [
    `update events set details = case id
       when '${second.id}' then '${JSON.stringify(third.details)}' else '${JSON.stringify(second.details)}' end
     where id in ('${second.id}', '${third.id}')`,
    [`changed ${second.id}`, `changed ${third.id}`],
  ],
  [inserted('zzz'), ['future zzz']],
  [inserted('~x'), ['future ~x']],
  [inserted(''), ['form ']],
  [inserted('!x'), ['added !x', 'form !x']],
  // Damaged rows are findings, and no faults.
  ["update events set at = 'x' where id = (select min(id) from events)", [`changed ${first.id}`]],
  ["update event_seals set entries = 'x', late = 1 where number = 2", ['seal changed 2 ']],
  ["update event_seals set late = 'x' where number = 2", ['seal changed 2 ']],
  [
    "update event_seals set until = 'zzz', position = '1.2.x' where number = 3",
    ['seal changed 3 '],
  ],
  ['delete from event_seals where number = 2', ['seal missing 2 2']],
  ['delete from event_seals where number < 3', ['seal missing 1 2']],
  ['delete from event_seals', ['seal missing 1 ']],
  ["delete from event_seals; delete from facts where id = 'event seals'", ['never sealed null ']],
  ["update event_seals set entries = '[]' where number = 2", ['seal changed 2 ']],
  ["update event_seals set statement = 'a.b.c' where number = 2", ['signature 2 ', 'order 3 ']],
  [
    'update event_seals set statement = (select s.statement from event_seals s where s.number = 1) where number = 2',
    ['seal changed 2 ', 'order 3 '],
  ],
  ["delete from facts where id = 'event seals'", ['signature 1 3']],
]

/** Two nodes seal at once, and each hour has one seal. */
const fill = async (one: Store, two: Store): Promise<void> => {
  for (const event of [...events, tail]) await one.appendEvent(event)
  await Promise.all([sealAll(one, end), sealAll(two, end)])
  await sealAll(one, end)
  const seals = await one.listSeals(0, 10)
  assert.deepEqual(
    seals.map(({ number }) => number),
    [1, 2, 3],
  )
  const page = await verify(two, end)
  assert.deepEqual(page.findings, [])
  assert.deepEqual([page.counts.seals, page.counts.events, page.counts.late], [3, 9, 0])
}

test('on SQLite, whatever was done to sealed events is found', async (t) => {
  const { path, store } = await newSqlite(t)
  await fill(store, store)
  await store.close()
  for (const [sql, expected] of tampers) {
    const copy = newPath(t)
    cpSync(path, copy)
    change(copy, sql)
    const opened = await openSqliteStore({ path: copy })
    assert.deepEqual(await findingsOf(opened, end), expected.toSorted(), sql)
    await opened.close()
  }
})

test('on PostgreSQL, two nodes seal at once, and a late event is not taken for a forged one', async (t) => {
  const postgres = await takePostgres()
  if (postgres === null) return t.skip('no PostgreSQL here')
  const url = await postgres.newDatabase()
  const [one, two] = [
    await openPostgresStore({ url, random }),
    await openPostgresStore({ url, random }),
  ]
  t.after(async () => {
    await Promise.all([one.close(), two.close()])
    await postgres.stop()
  })
  await fill(one, two)
  await assertLate(one)
  const [sql, expected] = tampers[0] ?? assert.fail()
  await postgres.askIn(url, sql)
  assert.deepEqual(await findingsOf(one, end + hour), expected)
})

/** An event that another node wrote long after its id was made. */
async function assertLate(store: Store): Promise<void> {
  const late = eventAt(lateAt)
  await store.appendEvent(late)
  assert.deepEqual((await verify(store, end)).findings, [])
  await sealAll(store, end + hour)
  const { findings, counts } = await verify(store, end + hour)
  assert.deepEqual([findings, counts.late, counts.events], [[], 1, 11])
}

test('a late event is sealed with the next hour, and found there', async (t) => {
  const { path, url, store } = await newSqlite(t)
  await fill(store, store)
  await assertLate(store)
  const { statement } = (await store.findLastSeal()) ?? assert.fail()
  await store.close()
  change(path, `delete from events where at = ${lateAt}`)
  const told = await runVerify({ store: url })
  assert.equal(told.exitCode, 1)
  assert.match(told.text, /seal 4, event \w{26}: an event is missing that was sealed/)
  assert.ok(statement.startsWith('eyJ'))
})

test('what the service does to sealed events is no finding', async (t) => {
  const { url, store } = await newSqlite(t)
  const owner = sampleOwner()
  const ownerId = owner.id as OwnerId
  const registrationDigest = 'digest-of-the-token' as Digest
  const client = sampleClient({ registeredBy: 'itself', registrationDigest })
  const quota = { perWindow: [], share: null, mostInTotal: 5 }
  await store.registerClient(client, quota, { ...trace(begin), eventId: idAt(begin + 3) })
  await store.createOwner(owner, { ...trace(begin), eventId: idAt(begin) })
  const tried = eventAt(begin + 1, {
    ...{ type: 'login.failed', details: { address: '203.0.113.7', user: 'somebody' } },
  })
  const own = eventAt(begin + 2, {
    ...{ ownerId, details: { name: 'Keyring of Ada' } },
    actor: { type: 'owner', ownerId, network: '203.0.113.*' },
  })
  const byOperator = eventAt(begin + 4, {
    ...{ type: 'client.changed', clientId: client.id },
    actor: { type: 'cli', user: 'root' },
  })
  for (const event of [tried, own, byOperator]) await store.appendEvent(event)
  await sealAll(store, begin + 2 * hour)
  const before = (await store.findLastSeal()) ?? assert.fail()

  const later = begin + recordLimits.addressSeconds + hour
  await store.deleteOwner(ownerId, { ...trace(later), eventId: idAt(later) })
  const by = { ...trace(later), eventId: idAt(later + 1) }
  assert.equal(await store.removeIdleClient(client.id, by), 'removed')
  const keep = { events: 0, accessLog: 0 }
  for (let turn = 0; turn < 60; turn++) await store.purge(later, keep, 500)
  await sealAll(store, later + 2 * hour)
  const page = await verify(store, later + 2 * hour)
  assert.deepEqual(page.findings, [])
  assert.deepEqual([page.counts.stripped, page.counts.unused], [2, 1])
  assert.equal(page.delayed?.first, 2)
  const rows = await store.listStoredEvents('', before.until, 10)
  assert.ok(rows.some(({ details }) => details.includes('203.0.113.*')))

  const path = url.slice('sqlite:'.length)
  await backUp(url, `${path}.backup`, later + 2 * hour)
  const flags = { store: url, backup: `${path}.backup` }
  const verified = await runVerify(flags)
  assert.equal(verified.exitCode, 0, verified.text)
  const [expect = ''] = /\d+:[\w-]{43}/.exec(verified.text) ?? []
  // The range decides nothing here.
  assert.equal((await runVerify({ ...flags, expect, to: String(begin + hour) })).exitCode, 0)
  assert.equal((await runVerify({ ...flags, expect: `1${expect}` })).exitCode, 1)
  const empty = await runVerify({ ...flags, from: String(later + 3 * hour) })
  assert.deepEqual(
    [empty.exitCode, /Whole|nothing of this/.exec(empty.text)?.[0]],
    [1, 'nothing of this'],
  )
  await assert.rejects(runVerify({ ...flags, expect: 'A'.repeat(43) }), /480:/)

  const over = later + settings.eventSeconds
  for (let turn = 0; turn < 60; turn++) {
    await store.purge(over, { events: over - settings.eventSeconds, accessLog: 0 }, 500)
  }
  await sealAll(store, over)
  const left = await verify(store, over)
  assert.deepEqual(left.findings, [])
  assert.ok(((await store.listSeals(0, 1))[0]?.number ?? 0) > 1)
  await store.close()
})
