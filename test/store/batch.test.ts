/** Group commit: a step that fails takes nothing along, and a full disk promises nothing. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { DatabaseError } from 'pg'
import { drawRandom } from '../../src/crypto/digest.ts'
import type { Event } from '../../src/model/event.ts'
import { openMachines } from '../../src/store/engines/citus/machines.ts'
import {
  type Dialect,
  type Near,
  plain,
  type Query,
  type Written,
} from '../../src/store/engines/postgres/dialect.ts'
import { ReadLines } from '../../src/store/engines/postgres/reads.ts'
import { StepLines } from '../../src/store/engines/postgres/steps.ts'
import { openRoom } from '../../src/store/engines/room.ts'
import { createPerformer, performBatch } from '../../src/store/engines/sqlite/batch.ts'
import { createRunner } from '../../src/store/engines/sqlite/compiled.ts'
import { isFatal } from '../../src/store/engines/sqlite/fault.ts'
import { prepareFile } from '../../src/store/engines/sqlite/file.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { engineLimits } from '../../src/store/limits.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import { asWhole, statement } from '../../src/store/sql/statement.ts'
import type { Call } from '../../src/store/sql/steps.ts'
import { newPath } from './folder.ts'
import { together, trace } from './moments.ts'
import { paddedEvent, sampleOwner } from './sample.ts'

test('F-26 a step that fails does no harm to those that commit with it', async (t) => {
  const store = await openSqliteStore({ path: newPath(t) })
  const owners = Array.from({ length: 20 }, () => sampleOwner())
  const again = { ...paddedEvent(1), requestId: 'a-secret-that-must-not-be-told' }
  await store.appendEvent(again)
  const settled = await Promise.allSettled([
    ...owners.slice(0, 10).map((owner) => store.createOwner(owner, trace())),
    store.appendEvent(again),
    ...owners.slice(10).map((owner) => store.createOwner(owner, trace())),
  ])
  const [fault, ...more] = settled.filter((one) => one.status === 'rejected')
  assert.equal(more.length, 0)
  assert.equal(settled.filter((one) => one.status === 'fulfilled').length, 20)
  assert.equal(
    String(fault?.reason),
    'StoreFault: the store failed in appendEvent (SQLite error 1555)',
  )
  for (const owner of owners) assert.deepEqual(await store.findOwner(owner.id), owner)
  await store.close()
})

test('a step with arguments that are no plain values fails, and the store goes on', async (t) => {
  const store = await openSqliteStore({ path: newPath(t) })
  const circle: Record<string, unknown> = {}
  circle.itself = circle
  const strange = { ...paddedEvent(1), details: circle as never }
  await assert.rejects(store.appendEvent(strange), { name: 'StoreFault', reason: 'failed' })
  const owner = sampleOwner({ name: (() => 1) as never })
  await assert.rejects(store.createOwner(owner, trace()), { name: 'StoreFault', reason: 'failed' })
  await store.ping()
  await store.close()
})

test('F-18 steps beyond what may wait are refused, and the others are done', async (t) => {
  const store = await openSqliteStore({ path: newPath(t) })
  const settled = await Promise.allSettled(
    Array.from({ length: engineLimits.stepsWaiting + 3 }, () => store.ping()),
  )
  const refused = settled.filter((one) => one.status === 'rejected')
  assert.equal(refused.length, 3)
  for (const { reason } of refused) {
    assert.equal(String(reason), 'StoreFault: too many steps wait for the store')
  }
  await store.close()
})

const openBatches = (t: TestContext) => {
  const path = newPath(t)
  prepareFile(path)
  const database = new DatabaseSync(path)
  t.after(() => database.close())
  const run = createRunner(database)
  const perform = createPerformer(database, [])
  return {
    database,
    batch: (...calls: Call[]) => performBatch(database, perform, calls),
    ids: () => run({ sql: 'select id from events order by id', params: [] }).map(({ id }) => id),
  }
}
const append = (one: Event): Call => ({ name: 'appendEvent', args: [one] })

test('RV-09 a full disk fails what it has no room for, and heals when there is room', (t) => {
  const { database, batch, ids } = openBatches(t)
  const pages = Number(database.prepare('pragma page_count').get()?.page_count)
  database.exec(`pragma max_page_count = ${pages}`)
  const [large, small] = [paddedEvent(100_000), paddedEvent(1)]
  assert.deepEqual(
    batch(append(large), append(small)).map((one) => 'fault' in one),
    [true, false],
  )
  assert.deepEqual(ids(), [small.id])
  database.exec('pragma max_page_count = 100000')
  assert.deepEqual(batch(append(large)), [{ outcome: undefined }])
  assert.deepEqual(ids(), [small.id, large.id].sort())
})

test('a commit that fails answers none of its steps and is not done again', (t) => {
  const { database, batch, ids } = openBatches(t)
  // A broken reference, checked only on commit, stands for a disk that fails then.
  database.exec(
    'create table promises (id text references owners (id) deferrable initially deferred)',
  )
  database.exec(`create trigger promise after insert on events when new.at = 0
    begin insert into promises values ('nobody'); end`)
  const bad = { ...paddedEvent(1), at: 0 }
  const answers = batch(append(paddedEvent(1)), append(bad), append(paddedEvent(1)))
  assert.deepEqual(answers, [{ fault: 787 }, { fault: 787 }, { fault: 787 }])
  assert.deepEqual(ids(), [])
  const good = paddedEvent(1)
  assert.deepEqual(batch(append(good)), [{ outcome: undefined }])
  assert.deepEqual(ids(), [good.id])
})

test('F-05 a failed fsync and damage end all belief in the disk, a full or busy one does not', () => {
  const [fsync, folderFsync, corrupt, notADatabase] = [1034, 1290, 11, 26]
  const [full, busy, constraint, write] = [13, 5, 787, 778]
  assert.deepEqual([fsync, folderFsync, corrupt, notADatabase].map(isFatal), [
    true,
    true,
    true,
    true,
  ])
  assert.deepEqual([full, busy, constraint, write].map(isFatal), [false, false, false, false])
})

test('a store can be left without closing it: it does not keep the process alive', async (t) => {
  const { spawnSync } = await import('node:child_process')
  const open = new URL('../../src/store/sql/open.ts', import.meta.url).href
  const path = newPath(t)
  const script = `const { openSqliteStore } = await import(${JSON.stringify(open)})
    const store = await openSqliteStore({ path: ${JSON.stringify(path)} })
    await store.ping()
    process.stdout.write('durable')`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 100_000,
  })
  assert.deepEqual([String(run.stdout), run.status], ['durable', 0])
})

test('steps of one turn are committed together and answered in their order', async (t) => {
  const store = await openSqliteStore({ path: newPath(t) })
  const order: number[] = []
  await together(50, (i) => store.ping().then(() => order.push(i)))
  assert.deepEqual(
    order,
    Array.from({ length: 50 }, (_, i) => i),
  )
  await store.close()
})

/** An error with the severity of a server whose messages are German. */
const errorOf = (code: string, severity = 'FEHLER'): DatabaseError =>
  Object.assign(new DatabaseError('a message', 1, 'error'), { code, severity })

