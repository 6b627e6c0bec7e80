/** Events beside their owner: statements that ask for them, and moves. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DatabaseError } from 'pg'
import { type OwnerId, timeOfId } from '../../../src/model/ids.ts'
import { speakCitus } from '../../../src/store/engines/citus/dialect.ts'
import type { Machines } from '../../../src/store/engines/citus/machines.ts'
import { createMover } from '../../../src/store/engines/citus/mover.ts'
import { movedTogether, openOutbox } from '../../../src/store/engines/citus/outbox.ts'
import { openReadKey } from '../../../src/store/engines/citus/place.ts'
import { readWhole } from '../../../src/store/engines/citus/whole.ts'
import type { Line } from '../../../src/store/engines/postgres/line.ts'
import { eventTable, insertGiven } from '../../../src/store/records/event/events.ts'
import type { Table } from '../../../src/store/schema/table.ts'
import type { SqlSession } from '../../../src/store/sql/database.ts'
import { reads } from '../../../src/store/sql/records.ts'
import {
  type Read,
  type Rows,
  type Statement,
  statement,
  type Value,
} from '../../../src/store/sql/statement.ts'
import { rowsTogether } from '../../../src/store/transfer/backup-file.ts'
import { readRows } from '../../../src/store/transfer/dump.ts'
import { shardKeys, trace } from '../../store/moments.ts'

const readKey = openReadKey(shardKeys)
const alice = 'alice' as OwnerId
const keyOfAlice = readKey('owner', alice)

const fail = (code: string): never => {
  throw Object.assign(new DatabaseError('', 0, 'error'), { code })
}

const listRows = (count: number, from = 0): Rows =>
  Array.from({ length: count }, (_, i) => ({ id: String(from + i).padStart(4, '0') }))

const port = 5432
const workers = ['a', 'b'].map((host, id) => ({ id, name: `${host}:${port}`, shards: 1 }))

/** A mover of two machines whose database answers so. A machine has its number as its shard key. */
const openMover = (answer: (sql: string, params: readonly Value[]) => Rows | Promise<Rows>) => {
  const closed: string[] = []
  const connection = {
    query: async (asked: { sql: string; params: readonly Value[] }) =>
      answer(asked.sql, asked.params),
    command: async (text: string) => text,
    together: (send: () => unknown) => send(),
    isLost: () => false,
    destroy() {},
  }
  const take = async () => connection
  const openLine = (name: string) =>
    ({ take, takeDurable: take, close: async () => void closed.push(name) }) as unknown as Line
  const machines: Machines = {
    look: async () => {},
    find: () => null,
    addressOf: (machine) => ({ host: machine === 1 ? 'a' : 'b', port }),
    keysOf: (machine) => [machine],
    count: () => 2,
  }
  const lines = [openLine('all'), openLine('keys')] as const
  return { mover: createMover(lines, machines, openOutbox(readKey)), closed }
}

const readAll = { sql: 'select * from events order by id', params: [] }

