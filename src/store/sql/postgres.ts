/** The PostgreSQL driver: reads and steps on lines of their own, each sent with those beside it. */
import { limits } from '../../config/limits.ts'
import type { Database } from './database.ts'
import { askDurability, Durability } from './postgres-durability.ts'
import { Dialler, openLines, type RandomBytes } from './postgres-line.ts'
import { ReadLines } from './postgres-reads.ts'
import { prepareDatabase } from './postgres-start.ts'
import { StepLines } from './postgres-steps.ts'
import { statement } from './statement.ts'
import type { StepName, StepOutcome } from './steps.ts'

/** Every node notes the time every few seconds, and a ping promises that a write is durable. */
const asksAgain: ReadonlySet<StepName> = new Set(['noteTime', 'ping'])

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with whatever else libpq takes in its query. */
  readonly url: string
  /** Spreads what is tried again. */
  readonly random: RandomBytes
}

/**
 * Opens a database that other nodes may use at the same time.
 *
 * @throws StoreRefusal if it is unreachable, unsafe, or belongs to another program
 */
export const openPostgres = async ({ url, random }: PostgresOptions): Promise<Database> => {
  await prepareDatabase(url)
  const durability = new Durability()
  const dialler = new Dialler(url, durability, random)
  const readLines = openLines(limits.postgres.readConnections, dialler)
  const stepLines = openLines(limits.postgres.stepConnections, dialler)
  const reads = new ReadLines(readLines)
  const steps = new StepLines(stepLines, random)
  let closing: Promise<void> | null = null

  const run: Database['run'] = (name, ...args) =>
    new Promise((resolve, reject) => {
      steps.add({
        name,
        args,
        resolve: (outcome) => resolve(outcome as StepOutcome<typeof name>),
        reject,
      })
    })

  /** The settings of the server may have changed under connections that live on. */
  const runAndAsk: Database['run'] = async (name, ...args) => {
    const asked = reads.read(statement(askDurability)).then(([row]) => durability.note(row))
    const [outcome] = await Promise.all([run(name, ...args), asked])
    durability.check()
    return outcome
  }

  const close = async (): Promise<void> => {
    await Promise.all([reads.drain(), steps.drain()])
    await Promise.all([...readLines, ...stepLines].map((line) => line.close()))
  }

  return {
    read: (sql, params) => reads.read({ sql, params }),
    run: (name, ...args) => (asksAgain.has(name) ? runAndAsk : run)(name, ...args),
    readsWait: true,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