const written = (text: string): Written => ({ name: text, text, values: [] })

const opening = { begin: 'begin', guards: [written('guard')] }

type Errors = Readonly<Record<string, DatabaseError>>

/** A step of so many statements. */
const begin: Dialect['begin'] = function* ({ args: [texts, isWhole] }) {
  for (const text of texts as string[]) {
    yield isWhole ? asWhole(statement(text)) : statement(text)
  }
  return 'done'
}

/** What the machine with the shards is asked itself. */
const near: Near = {
  sessionSettings: [],
  begin: () => ({
    opening,
    begin,
    write: ({ sql }) => {
      if (sql === 'elsewhere') throw new Error('expected one of its shards')
      return written(sql)
    },
    noteCommit() {},
  }),
  read: (_, all) => ({
    opening,
    reads: all.map(({ sql }, place) => ({ written: written(sql), of: [place] })),
  }),
}

/**
 * A server that was given errors for some texts; a fatal one ends its connection.
 *
 * @param nearErrors of the machine with the shards; absent where it is not asked itself
 */
const openServer = (isDistributed: boolean, errors: Errors, nearErrors?: Errors) => {
  const heard: string[] = []
  let connections = 0
  const connect = (way = '', errorsThere = errors) => {
    connections++
    let [isLost, hasEnded, isOpen, hasFailed] = [false, false, false, false]
    const say = async (text: string): Promise<string> => {
      isLost ||= hasEnded
      if (isLost) throw new Error('the connection is lost')
      heard.push(way + text)
      const isEnd = text === 'commit' || text === 'rollback'
      if (text === 'begin') isOpen = true
      if (hasFailed && !isEnd) throw errorOf('25P02')
      const tag = isEnd && hasFailed ? 'rollback' : text
      const error = tag === text ? errorsThere[text] : undefined
      hasFailed = !isEnd && (hasFailed || (isOpen && error !== undefined))
      isOpen &&= !isEnd
      hasEnded = error?.severity === 'FATAL'
      if (error !== undefined) throw error
      return tag
    }
    return {
      query: async (query: Query | Written) => {
        await say('text' in query ? query.text : query.sql)
        return []
      },
      command: say,
      together: <Result>(send: () => Result) => send(),
      isLost: () => isLost,
      isGrouped: false,
      destroy: () => {
        isLost = true
      },
      end: async () => {},
    }
  }
  let connection = connect()
  const take = async () => {
    if (connection.isLost()) connection = connect()
    return connection
  }
  const dialect: Dialect = {
    ...plain,
    machines: isDistributed ? openMachines() : null,
    near,
    placeOf: () => ({ machine: 1, shardKey: null, isNear: nearErrors !== undefined }),
    begin,
  }
  const there = nearErrors && connect('near ', nearErrors)
  const nearLine = there && {
    takeOpen: () => (there.isLost() ? null : there),
    avoid: () => heard.push('avoid'),
  }
  const line = {
    ...{ dialect, take, takeDurable: take, takeOpen: () => null, near: () => nearLine ?? null },
    ...{ isOpen: () => true, close: async () => {} },
  }
  const room = openRoom(async () => {})
  const lines = new StepLines([line], dialect, drawRandom, room)
  const reads = new ReadLines([line], dialect)
  const tell = (fault: unknown): string => (fault instanceof StoreFault ? fault.reason : 'other')
  return {
    heard,
    countConnections: () => connections,
    /** Does steps together, each of statements, and says what became of them. */
    run: (steps: readonly (readonly string[])[], isWhole = false) =>
      Promise.all(
        steps.map(
          (texts) =>
            new Promise<unknown>((resolve) => {
              const reject = (fault: unknown): void => resolve(tell(fault))
              lines.add({ name: 'ping', args: [texts, isWhole], resolve, reject })
            }),
        ),
      ),
    read: (sql: string) => reads.read(statement(sql)).then(() => 'done', tell),
  }
}

