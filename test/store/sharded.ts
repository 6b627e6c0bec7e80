/**
 * A store in memory that is written as one over many machines: the tables, steps and statements are those of Citus,
 * on one SQLite. Each statement is noted with the method that it belongs to.
 */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { compile } from '../../src/store/engines/citus/compile.ts'
import { speakCitus } from '../../src/store/engines/citus/dialect.ts'
import { createMover } from '../../src/store/engines/citus/mover.ts'
import { namesSchema } from '../../src/store/engines/citus/names.ts'
import { places } from '../../src/store/engines/citus/place.ts'
import { outboxSchema, writeSchema } from '../../src/store/engines/citus/schema.ts'
import { type Dialect, Unmoved } from '../../src/store/engines/postgres/dialect.ts'
import type { Line } from '../../src/store/engines/postgres/line.ts'
import { createRunner, runStep } from '../../src/store/engines/sqlite/compiled.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { schema } from '../../src/store/schema/migrate.ts'
import type { Database } from '../../src/store/sql/database.ts'
import { reads } from '../../src/store/sql/records.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import type { Read, Row, Rows, Statement, Value } from '../../src/store/sql/statement.ts'
import type { Call, StepName } from '../../src/store/sql/steps.ts'
import type { Store } from '../../src/store/store.ts'
import type { Opened } from './contract.ts'
import { shardKeys } from './moments.ts'

type Asked = Pick<Statement, 'sql' | 'params'>

/** A statement as it is sent. */
export interface Sent {
  /** Before it was written for many machines. */
  readonly sql: string
  /** With numbered parameters. */
  readonly text: string
  readonly values: readonly unknown[]
  /** Whether its values tell one shard key. */
  readonly isKeyed: boolean
  /** Whether the machine with the shard can answer it alone. */
  readonly isNear: boolean
}

export type Note = (method: string, sent: Sent) => void

/** Steps that a machine has done itself. */
export const doneNear = new Set<StepName>()

/** So often a step at a machine is taken back, and done by the coordinator. From then on, each second one stays. */
const takenBack = 8
const nearRuns = new Map<StepName, number>()

/** One machine has one shard with all keys. */
const openDialect = async (): Promise<Dialect> => {
  const dialect = speakCitus(shardKeys)
  await dialect.machines?.look(async (sql) =>
    sql.includes('worker_hash')
      ? [{ shard: 1, machine: 1, host: '', port: 0, keys: [...Array(4096).keys()].join(' ') }]
      : Object.keys(places).map((name) => ({ name, shard: null, of_shard: name })),
  )
  return dialect
}

/** Texts are constants or one of a few forms of one. */
const compiled = new Map<string, ReturnType<typeof compile>>()

/** Tables have names of their own there. SQLite has these under their ordinary ones. */
const ownNames = new Map(Object.keys(places).map((name) => [name, name]))

const writeStatement = (dialect: Dialect, { sql, params }: Asked): Sent => {
  const one = compiled.get(sql) ?? compile(sql)
  compiled.set(sql, one)
  const { values } = dialect.write({ sql, params })
  const isKeyed = values.length > params.length
  const isNear = one.isNear && (isKeyed || one.rowKeys.length > 0)
  const text = isNear ? one.rename(ownNames) : isKeyed ? one.keyed : one.spread
  return { sql, text, values, isKeyed, isNear }
}

/** With `?` in place of numbers, in the order in which they stand. */
const asStatement = ({ text, values }: Pick<Sent, 'text' | 'values'>): Statement => {
  const params: Value[] = []
  const sql = text.replace(/\$(\d+)/g, (_, number) => {
    params.push((values[Number(number) - 1] ?? null) as Value)
    return '?'
  })
  return { sql, params }
}

/** SQLite takes a foreign key as a part of its table, and has no machines to deal rows to. */
const writeTable = (sql: string): string => {
  const [first = '', ...rest] = writeSchema(sql).filter((one) => !one.startsWith('select '))
  const keys = rest.flatMap((one) => /^alter table \w+ add (.*)$/s.exec(one)?.[1] ?? [])
  return keys.length === 0 ? first : first.replace(/\)$/, `, ${keys.join(', ')})`)
}

const openDatabase = (): DatabaseSync => {
  const database = new DatabaseSync(':memory:')
  for (const sql of schema.statements) database.exec(writeTable(sql))
  for (const sql of [...namesSchema, ...outboxSchema])
    if (!sql.startsWith('select ')) database.exec(sql)
  for (const words of ['advisory_xact_lock', 'try_advisory_xact_lock']) {
    for (const way of ['', '_shared']) database.function(`pg_${words}${way}`, (_) => 1)
  }
  database.function('set_config', (_, value, __) => value)
  return database
}

/**
 * So often a statement is also run as it was, and has to find and change the same rows. A condition that is true of
 * other owners, too, must not tell a shard key.
 */
const comparisons = 8
const compared = new Map<string, number>()

