/** The worker thread that does all the writing of the embedded store. */
import { flushCompileCache } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { engineLimits } from '../../limits.ts'
import { createPerformer, performBatch, type WriterAnswer, type WriterWork } from './batch.ts'
import { faultOf, isFatal, moved } from './fault.ts'
import { markClosed, markOpen } from './header.ts'
import { sqliteLimits } from './limits.ts'
import { watchPlace } from './place.ts'

/**
 * A message to the writer: a batch, a numbered SQL text for later work, `closing` to mark the file
 * as closed, or null to close.
 */
export type WriterOrder = readonly WriterWork[] | { readonly text: string } | 'closing' | null

/**
 * A message from the writer: the answers of a batch; before them, perhaps, a foreign write to the
 * database; or a file marked as closed.
 */
export type Report = readonly WriterAnswer[] | 'foreign' | 'closed'

const database = new DatabaseSync(String(workerData), { timeout: engineLimits.lockMilliseconds })
database.exec('pragma journal_mode = wal')
database.exec('pragma synchronous = full')
database.exec('pragma foreign_keys = on')
// SQLite keeps the errors of its own checkpoints to itself, and a failed fsync must not go unseen.
database.exec('pragma wal_autocheckpoint = 0')
database.exec(`pragma journal_size_limit = ${sqliteLimits.journalBytes}`)
markOpen(database)
const texts: string[] = []
const perform = createPerformer(database, texts)
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')
// The mark has to be in the file itself before anything is acknowledged. A backup that is being taken
// may keep it back until the next checkpoint.
checkpoint.all()
const isInPlace = watchPlace(String(workerData))
let idle: NodeJS.Timeout | undefined
let tidiedAt = 0

const changed = database.prepare('select total_changes() as rows')
const changes = (): number => Number(changed.get()?.rows)

const tidyUp = (): void => {
  tidiedAt = changes()
  try {
    checkpoint.all()
  } catch (error) {
    // A full disk passes; after a failed fsync this thread ends, and with it the store.
    if (isFatal(faultOf(error))) throw error
  }
}

const version = database.prepare('pragma data_version')
/** Moves on with each commit of anybody but this thread. */
const foreignVersion = (): number => Number(version.get()?.data_version)
let knownVersion = foreignVersion()

const wasForeign = (): boolean => {
  const known = knownVersion
  try {
    knownVersion = foreignVersion()
    return knownVersion !== known
  } catch {
    return true
  }
}

const tell = (report: Report): void => parentPort?.postMessage(report)

const work = (orders: readonly WriterWork[]): void => {
  clearTimeout(idle)
  const answers = isInPlace()
    ? performBatch(database, perform, orders)
    : orders.map(() => ({ fault: moved }))
  if (wasForeign()) tell('foreign')
  tell(answers)
  if (changes() - tidiedAt >= sqliteLimits.journalRows) tidyUp()
  else idle = setTimeout(tidyUp, sqliteLimits.journalIdleMilliseconds)
}

const sayClosed = (): void => {
  clearTimeout(idle)
  markClosed(database)
  tell('closed')
}

const close = (): void => {
  clearTimeout(idle)
  database.close()
  parentPort?.close()
}

parentPort?.on('message', (order: WriterOrder) => {
  if (order === null) close()
  else if (order === 'closing') sayClosed()
  else if ('text' in order) texts.push(order.text)
  else work(order)
})
parentPort?.postMessage(null)
// This thread keeps its own compiled code, and may be killed at any time.
flushCompileCache()