test('an error of the commit on many machines tells nothing, and no step is done again', async () => {
  for (const code of ['XX000', '08006', '57P01', '57014']) {
    const server = openServer(true, { commit: errorOf(code) })
    assert.deepEqual(await server.run([['a'], ['b']]), ['indeterminate', 'indeterminate'], code)
    assert.deepEqual(server.heard, ['begin', 'a', 'b', 'commit', 'rollback'], code)
  }
  const ended = openServer(true, { commit: errorOf('XX000', 'FATAL') })
  assert.deepEqual(await ended.run([['a'], ['b']]), ['indeterminate', 'indeterminate'])
  assert.deepEqual(await ended.run([['c']], true), ['done'])
  assert.deepEqual(ended.heard, ['begin', 'a', 'b', 'commit', 'c'])
  assert.equal(ended.countConnections(), 2)
  const alone = openServer(true, { a: errorOf('08006') })
  assert.deepEqual(await alone.run([['a']], true), ['indeterminate'])
  assert.deepEqual(alone.heard, ['a', 'rollback'])
})

test('what a machine cannot do itself goes by the coordinator, once, and never after its commit', async () => {
  const [done, lost] = [['done', 'done'], errorOf('57P01', 'FATAL')]
  const byCoordinator = ['begin', 'a', 'b', 'commit']
  const piece = ['near begin', 'near guard', 'near a', 'near b']
  const whole = [...piece, 'near commit']
  for (const [errors, heard, outcomes] of [
    [{}, whole, done],
    // Somebody moved a shard away, or is about to.
    [{ guard: errorOf('22012') }, [...piece, 'near rollback', 'avoid', ...byCoordinator], done],
    [{ guard: errorOf('55P03') }, [...piece, 'near rollback', 'avoid', ...byCoordinator], done],
    // A step met another one.
    [{ a: errorOf('23505') }, [...piece, 'near rollback', ...byCoordinator], done],
    [{ commit: errorOf('40001') }, [...whole, 'near rollback', ...byCoordinator], done],
    [{ commit: lost }, whole, ['indeterminate', 'indeterminate']],
  ] as const) {
    const server = openServer(true, {}, errors)
    assert.deepEqual(await server.run([['a'], ['b']]), outcomes)
    assert.deepEqual(server.heard, heard)
  }
  const begun = openServer(true, {}, { guard: lost })
  assert.deepEqual(await begun.run([['a', 'c']]), ['done'])
  const after = ['avoid', 'begin', 'a', 'c', 'commit']
  assert.deepEqual(begun.heard, ['near begin', 'near guard', ...after])
  const leaving = openServer(true, {}, {})
  assert.deepEqual(await leaving.run([['a', 'elsewhere']]), ['done'])
  assert.deepEqual(leaving.heard.slice(-5), ['near rollback', 'begin', 'a', 'elsewhere', 'commit'])
})

