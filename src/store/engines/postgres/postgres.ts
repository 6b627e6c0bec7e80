/** The PostgreSQL driver: reads and steps on lines of their own, each sent with those beside it. */
import { defaultLimits, type Limits } from '../../../config/settable-limits.ts'
import type { ShardKeys } from '../../../crypto/shard-keys.ts'
import type { Random } from '../../../model/ids.ts'
import type { Marks } from '../../cache/marks.ts'
import { StoreFault } from '../../fault.ts'
import { askChanges, decodeChanges, type Seen } from '../../records/event/changes.ts'
import type { Database } from '../../sql/database.ts'
import { type Read, statement } from '../../sql/statement.ts'
import type { StepArguments, StepName } from '../../sql/steps.ts'
import type { SeenWorkers } from '../../store.ts'
import type { Ask } from '../citus/cluster.ts'
import { findBegins, openNearLines } from '../citus/near-lines.ts'
import { createWatch } from '../citus/watch.ts'
import { openRoom, runBy } from '../room.ts'
import type { Connection } from './connection.ts'
import { askDurability, Durability } from './connection.ts'
import { type Dialect, plain } from './dialect.ts'
import type { Line } from './line.ts'
import { createDialler, createLine } from './line.ts'
import { ReadLines } from './reads.ts'
import { prepareDatabase } from './start.ts'
import { StepLines } from './steps.ts'

type Invalidated = Pick<Marks, 'invalidate' | 'invalidateAll'>

const createChecks = (line: Line, cache: Invalidated) => {
  let next: Promise<void> | null = null
  let last: Promise<void> = Promise.resolve()
  let isClosed = false
  let current: Connection | null = null
  /** Null where nothing is known, so that the next check invalidates everything. */
  let seen: Seen | null = null

  const begin = (connection: Connection | null): void => {
    current = connection
    seen = null
    cache.invalidateAll()
  }

  const ask = async (): Promise<void> => {
    let connection: Connection | null = null
    try {
      connection = await line.take()
      if (connection !== current) begin(connection)
      const before = seen
      const [row] = await connection.query(askChanges(before))
      // An earlier connection may have been that of another server.
      if (connection !== current) return
      const changes = decodeChanges(row, before)
      seen = changes.seen
      if (changes.things === null) cache.invalidateAll()
      else cache.invalidate(changes.things)
    } catch {
      connection?.destroy()
      if (connection === null || connection === current) begin(null)
    }
  }

  return {
    /** Invalidates all that was committed before this call. Never fails: then it invalidates all. */
    check(): Promise<void> {
      if (isClosed) return Promise.resolve(cache.invalidateAll())
      next ??= new Promise((resolve) => {
        setImmediate(() => {
          next = null
          last = ask()
          resolve(last)
        })
      })
      return next
    },
    /** Answers those who wait. Later checks invalidate everything without asking. */
    async close(): Promise<void> {
      await next
      await last
      isClosed = true
      await line.close()
    },
  }
}

/** Of the connections of a node; the others are for writes. */
const partForReads = 0.4

/** Random letters, which no database can pack. */
const createFiller = (letters: number, random: Random): string =>
  Array.from({ length: Math.ceil(letters / 64) }, () =>
    Buffer.from(random(32)).toString('hex'),
  ).join('')

/** Every node notes the time every few seconds, and a ping promises that a write is durable. */
const asksAgain: ReadonlySet<StepName> = new Set(['noteTime', 'ping'])

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with whatever else libpq takes in its query. */
  readonly url: string
  /** Spreads what is tried again. */
  readonly random: Random
  readonly limits?: Pick<Limits, 'postgresConnections'>
}

const watchLoad = (lines: readonly Line[], steps: StepLines, reads: ReadLines) => ({
  load: () => ({
    stepsWaiting: steps.waiting,
    pool: {
      connections: lines.filter((line) => line.isOpen()).length,
      stepsBusy: steps.busy,
      readsOpen: reads.open,
    },
  }),
  sizeSql: 'select pg_database_size(current_database()) as bytes',
})

export interface OpenedPostgres extends Database {
  readonly check: () => Promise<void>
  /** Over many machines: nothing tells a node which rows of owners another one has changed. */
  readonly isDistributed: boolean
}

const openWatch = (line: Line, nearLines: ReturnType<typeof openNearLines> | null, mover: Mover) =>
  nearLines &&
  createWatch(line, async (seen, ask) => {
    mover?.note(seen)
    nearLines.note(await findBegins(ask, seen))
  })

