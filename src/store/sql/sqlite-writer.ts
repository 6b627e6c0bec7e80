/** The worker thread that does all the writing of the embedded store. */
import { flushCompileCache } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '../../config/limits.ts'
import { createRunner, faultOf, isFatal, runBatch } from './sqlite-batch.ts'
import { statement } from './statement.ts'
import type { Call } from './steps.ts'

/** What the writer is told: steps to run together, or null to close. */
export type Order = readonly Call[] | null

const database = new DatabaseSync(String(workerData), { timeout: limits.lockMilliseconds })
database.exec('pragma journal_mode = wal')
database.exec('pragma synchronous = full')
database.exec('pragma foreign_keys = on')
// SQLite keeps the errors of its own checkpoints to itself, and a failed fsync must not go unseen.
database.exec('pragma wal_autocheckpoint = 0')
const run = createRunner(database)
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')
let idle: NodeJS.Timeout | undefined
let tidiedAt = 0

const changes = (): number => Number(run(statement('select total_changes() as rows'))[0]?.rows)

const tidyUp = (): void => {
  tidiedAt = changes()
  try {
    checkpoint.all()
  } catch (error) {
    // A full disk passes; after a failed fsync this thread ends, and with it the store.
    if (isFatal(faultOf(error))) throw error
  }
}

const work = (calls: readonly Call[]): void => {
  parentPort?.postMessage(runBatch(database, run, calls))
  if (changes() - tidiedAt >= limits.journalRows) tidyUp()
  else idle = setTimeout(tidyUp, limits.journalIdleMilliseconds)
}

parentPort?.on('message', (order: Order) => {
  clearTimeout(idle)
  if (order !== null) return work(order)
  database.close()
  parentPort?.close()
})
parentPort?.postMessage(null)
// What this thread compiled is its own to keep, and it may be killed at any time.
flushCompileCache()
