/** The worker thread that does all the writing of the embedded store. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { createRunner, faultOf, isFatal, runBatch } from './sqlite-batch.ts'
import type { Call } from './steps.ts'

/** What the writer is told: steps to run together, or null to close. */
export type Order = readonly Call[] | null

/** Milliseconds without work, or else steps, after which the journal goes into the file. */
const idleMilliseconds = 100
const mostSteps = 10_000

const database = new DatabaseSync(String(workerData), { timeout: 5000 })
database.exec('pragma journal_mode = wal')
database.exec('pragma synchronous = full')
database.exec('pragma foreign_keys = on')
// SQLite keeps the errors of its own checkpoints to itself, and a failed fsync must not go unseen.
database.exec('pragma wal_autocheckpoint = 0')
const run = createRunner(database)
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')
let idle: NodeJS.Timeout | undefined
let steps = 0

const tidyUp = (): void => {
  steps = 0
  try {
    checkpoint.all()
  } catch (error) {
    // A full disk passes; after a failed fsync this thread ends, and with it the store.
    if (isFatal(faultOf(error))) throw error
  }
}

const work = (calls: readonly Call[]): void => {
  parentPort?.postMessage(runBatch(database, run, calls))
  steps += calls.length
  if (steps >= mostSteps) tidyUp()
  else idle = setTimeout(tidyUp, idleMilliseconds)
}

parentPort?.on('message', (order: Order) => {
  clearTimeout(idle)
  if (order !== null) return work(order)
  database.close()
  parentPort?.close()
})
parentPort?.postMessage(null)