const addFault = (seen: SeenWorkers | null, mover: Mover): SeenWorkers | null => {
  const eventsWait = mover?.fault() ?? null
  return seen === null || eventsWait === null ? seen : { ...seen, eventsWait }
}

/** Others need not load it. */
const loadCitus = async (keys: ShardKeys): Promise<Dialect> =>
  (await import('../citus/dialect.ts')).speakCitus(keys)

const loadMover = async ({ machines, outbox }: Dialect, openLine: () => Line) =>
  machines &&
  outbox &&
  (await import('../citus/mover.ts')).createMover([openLine(), openLine()], machines, outbox)

type Mover = Awaited<ReturnType<typeof loadMover>>

const openRead = (reads: ReadLines, dialect: Dialect, mover: Mover): Read => {
  const read: Read = (sql, params, by) =>
    reads.read(by === undefined ? { sql, params } : { sql, params, by })
  const find: Read = (sql, params, by) =>
    dialect.readNamed(read, sql, params) ?? read(sql, params, by)
  if (mover === null) return find
  return (sql, params, by) => {
    const moving = mover.before({ sql, params })
    return moving === null ? find(sql, params, by) : moving.then(() => find(sql, params, by))
  }
}

/**
 * Opens a database that other nodes may use at the same time. A check invalidates all of their changes
 * that were committed before the call.
 *
 * @throws StoreRefusal if it is unreachable, unsafe, or belongs to another program
 */
export const openPostgres = async (
  { url: named, random, limits = defaultLimits }: PostgresOptions,
  cache: Invalidated,
  given?: Dialect,
): Promise<OpenedPostgres> => {
  const { url, keys, notes } = await prepareDatabase(named, 'service', random)
  const dialect = given ?? (keys === null ? plain : await loadCitus(keys))
  const durability = new Durability()
  const dialler = createDialler(url, durability, random, dialect)
  const forReads = Math.ceil(limits.postgresConnections * partForReads)
  const ask: Ask = (sql, ...params) => reads.read({ sql, params })
  const nearLines = dialect.near && openNearLines({ url, dialect, random })
  const openLine = (onDial?: () => void): Line =>
    createLine(dialler, { onDial, ...(nearLines && { near: nearLines.openSlot() }) })
  const lines = Array.from({ length: limits.postgresConnections }, (_, i) =>
    // After a new connection reads may come from another server, so nothing older is kept.
    openLine(i < forReads ? () => cache.invalidateAll() : undefined),
  )
  const checks = createChecks(createLine(dialler), cache)
  const reads = new ReadLines(lines.slice(0, forReads), dialect)
  const room = openRoom((bytes) =>
    run('proveRoom', createFiller(64, random), createFiller(bytes, random)),
  )
  const mover = await loadMover(dialect, () => createLine(dialler))
  const watch = openWatch(createLine(dialler), nearLines, mover)
  const steps = new StepLines(lines.slice(forReads), dialect, random, room, mover?.beforeStep)
  const run = runBy((step) => steps.add(step))
  const findMachines = async (): Promise<void> => dialect.machines?.look(ask)
  let closing: Promise<void> | null = null

  /** The first ping after a want of room tells of the want, also if the room is back. */
  const proveRoom = async (): Promise<never> => {
    await room.prove()
    throw new StoreFault('failed', 'a write found no room on the disk of the database')
  }

  /** The settings of the server may have changed under connections that live on. */
  const runAndAsk: Database['run'] = async (name, ...args) => {
    if (name === 'ping' && room.isLacking()) await proveRoom()
    if (name === 'noteTime') {
      mover?.noteTime((args as StepArguments<'noteTime'>)[1])
      watch?.look()
    }
    const asked = reads.read(statement(askDurability)).then(([row]) => durability.note(row))
    // A check without need keeps its connection from being cut off as idle.
    const [outcome] = await Promise.all([run(name, ...args), asked, checks.check(), findMachines()])
    durability.check()
    return outcome
  }

  const close = async (): Promise<void> => {
    await Promise.all([checks.close(), watch?.close()])
    await Promise.all([reads.drain(), steps.drain()])
    await Promise.all([...lines.map((line) => line.close()), nearLines?.close(), mover?.close()])
  }

  await findMachines()
  return {
    read: openRead(reads, dialect, mover),
    run: (name, ...args) => (asksAgain.has(name) ? runAndAsk : run)(name, ...args),
    check: checks.check,
    isDistributed: keys !== null,
    notes,
    ...(watch === null ? {} : { findWorkers: async () => addFault(await watch.find(), mover) }),
    readsWait: true,
    machines: dialect.machines === null ? null : { locate: dialect.locate },
    watched: watchLoad(lines, steps, reads),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