const listCells = (row: Row): string => JSON.stringify(Object.entries(row))

/** A line to the one machine there is. */
const openLine = (dialect: Dialect, query: (asked: Asked) => Rows, run: (sql: string) => void) => {
  const texts = { begin: 'savepoint moved', commit: 'release moved', rollback: 'rollback to moved' }
  const connection = {
    query: async (asked: Asked) => query(asStatement(writeStatement(dialect, asked))),
    async command(text: keyof typeof texts) {
      run(texts[text])
      return text
    },
    together: (send: () => unknown) => send(),
    isLost: () => false,
    destroy() {},
  }
  const take = async () => connection
  return { take, takeDurable: take, close: async () => {} } as unknown as Line
}

const connect = (database: DatabaseSync, note: Note, dialect: Dialect): Store => {
  const runner = createRunner(database)
  // SQLite has one writer, and nobody waits for a lock.
  const query = ({ sql, params }: Asked): Rows =>
    sql.startsWith('set local')
      ? []
      : runner({ sql: sql.replace(/ for (key share( of c)?|update nowait)$/, ''), params })
  const line = openLine(dialect, query, (sql) => database.exec(sql))
  const { machines, outbox } = dialect
  const mover = machines && outbox && createMover([line, line], machines, outbox)
  let isClosed = false
  const ask = (method: string, asked: Asked): Rows => {
    if (isClosed) throw new StoreFault('closed', 'the store is closed')
    const sent = writeStatement(dialect, asked)
    note(method, sent)
    const count = (compared.get(sent.text) ?? 0) + 1
    compared.set(sent.text, count)
    if (count > comparisons || /^\s*insert\b/.test(sent.sql)) return query(asStatement(sent))
    database.exec('savepoint before')
    const before = query(asked).map(listCells)
    database.exec('rollback to before; release before')
    const rows = query(asStatement(sent))
    assert.deepEqual(rows.map(listCells).sort(), before.sort(), `${method}: ${sent.text}`)
    return rows
  }
  /** Does a step on the machine with its shard. Null for a step that leaves the shard. */
  const tryNear = (call: Call): { readonly outcome: unknown; readonly isDone: boolean } | null => {
    const { isNear, shardKey } = dialect.placeOf(call)
    const work = isNear && shardKey !== null ? dialect.near?.begin(1, [shardKey]) : null
    if (!work) return null
    const runs = (nearRuns.get(call.name) ?? 0) + 1
    let isDone = false
    database.exec('savepoint near')
    try {
      const outcome = runStep(work.begin(call), (one) => query(asStatement(work.write(one))))
      nearRuns.set(call.name, runs)
      isDone = runs > takenBack && runs % 2 === 0
      return { outcome, isDone }
    } catch (error) {
      if (String(error) === 'Error: expected one of its shards') return null
      throw error
    } finally {
      database.exec(isDone ? 'release near' : 'rollback to near; release near')
    }
  }
  const run = (name: StepName, ...args: readonly unknown[]): Promise<unknown> =>
    runCall({ name, args })
  const runCall = async (call: Call): Promise<unknown> => {
    const { name } = call
    await mover?.beforeStep(call)
    const near = isClosed ? null : tryNear(call)
    if (near !== null) doneNear.add(name)
    if (near?.isDone === true) return near.outcome
    database.exec('savepoint step')
    try {
      const outcome = runStep(dialect.begin(call), (one) => ask(name, one))
      if (near !== null) assert.deepEqual(outcome, near.outcome, `${name}, by the machine itself`)
      return outcome
    } catch (error) {
      database.exec('rollback to step')
      if (error instanceof Unmoved) return await runCall(call)
      if (error instanceof StoreFault) throw error
      throw Object.assign(new StoreFault('failed', `${name} was not done`), { cause: error })
    } finally {
      database.exec('release step')
    }
  }
  const readAs =
    (method: string): Read =>
    async (sql, params) => {
      await mover?.before({ sql, params })
      const read: Read = async (sql, params) => ask(method, { sql, params })
      const named = await dialect.readNamed(read, sql, params)
      if (named === null) return read(sql, params)
      assert.deepEqual(named, query({ sql, params }), method)
      return named
    }
  const close = async (): Promise<void> => {
    await mover?.close()
    isClosed = true
  }
  const store = createSqlStore({
    read: readAs('the store'),
    run: run as Database['run'],
    readsWait: false,
    close,
  })
  const asked = Object.entries(reads).map(([name, find]) => [
    name,
    (find as (...args: readonly unknown[]) => unknown).bind(null, readAs(name)),
  ])
  return { ...store, ...Object.fromEntries(asked) }
}

/** A new, empty store. */
export const openSharded = async (note: Note): Promise<Opened> => {
  const database = openDatabase()
  const dialect = await openDialect()
  return {
    store: connect(database, note, dialect),
    reopen: async () => connect(database, note, dialect),
    dispose: async () => database.close(),
  }
}
