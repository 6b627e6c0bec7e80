/** The PostgreSQL driver: reads and steps on lines of their own, each sent with those beside it. */
import { limits } from '../../config/limits.ts'
import type { Database } from './database.ts'
import { Dialler, openLines, type Random } from './postgres-line.ts'
import { ReadLines } from './postgres-reads.ts'
import { prepareDatabase } from './postgres-start.ts'
import { StepLines } from './postgres-steps.ts'
import type { StepOutcome } from './steps.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with whatever else libpq takes in its query. */
  readonly url: string
  /** Spreads what is tried again. */
  readonly random: Random
}

/**
 * Opens a database that other nodes may use at the same time.
 *
 * @throws StoreRefusal where it cannot be reached, does not keep what it promises, or is not ours
 */
export const openPostgres = async ({ url, random }: PostgresOptions): Promise<Database> => {
  await prepareDatabase(url)
  const dialler = new Dialler(url, random)
  const readLines = openLines(limits.postgres.readConnections, dialler)
  const stepLines = openLines(limits.postgres.stepConnections, dialler)
  const reads = new ReadLines(readLines)
  const steps = new StepLines(stepLines, random)
  let closing: Promise<void> | null = null

  const close = async (): Promise<void> => {
    await Promise.all([reads.drain(), steps.drain()])
    await Promise.all([...readLines, ...stepLines].map((line) => line.close()))
  }

  return {
    read: (sql, params) => reads.read({ sql, params }),
    run: (name, ...args) =>
      new Promise((resolve, reject) => {
        steps.add({
          name,
          args,
          resolve: (outcome) => resolve(outcome as StepOutcome<typeof name>),
          reject,
        })
      }),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