describe('events that wait', () => {
  test('come before a list: those of the owner, or all', async () => {
    const { find } = openOutbox(readKey)
    const asked: unknown[] = []
    const read: Read = async (sql, params) => {
      asked.push(find({ sql, params }))
      return []
    }
    await reads.listEvents(read, { ownerId: alice, ownChanges: true }, null, 20)
    await reads.listEvents(read, { ownerId: alice }, null, 20, 'oldest first')
    await reads.listEvents(read, {}, null, 20)
    await reads.listWaysOfOthers(read, alice, '')
    assert.deepEqual(asked, [keyOfAlice, null, keyOfAlice, 'all', keyOfAlice])
  })

  test('stay where they are while the coordinator tells an event', () => {
    const { eventId: id, at, actor, requestId } = trace()
    for (const ownerId of [alice, null]) {
      const about = { clientId: null, ownerId, authorizationId: null }
      const event = { id, at, type: 'login.failed', ...about, requestId, details: {}, actor }
      const step = speakCitus(shardKeys).begin({ name: 'appendEvent', args: [event] })
      const { value } = step.next([])
      assert.match(String((value as { sql?: string }).sql), /^insert into events/)
      assert.equal(step.next([]).done, true)
    }
  })

  test('are moved as far as they came before the reader', async () => {
    let moves = 0
    const { mover } = openMover((sql) => {
      if (sql.startsWith('delete')) moves++
      if (sql.startsWith('select max')) return [{ id: '0300' }]
      if (!sql.startsWith('select id')) return []
      // New ones come as fast as these go.
      return listRows(movedTogether, moves * movedTogether)
    })
    await mover.before(readAll)
    assert.equal(moves, 2)
    await mover.close()
  })

  test('are looked for where none was found minutes ago, and from time to time among all', async () => {
    let isAway = false
    const begins: unknown[] = []
    const { mover } = openMover((sql, params) => {
      if (!sql.startsWith('select id')) return []
      begins.push(params.find((one) => typeof one === 'string' && !one.startsWith('{')))
      return isAway ? fail('08006') : []
    })
    const lookAt = async (at: number) => {
      mover.noteTime(at)
      mover.note({ workers: [], shards: 2 })
      await mover.before(readAll)
      return begins
        .splice(0)
        .map((id) => (id === '' ? 'all' : timeOfId(`${id}${'0'.repeat(16)}`) / 1000))
    }
    assert.deepEqual(await lookAt(10_000), ['all', 9700])
    assert.deepEqual(await lookAt(10_010), [9700])
    assert.deepEqual(await lookAt(10_599), [9710])
    // A long look from time to time is no look of a reader.
    assert.deepEqual(await lookAt(10_600), ['all', 10_300])
    assert.equal(mover.fault(), null)
    isAway = true
    assert.deepEqual(await lookAt(10_700), [10_300, 10_300, 10_300])
    assert.equal(mover.fault(), 'those at a:5432, b:5432 wait for it')
    isAway = false
    assert.deepEqual(await lookAt(11_100), [10_300])
    assert.equal(mover.fault(), null)
    await mover.close()
  })

  test('are looked for among the latest where a look at the oldest is slow, and among all later', async () => {
    const begins: unknown[] = []
    const { mover } = openMover((sql, params) => {
      if (!sql.startsWith('select id')) return []
      begins.push(params[0])
      return params[0] === '' && begins.length === 1 ? fail('57014') : []
    })
    mover.noteTime(10_000)
    await mover.before(readAll)
    assert.equal(timeOfId(`${begins[1]}${'0'.repeat(16)}`), 9_700_000)
    mover.note({ workers: [], shards: 2 })
    await mover.close()
    assert.deepEqual([begins.length, begins[2]], [4, ''])
  })

  test('go with a step that asks for them, which waits for nobody who holds them', () => {
    const asking = statement('select id from events where owner_id = ?', alice)
    const begin = (name: 'ping' | 'purgeNext') =>
      openOutbox(readKey).moveFirst(
        { name, args: [] },
        (function* () {
          yield asking
        })(),
      )
    const step = begin('ping')
    const first = step.next().value as Statement
    assert.match(first.sql, / from event_outbox where .* for update nowait$/)
    assert.deepEqual(step.next([]).value, asking)
    // While a snapshot begins, they stay where they are.
    const beside = begin('ping')
    beside.next()
    assert.match((beside.next(listRows(1)).value as Statement).sql, /_lock_shared/)
    assert.throws(() => beside.next([{ is_shared: 0 }]), { reason: 'busy' })
    assert.deepEqual(begin('purgeNext').next().value, asking)
  })

  test('stay with all that come while the coordinator cannot take them, and readers go on', async () => {
    let tried = 0
    const { mover } = openMover((sql) => {
      if (sql.startsWith('insert')) {
        tried++
        fail('53100')
      }
      return /^(select id|delete)/.test(sql) ? listRows(2) : []
    })
    await mover.before(readAll)
    // Together, and each machine alone, since the fault may be that of one.
    assert.equal(tried, 3)
    await mover.before(readAll)
    assert.equal(tried, 3)
    assert.match(String(mover.fault()), /PostgreSQL error 53100/)
    await mover.close()
  })

  test('that the table refuses stop no others, and are told of until a full look finds none', async () => {
    let bad = ['0001']
    const { mover } = openMover((sql, params) => {
      if (sql.startsWith('insert')) return params.includes('0001') ? fail('P0001') : []
      if (!/^(select id|delete)/.test(sql)) return []
      const after = String(params[0])
      return bad.filter((id) => id > after).map((id) => ({ id }))
    })
    await mover.before(readAll)
    assert.equal(mover.fault(), 'the table of events refuses 1 of them')
    bad = []
    mover.noteTime(1000)
    mover.note({ workers: [], shards: 2 })
    await mover.before(readAll)
    assert.equal(mover.fault(), null)
    await mover.close()
  })

  test('of a machine that is away, hangs, or is in doubt stop a reader once until it is seen again', async () => {
    for (const code of ['08006', '55P03', '57014']) {
      const asked: string[] = []
      let isAway = true
      const { mover } = openMover((sql, params) => {
        if (!sql.startsWith('select id')) return []
        const of = String(params.find((one) => typeof one === 'string' && one.startsWith('{')))
        asked.push(of)
        return of === '{1}' || !isAway ? [] : fail(code)
      })
      mover.noteTime(10_000)
      const note = (isReachable: boolean) =>
        mover.note({
          workers: workers.map((one, i) => ({ ...one, isReachable: i === 0 || isReachable })),
          shards: 2,
        })
      isAway = false
      await mover.before(readAll)
      isAway = true
      assert.deepEqual(asked.splice(0), ['undefined'])
      await mover.before(readAll)
      assert.deepEqual(asked.splice(0), ['undefined', '{1}', '{2}'])
      assert.equal(mover.fault(), 'those at b:5432 wait for it')
      await mover.before(readAll)
      assert.deepEqual(asked.splice(0), ['{1}'])
      note(false)
      await mover.before(readAll)
      assert.deepEqual(asked.splice(0), ['{1}'])
      // It may hang still: the background finds out, and no reader.
      for (const isStill of [true, false]) {
        isAway = isStill
        note(true)
        assert.equal(mover.before(readAll), null)
        await new Promise((resolve) => setImmediate(resolve))
        assert.deepEqual(asked.splice(0), ['{1}', '{2}'])
      }
      await mover.before(readAll)
      assert.deepEqual(asked.splice(0), ['undefined'])
      assert.equal(mover.fault(), null)
      // At its end it looks once more.
      await mover.close()
      assert.deepEqual(asked, ['undefined'])
    }
  })

  test('are left to the node whose turn it is by the background, and by no reader', async () => {
    const asked: string[] = []
    const { mover } = openMover((sql) => {
      if (sql.includes('_advisory_')) asked.push(sql)
      if (sql.includes('pg_try_')) return [{ is_ours: 0 }]
      if (sql.startsWith('delete')) asked.push('moved')
      return sql.startsWith('select id') ? listRows(1) : []
    })
    mover.note({ workers: [], shards: 2 })
    await new Promise((resolve) => setImmediate(resolve))
    assert.match(asked.splice(0).join(), /^select cast\(pg_try_advisory_xact_lock[^,]*,[^,]*$/)
    assert.equal(mover.fault(), null)
    mover.note({ workers: [], shards: 2 })
    await mover.before(readAll)
    assert.equal(asked.at(-1), 'moved')
    await mover.close()
  })

  test('that do not come in time stop a reader for a second, and no reader of one owner', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const answered = Promise.withResolvers<Rows>()
    const asked: Value[] = []
    const { mover } = openMover((sql, params) => {
      if (!sql.startsWith('select id')) return []
      asked.push(params[0] ?? null)
      return params[0] === keyOfAlice ? [] : answered.promise
    })
    let isRead = false
    const reading = mover.before(readAll)?.then(() => {
      isRead = true
    })
    await mover.before({ sql: 'select * from events where owner_id = ?', params: [alice] })
    assert.deepEqual(asked, ['', keyOfAlice])
    assert.equal(isRead, false)
    t.mock.timers.tick(1000)
    await reading
    assert.equal(mover.before(readAll), null)
    assert.equal(mover.fault(), 'a move takes longer than a second')
    answered.resolve([])
    await mover.close()
  })

  test('of one owner that come late stop readers of one owner once, until all come in time', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const own = { sql: 'select * from events where owner_id = ?', params: [alice] }
    const answered = Promise.withResolvers<Rows>()
    const { mover } = openMover((sql, params) =>
      sql.startsWith('select id') && params[0] === keyOfAlice ? answered.promise : [],
    )
    const reading = mover.before(own)
    await new Promise((resolve) => setImmediate(resolve))
    t.mock.timers.tick(1000)
    await reading
    assert.equal(mover.before(own), null)
    assert.equal(mover.fault(), 'a move takes longer than a second')
    answered.resolve([])
    await mover.before(readAll)
    assert.notEqual(mover.before(own), null)
    assert.equal(mover.fault(), null)
    await mover.close()
  })

  test('are counted at their commit, since a move before has not seen them', () => {
    const outbox = openOutbox(readKey)
    const params = eventTable.names.map((name) => (name === 'owner_id' ? alice : ''))
    const [noteEmpty, noteCommit] = [outbox.watchCommit(), outbox.watchCommit()]
    noteEmpty()
    const step = outbox.putAside(
      (function* () {
        yield statement(insertGiven, ...params)
      })(),
    )
    assert.match((step.next().value as Statement).sql, /^insert into event_outbox/)
    assert.equal(outbox.countWritten(), 0)
    noteCommit()
    assert.equal(outbox.countWritten(), 1)
  })

  test('are moved to the end before the lines close', async () => {
    const moving = Promise.withResolvers<Rows>()
    const begun = Promise.withResolvers<void>()
    const { mover, closed } = openMover((sql) => {
      if (sql.startsWith('select id')) return closed.length === 0 ? listRows(1) : []
      if (!sql.startsWith('delete')) return []
      begun.resolve()
      return moving.promise
    })
    const reading = mover.before(readAll)
    await begun.promise
    const closing = mover.close()
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(closed, [])
    moving.resolve([])
    await Promise.all([reading, closing])
    assert.deepEqual(closed, ['all', 'keys'])
  })

  test('are among the rows of the events for a session, each once and in order', async () => {
    const ids = listRows(2 * rowsTogether + 10).map(({ id }) => String(id))
    const tables = {
      events: ids.filter((_, i) => i % 3 > 0),
      // One is moved in between.
      event_outbox: ids.filter((_, i) => i % 3 === 0 || i === 1),
    }
    const ask = async (sql: string, ...params: readonly Value[]): Promise<Rows> => {
      const [, name = ''] = / from (\w+)/.exec(sql) ?? []
      const table = tables[name as keyof typeof tables]
      if (sql.includes('count(*)')) return [{ rows: table.length }]
      const last = params.length === 1 ? '' : String(params[0])
      const behind = table.filter((id) => id > last).slice(0, Number(params.at(-1)))
      return behind.map((id) => ({ id }))
    }
    const session = {
      run: ({ sql, params }: Statement) => readWhole(ask, sql, params),
    } as unknown as SqlSession
    const table = { name: 'events', key: ['id'], columns: ['id'], local: {} } as unknown as Table
    const read: unknown[] = []
    for await (const rows of readRows(session, table)) read.push(...rows.flat())
    assert.deepEqual(read, ids)
    const counted = await readWhole(ask, 'select count(*) as rows from events', [])
    assert.deepEqual(counted, [{ rows: ids.length + 1 }])
  })
})
