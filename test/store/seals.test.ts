/** Sealed events (decision 110): a change by SQL is found and named, and a change by the service is none. */
import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { runVerify } from '../../src/cli/verify/verify.ts'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { createVault } from '../../src/crypto/wrap.ts'
import { findSealKey } from '../../src/events/seals/key.ts'
import { createSealer, sealLimits } from '../../src/events/seals/sealer.ts'
import { type SealQuestion, verifySeals } from '../../src/events/seals/verify.ts'
import type { Event } from '../../src/model/event.ts'
import { createId, type Digest, type EventId, type OwnerId } from '../../src/model/ids.ts'
import { recordLimits } from '../../src/store/limits.ts'
import { openPostgresStore, openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { backUp } from '../../src/store/transfer/dump.ts'
import { newPath } from './folder.ts'
import { trace } from './moments.ts'
import { findPostgres } from './postgres.ts'
import { sampleClient, sampleOwner } from './sample.ts'

const secret = 'the root secret of sealed events'
const vault = createVault({ inForce: () => secret, known: [secret] }, random)
const hour = sealLimits.segmentSeconds
const begin = 500_000 * hour
const settings = { eventSeconds: 400 * 86_400 }

const idAt = (at: number): EventId => createId(at * 1000, random(10)) as EventId

const eventAt = (at: number, more: Partial<Event> = {}): Event => ({
  ...{ id: idAt(at), at, type: 'login.succeeded', clientId: null, ownerId: null },
  ...{ authorizationId: null, requestId: null, actor: { type: 'service' }, details: { n: at } },
  ...more,
})

const seal = (store: Store, at: number) =>
  createSealer({ store, settings, tell: () => {} }, vault).sealDue(at)

const sealAll = async (store: Store, at: number): Promise<void> => {
  while ((await seal(store, at)) === 'more');
}

const verify = async (store: Store, now: number, asked: Partial<SealQuestion> = {}) => {
  const key = await findSealKey(store, vault)
  const parts = { store, settings, key, now, isClient: async () => false }
  return verifySeals({ after: null, from: null, to: null, expected: null, ...asked }, parts)
}

/** Three hours with three events each, and one that is not sealed yet. */
const events = [0, 1, 2].flatMap((number) =>
  [10, 20, 30].map((second) => eventAt(begin + number * hour + second)),
)
const tail = eventAt(begin + 3 * hour + 10)
const end = begin + 3 * hour + sealLimits.settleSeconds

const [first = tail, second = tail, third = tail, , middle = tail] = events
const other = idAt(begin + 15)
const inserted = (id: string, place = '0') =>
  `insert into events (id, at, type, client_id, owner_id, authorization_id, request_id, details, actor, operator, place)
   select '${id}', at, type, client_id, owner_id, authorization_id, request_id, details, actor, operator, ${place} from events where id = '${first.id}'`

/** What SQL does, and the findings: a problem with its event, or with its seals. */
const tampers: readonly (readonly [sql: string, findings: readonly string[]])[] = [
  ...[
    ...['at = at + 1', "type = 'login.failed'", "client_id = 'other'", "owner_id = 'other'"],
    ...["authorization_id = 'other'", "request_id = 'other'", "operator = 'cli:root'"],
    ...["actor = ''", "details = '{}'", `id = '${other}'`],
  ].map((set) => {
    const changed = set.startsWith('id')
      ? [`added ${other}`, `missing ${first.id}`]
      : [`changed ${first.id}`]
    return [`update events set ${set} where id = '${first.id}'`, changed] as const
  }),
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
  ['delete from event_seals where number = 2', ['seal missing 2 2']],
  ['delete from event_seals where number < 3', ['seal missing 1 2']],
  ['delete from event_seals', ['seal missing 1 ']],
  ["delete from event_seals; delete from facts where id = 'event seals'", ['seal missing 1 ']],
  ["update event_seals set entries = '[]' where number = 2", ['seal changed 2 ']],
  ["update event_seals set statement = 'a.b.c' where number = 2", ['signature 2 ', 'order 3 ']],
  [
    'update event_seals set statement = (select s.statement from event_seals s where s.number = 1) where number = 2',
    ['seal changed 2 ', 'order 3 '],
  ],
  ["delete from facts where id = 'event seals'", ['signature 1 ', 'signature 2 ', 'signature 3 ']],
]

const findingsOf = async (store: Store): Promise<readonly string[]> => {
  const { findings } = await verify(store, end)
  return findings
    .map(({ problem, seal, lastSeal, event }) =>
      event === undefined ? `${problem} ${seal} ${lastSeal ?? ''}` : `${problem} ${event}`,
    )
    .sort()
}

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

const newSqlite = async (t: TestContext) => {
  const path = newPath(t)
  writeFileSync(`${path}.key`, secret)
  return { path, url: `sqlite:${path}`, store: await openSqliteStore({ path }) }
}

test('on SQLite, whatever was done to sealed events is found', async (t) => {
  const { path, store } = await newSqlite(t)
  await fill(store, store)
  await store.close()
  for (const [sql, expected] of tampers) {
    const copy = newPath(t)
    cpSync(path, copy)
    const database = new DatabaseSync(copy)
    database.exec(sql)
    database.close()
    const opened = await openSqliteStore({ path: copy })
    assert.deepEqual(await findingsOf(opened), expected.toSorted(), sql)
    await opened.close()
  }
})

test('on PostgreSQL, two nodes seal at once, and a late event is not taken for a forged one', async (t) => {
  const postgres = await findPostgres()
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
  assert.deepEqual(await findingsOf(one), expected)
})

/** An event that another node wrote hours after its id was made. */
async function assertLate(store: Store): Promise<void> {
  const late = eventAt(begin + 15)
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
  const database = new DatabaseSync(path)
  database.exec(`delete from events where at = ${begin + 15}`)
  database.close()
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
  assert.equal(await store.removeIdleClient(client.id, trace(later)), 'removed')
  const keep = { events: 0, accessLog: 0 }
  for (let turn = 0; turn < 60; turn++) await store.purge(later, keep, 500)
  await sealAll(store, later + 2 * hour)
  const page = await verify(store, later + 2 * hour)
  assert.deepEqual(page.findings, [])
  assert.deepEqual([page.counts.stripped, page.counts.unused], [2, 1])
  const rows = await store.listStoredEvents('', before.until, 10)
  assert.ok(rows.some(({ details }) => details.includes('203.0.113.*')))

  const path = url.slice('sqlite:'.length)
  await backUp(url, `${path}.backup`, later + 2 * hour)
  const flags = { store: url, backup: `${path}.backup` }
  const verified = await runVerify(flags)
  assert.equal(verified.exitCode, 0, verified.text)
  const { hash } = (verified.json as { readonly newest: { readonly hash: string } }).newest
  assert.equal((await runVerify({ ...flags, expect: hash })).exitCode, 0)
  assert.equal((await runVerify({ ...flags, expect: 'A'.repeat(43) })).exitCode, 1)
  await assert.rejects(runVerify({ ...flags, expect: 'short' }), /43 characters/)

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