test('a read that a machine does not answer is asked by the coordinator', async () => {
  const piece = ['near begin', 'near guard', 'near a', 'near commit']
  for (const [errors, heard] of [
    [{}, piece],
    [{ guard: errorOf('22012') }, [...piece, 'avoid', 'a']],
    [{ a: errorOf('22021') }, [...piece, 'a']],
    [{ commit: errorOf('57P01', 'FATAL') }, [...piece, 'avoid', 'a']],
  ] as const) {
    const server = openServer(true, {}, errors)
    assert.equal(await server.read('a'), 'done')
    assert.deepEqual(server.heard, heard)
  }
})

/** Answers of steps, the texts that the server heard, and the number of connections. */
const tellRun = async (
  isDistributed: boolean,
  code: string,
  steps: readonly (readonly string[])[],
  isWhole = false,
): Promise<readonly string[]> => {
  const server = openServer(isDistributed, { away: errorOf(code) })
  const answers = await server.run(steps, isWhole)
  return [answers.join(' '), server.heard.join(' '), String(server.countConnections())]
}

test('a machine that is away ends no connection to the server, and no neighbour of its step', async () => {
  for (const code of ['08006', 'XX000']) {
    const once = 'begin away rollback'
    assert.deepEqual(await tellRun(true, code, [['away', 'b']]), [
      'unreachable',
      `${once} ${once}`,
      '1',
    ])
    const piece = 'begin away b commit rollback'
    assert.deepEqual(await tellRun(true, code, [['away'], ['b']], true), [
      'unreachable done',
      `${piece} ${piece} ${once} begin b commit`,
      '1',
    ])
    const batch = 'begin a away away away b rollback'
    assert.deepEqual(await tellRun(true, code, [['a'], ['away'], ['away'], ['away'], ['b']]), [
      'done unreachable unreachable unreachable unreachable',
      `${batch} ${batch} begin a commit ${once} ${once} ${once}`,
      '1',
    ])
  }
  const server = openServer(true, { away: errorOf('08006') })
  assert.equal(await server.read('away'), 'unreachable')
  assert.deepEqual([server.heard, server.countConnections()], [['away', 'away'], 1])
})

test('one machine alone that says so is lost, and its internal error fails the step', async () => {
  const ended = Array.from({ length: 8 }, () => 'begin away').join(' ')
  assert.deepEqual(await tellRun(false, '08006', [['away', 'b']]), ['unreachable', ended, '8'])
  assert.deepEqual(await tellRun(false, '08006', [['away'], ['b']], true), [
    'indeterminate indeterminate',
    'begin away b commit',
    '1',
  ])
  assert.deepEqual(await tellRun(false, 'XX000', [['away', 'b']]), [
    'failed',
    'begin away rollback',
    '1',
  ])
  const server = openServer(false, { away: errorOf('08006') })
  assert.equal(await server.read('away'), 'unreachable')
  assert.equal(server.countConnections(), 8)
})
