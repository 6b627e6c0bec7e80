/**
 * The one store of all simulated nodes: the real steps on an in-memory database, with network
 * faults in between. The scheduler chooses the moment of each step.
 *
 * Two ways to run a step. `whole`: at one moment, as under SERIALIZABLE; a failing statement rolls
 * its step back. `turns`: statements of different steps take turns, each with effect at once. That
 * is weaker than READ COMMITTED in a real engine: no locks, and others see uncommitted rows. A
 * promise that holds here holds there. In `turns`, a step that began is never rolled back; faults
 * strike before its first statement or after its last.
 */
import { DatabaseSync } from 'node:sqlite'
import { createRunner, type Runner } from '../../src/store/engines/sqlite/compiled.ts'
import { type FaultReason, StoreFault } from '../../src/store/fault.ts'
import { schema } from '../../src/store/schema/migrate.ts'
import type { Database } from '../../src/store/sql/database.ts'
import type { Read, Rows, Step } from '../../src/store/sql/statement.ts'
import { beginStep, type Call, type StepName, type StepOutcome } from '../../src/store/sql/steps.ts'
import type { Chance } from './chance.ts'
import type { Scheduler } from './scheduler.ts'

export type Isolation = 'whole' | 'turns'

/** What can go wrong between a node and the store; it changes while a simulation runs. */
export interface Link {
  /** The node at its end. */
  readonly name: string
  /** False: every step and read fails, having done nothing. */
  connected: boolean
  /** Of so many, one fails before it is done, and one whose answer is lost. */
  failing: number
  /** Typical milliseconds of one way. */
  latency: number
  /** Grows at each crash of the node: what an earlier life asked is never answered. */
  life: number
}

/** Begins a step for a node. A simulation of a broken program puts other steps in place of the real ones. */
export type Begin = (call: Call, link: Link) => Step<unknown>

/** Told of every event; the text is made only where somebody reads it. */
export type Note = (text: () => string) => void

/** The planted bug of a broken program. */
export interface Flaws {
  readonly begin?: Begin
  /** Steps that are acknowledged before they are done. */
  readonly early?: readonly StepName[]
  /** For so long a node answers reads out of its own memory. */
  readonly staleMilliseconds?: number
}

export interface World {
  readonly scheduler: Scheduler
  readonly chance: Chance
  readonly isolation: Isolation
  readonly flaws: Flaws
  readonly note: Note
}

/** A database and what speaks to it. */
export interface Memory {
  readonly database: DatabaseSync
  readonly query: Runner
}

/** An empty database with the schema; it is used for many runs, each of which is taken back. */
export const createMemory = (): Memory => {
  const database = new DatabaseSync(':memory:')
  for (const sql of schema.statements) database.exec(sql)
  return { database, query: createRunner(database) }
}

/** How often a call of a crashed node still reaches the store. */
const outlives = 0.5
/** How often an answer takes a way of its own, so that others see what is not acknowledged yet. */
const tarries = 0.3

/** An early acknowledgement is written so much later. */
const lateMilliseconds = 100

const fault = (reason: FaultReason): StoreFault =>
  new StoreFault(reason, `a simulated fault: ${reason}`)

export const createSharedStore = ({ database, query }: Memory, world: World) => {
  const { scheduler, chance, note, flaws } = world
  const { begin = beginStep, early = [], staleMilliseconds = 0 } = flaws

  const runWhole = (step: Step<unknown>): unknown => {
    database.exec('savepoint step')
    try {
      let next = step.next([])
      while (!next.done) next = step.next(query(next.value))
      return next.value
    } catch (error) {
      database.exec('rollback to step')
      throw error
    } finally {
      database.exec('release step')
    }
  }

  const runInTurns = async (step: Step<unknown>, pause: () => Promise<void>): Promise<unknown> => {
    let next = step.next([])
    while (!next.done) {
      next = step.next(query(next.value))
      if (!next.done) await pause()
    }
    return next.value
  }

  /** Mostly about the typical time, now and then ten times as long. */
  const delay = ({ latency }: Link): number =>
    latency * chance.next() * 2 * (chance.flip(0.03) ? 10 : 1)

  const never = new Promise<never>(() => {})

  /** One way to the store and back, with what may happen on it. */
  const travel = async <Outcome>(
    link: Link,
    name: string,
    work: () => Outcome | Promise<Outcome>,
  ): Promise<Outcome> => {
    const { life } = link
    const fate = chance.next()
    const [thither, back] = [delay(link), chance.flip(tarries) ? delay(link) : 0]
    const [stays, isLost] = [chance.flip(outlives), fate > 1 - link.failing]
    await scheduler.sleep(thither)
    if (link.life !== life && !stays) return never
    if (!link.connected || fate < link.failing) {
      note(() => `${link.name}: ${name} does not reach the store`)
      throw fault('unreachable')
    }
    let outcome: Outcome
    try {
      outcome = await work()
    } catch (error) {
      note(() => `${link.name}: ${name} fails: ${String(error)}`)
      throw fault('failed')
    }
    note(() => `${link.name}: ${name} is done`)
    if (back > 0) await scheduler.sleep(back)
    if (link.life !== life) return never
    if (isLost) {
      note(() => `${link.name}: the answer of ${name} is lost`)
      throw fault('indeterminate')
    }
    return outcome
  }

  const runStep = (link: Link, call: Call): unknown => {
    const step = begin(call, link)
    const pause = (): Promise<void> => scheduler.sleep(delay(link))
    return world.isolation === 'whole' ? runWhole(step) : runInTurns(step, pause)
  }

  /** A cache as one should not have it; of no use with the real program. */
  const remember = (read: Read): Read => {
    const kept = new Map<string, { readonly rows: Rows; readonly until: number }>()
    return async (sql, params) => {
      const key = JSON.stringify([sql, params])
      const known = kept.get(key)
      if (known !== undefined && known.until > scheduler.now) return known.rows
      const rows = await read(sql, params)
      kept.set(key, { rows, until: scheduler.now + staleMilliseconds })
      return rows
    }
  }

  /** The port of one node. */
  const connect = (link: Link): Database => {
    const read: Read = (sql, params) => travel(link, 'a read', () => query({ sql, params }))
    return {
      read: staleMilliseconds === 0 ? read : remember(read),
      run: async (name, ...args) => {
        const write = () => travel(link, name, () => runStep(link, { name, args }))
        if (!early.includes(name)) return (await write()) as StepOutcome<typeof name>
        scheduler.after(lateMilliseconds, () => void write().catch(() => {}))
        return undefined as StepOutcome<typeof name>
      },
      readsWait: true,
      close: async () => {},
    }
  }

  return { connect }
}
