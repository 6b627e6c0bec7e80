/** Setting up many machines, without asking one: the cluster, the way to its coordinator, and the place of a row. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkWorkers } from '../../../src/cli/doctor/store.ts'
import { deriveShardKey } from '../../../src/crypto/shard-keys.ts'
import { watchWorkers } from '../../../src/events/workers.ts'
import type { OwnerId } from '../../../src/model/ids.ts'
import type { Notice } from '../../../src/model/notice.ts'
import { findClusterFault } from '../../../src/store/engines/citus/cluster.ts'
import { findCoordinator } from '../../../src/store/engines/citus/coordinator.ts'
import { findUnfit } from '../../../src/store/engines/citus/migrations.ts'
import { findNearUrl } from '../../../src/store/engines/citus/near-lines.ts'
import { placeRow } from '../../../src/store/engines/citus/placed-row.ts'
import { writeSchema } from '../../../src/store/engines/citus/schema.ts'
import { findLossyWorker } from '../../../src/store/engines/citus/workers.ts'
import { encodeChosen } from '../../../src/store/records/authorization/authorization-row.ts'
import { listMigrations } from '../../../src/store/schema/migrate.ts'
import type { Store } from '../../../src/store/store.ts'
import { listAway } from '../../../src/store/workers.ts'
import { shardKeys } from '../../store/moments.ts'

const coordinator = { host: '10.0.0.1', port: 5433 }
const cluster = { version: '13.2-1', isWorker: false, coordinator, workers: 2 }

describe('a cluster of Citus', () => {
  test('fits from version 12 on, with a named coordinator and a worker', () => {
    const faults = [
      cluster,
      { ...cluster, version: '12.0-1' },
      { ...cluster, version: '11.3-2' },
      { ...cluster, version: 'unknown' },
      { ...cluster, coordinator: null },
      { ...cluster, workers: 0 },
    ].map(findClusterFault)
    assert.deepEqual(faults, [
      null,
      null,
      'has Citus 11.3-2, expected 12 or later',
      'has Citus unknown, expected 12 or later',
      "has Citus, and its coordinator has no name; run there: select citus_set_coordinator_host('HOST', PORT)",
      "has Citus without a worker; run at its coordinator: select citus_add_node('HOST', PORT), or drop the extension to stay on one machine",
    ])
  })

  test('keeps on each worker what the worker acknowledged', () => {
    const worker = (port: number, settings: object) => ({
      ...{ host: '10.0.0.2', port },
      result: JSON.stringify({ fsync: 'on', synchronous_commit: 'on', ...settings }),
    })
    const good = worker(1, { full_page_writes: 'on' })
    const away = worker(2, { synchronous_commit: 'remote_apply' })
    assert.equal(findLossyWorker([good, away]), null)
    assert.equal(findLossyWorker([]), null)
    const lossy = [{ fsync: 'off' }, { full_page_writes: 'off' }, { synchronous_commit: 'local' }]
    assert.deepEqual(
      lossy.map((settings) => findLossyWorker([good, worker(3, settings)])),
      ['fsync = off', 'full_page_writes = off', 'synchronous_commit = local'].map(
        (found) =>
          `has a worker, 10.0.0.2:3, that has ${found}, expected on: what it says it has kept, it could lose`,
      ),
    )
  })

  test('knows each table, so that its transactions have a part in every one', () => {
    for (const { statements } of listMigrations(0)) {
      for (const sql of statements.filter((one) => one.startsWith('create table'))) {
        const [, name = ''] = /^create table (\w+)/.exec(sql) ?? []
        const known = writeSchema(sql).filter(
          (one) => /^select c\w+\('(\w+)'/.exec(one)?.[1] === name,
        )
        assert.equal(known.length, 1, sql)
      }
    }
    const column = ' add column x text'
    assert.deepEqual(writeSchema(`alter table events${column}`), [
      `alter table events${column}`,
      `alter table if exists event_outbox${column}`,
    ])
    const together =
      'create table endings (id text not null, at bigint not null, primary key (id, at))'
    assert.equal(
      writeSchema(together)[0]?.replaceAll(/\s+/g, ' '),
      'create table endings ( shard_key integer not null, id text not null, at bigint not null, primary key (shard_key, id, at) )',
    )
  })

  test('leads from a worker to its coordinator, with everything else of the URL', () => {
    const worker = { isWorker: true, coordinator }
    const find = (url: string, of: Parameters<typeof findCoordinator>[1] = worker) =>
      findCoordinator(url, of)
    assert.equal(find('postgres://w/db', null), null)
    assert.equal(find('postgres://w/db', cluster), null)
    assert.equal(
      find('postgres://me:a%40b@10.0.0.2/db?sslmode=verify-full&host=/run&port=1'),
      'postgres://me:a%40b@10.0.0.1:5433/db?sslmode=verify-full',
    )
    const six = { isWorker: true, coordinator: { host: 'fd00::1', port: 5432 } }
    assert.equal(find('postgres:///db', six), 'postgres://[fd00::1]:5432/db')
    const local = { isWorker: true, coordinator: { host: 'localhost', port: 5432 } }
    assert.equal(find('postgres://127.0.0.1:5433/db', local), 'postgres://localhost:5432/db')
    assert.throws(() => find('postgres://10.0.0.2/db', local), {
      name: 'StoreRefusal',
      message: /knows its coordinator as localhost; name the coordinator/,
    })
    assert.throws(() => find('postgres://w/db', { isWorker: true, coordinator: null }), {
      name: 'StoreRefusal',
      message: /knows no coordinator/,
    })
  })

  test('takes every migration since the first version that distributes', () => {
    assert.equal(findUnfit(listMigrations(69)), null)
    const find = (...statements: string[]) => findUnfit([{ version: 70, statements }])
    const fit = [
      'create table x (id text not null primary key)',
      'create unique index x_by_y on x (y)',
      "alter table owners add column x text not null default ''",
      'drop index x_by_y',
      "update owners set x = 'own' where y <> ''",
      "insert into facts (id, value) values ('a', 'b')",
    ]
    assert.equal(find(...fit), null)
    const unfit = {
      'insert into owner_words (word, place, id) values (1, 2, 3)': 'insert into owner_words',
      'insert into facts (id, value) select id, id from owners': 'insert into facts',
      'update clients set a = u.a from (select 1) u': 'update clients set',
      'update owners set a = (select 1)': 'update owners set',
      'alter table owners drop column x': 'alter table owners',
      'alter table owners add constraint x unique (y)': 'alter table owners',
      'truncate owners': 'truncate owners',
    }
    for (const [sql, words] of Object.entries(unfit)) {
      assert.equal(
        find(...fit, sql),
        `is distributed, and schema 70 needs a change that Citus cannot do (${words}); use a version of this program that can`,
      )
    }
  })

  test('is asked at an address of loopback only by those who find the coordinator there', () => {
    const far = 'postgres://latchkey@db0.example.com/latchkey?host=db0&port=1&sslmode=require'
    assert.equal(findNearUrl(far, { host: '127.0.0.1', port: 5433 }), null)
    assert.equal(
      findNearUrl(far, { host: 'db1', port: 5433 }),
      'postgres://latchkey@db1:5433/latchkey?sslmode=require',
    )
    assert.equal(
      findNearUrl('postgres://[::1]/latchkey', { host: '127.0.0.1', port: 5433 }),
      'postgres://127.0.0.1:5433/latchkey',
    )
  })

  test('names workers that are away, with what that means', async () => {
    const workers = [
      { id: 2, name: '10.0.0.2:5432', shards: 16, isReachable: true },
      { id: 3, name: '10.0.0.3:5432', shards: 12, isReachable: false },
    ]
    const machines = { workers, shards: 32 }
    const [, away] = workers
    assert.deepEqual(await listAway({ findWorkers: async () => machines }), {
      workers: [away],
      shards: 12,
      of: 32,
    })
    const none = { workers: [], shards: 0, of: 0 }
    assert.deepEqual(await listAway({ findWorkers: async () => null }), none)
    assert.deepEqual(await listAway({}), none)
    const told: Notice[] = []
    let eventsWait: string | undefined = 'those at 10.0.0.3:5432 wait for it'
    const store = {
      findWorkers: async () => ({ workers: [], shards: 32, ...(eventsWait && { eventsWait }) }),
    }
    const watch = watchWorkers({ store: store as unknown as Store, tell: (one) => told.push(one) })
    await watch()
    await watch()
    eventsWait = undefined
    await watch()
    assert.deepEqual(
      told.map(({ level, reason }) => [level, reason]),
      [
        ['warn', 'those at 10.0.0.3:5432 wait for it'],
        ['info', undefined],
      ],
    )
    assert.deepEqual(
      checkWorkers({ ...machines, far: ['10.0.0.2:5432'] }).map(({ id, finding }) => [id, finding]),
      [
        [
          'database.worker',
          'The database does not reach its worker 10.0.0.3:5432 (node 3). Requests of owners on 12 of 32 shards get 503, and others go on. Changes of clients and groups wait, since every machine has those.',
        ],
        [
          'database.far',
          'This machine does not reach the worker 10.0.0.2:5432 of the database by itself. So each request of its owners passes the coordinator, which takes far more processor time.',
        ],
      ],
    )
  })
})

describe('a row that is distributed', () => {
  const owner = 'owner-1' as OwnerId
  const key = deriveShardKey(owner)
  const digits = key.toString(16).padStart(3, '0')
  const old = '00000000000000000000000000'
  const other = '00000000000000000000000001'
  const [placed, placedOther] = [old, other].map((id) => shardKeys.place(id, owner))
  const place = (table: string, row: Parameters<typeof placeRow>[1], of: string | null = owner) =>
    placeRow(table, row, of, shardKeys)

  test('of an owner has the key of the owner', () => {
    assert.notEqual(placed, old)
    assert.deepEqual(place('owners', { id: owner, name: 'Ada' }), {
      row: { id: owner, name: 'Ada', shard_key: key },
      isEnded: false,
      isRenamed: false,
    })
    assert.deepEqual(place('clients', { id: old }, null)?.row, { id: old })
    assert.deepEqual(place('events', { id: old, authorization_id: other })?.row, {
      id: old,
      authorization_id: other,
    })
  })

  test('of an authorization gets an id that tells the key, wherever it is named', () => {
    const ended = { duration: encodeChosen(old as never), parent_id: other, session_id: '' }
    assert.deepEqual(place('authorizations', { id: old, ...ended }), {
      row: {
        id: placed,
        duration: encodeChosen(placed as never),
        parent_id: placedOther,
        session_id: '',
        shard_key: key,
      },
      isEnded: false,
      isRenamed: true,
    })
    assert.deepEqual(place('access_log', { day: 1, authorization_id: old })?.row, {
      ...{ day: 1, authorization_id: placed },
      shard_key: key,
    })
    assert.deepEqual(place('device_authorizations', { id: old, authorization_id: other })?.row, {
      id: old,
      authorization_id: placedOther,
    })
    // Once it is gone, nobody can say of whom it was.
    const lost = { day: 1, authorization_id: old }
    assert.deepEqual(place('access_log', lost, null)?.row, {
      ...lost,
      shard_key: shardKeys.read(old),
    })
  })

  test('of tokens stays as it is, or stands where its tokens lead, as used up', () => {
    assert.deepEqual(place('families', { id: placed ?? '', authorization_id: old, ended: 0 }), {
      row: { id: placed, authorization_id: placed, ended: 0, shard_key: key },
      isEnded: false,
      isRenamed: false,
    })
    assert.deepEqual(place('families', { id: old, authorization_id: old, ended: 0 }), {
      row: { id: old, authorization_id: placed, ended: 1, shard_key: shardKeys.read(old) },
      isEnded: true,
      isRenamed: false,
    })
    assert.deepEqual(place('endings', { id: old }, null)?.row, {
      id: old,
      shard_key: shardKeys.read(old),
    })
  })

  test('of a login stays where its cookie tells the key', () => {
    const login = { id: `${digits}.secret`, owner_id: owner }
    assert.deepEqual(place('sessions', login)?.row, { ...login, shard_key: key })
    for (const id of ['secret', `${digits === '000' ? '001' : '000'}.secret`]) {
      assert.equal(place('sessions', { id, owner_id: owner }), null)
      assert.equal(place('client_logins', { session_id: id, owner_id: owner }), null)
    }
  })
})
