/** The worker thread that does all the writing of the embedded store. */
import { realpathSync, statSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { engineLimits } from '../../limits.ts'
import { createPerformer, performBatch, type WriterAnswer, type WriterWork } from './batch.ts'
import { getFaultCode, isFatal, moved } from './fault.ts'
import { markClosed, markOpen } from './header.ts'

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

/** The journal goes into the file after so long without work, or so many changed rows. */
const journalIdleMilliseconds = 100
const journalRows = 10_000
/** Once it is in the file, its own file keeps no more than so many bytes for what comes next. */
const journalBytes = 32 * 1024 * 1024

const path = String(workerData)
const database = new DatabaseSync(path, { timeout: engineLimits.lockMilliseconds })
database.exec('pragma journal_mode = wal')
database.exec('pragma synchronous = full')
database.exec('pragma foreign_keys = on')
// SQLite keeps the errors of its own checkpoints to itself, and a failed fsync must not go unseen.
database.exec('pragma wal_autocheckpoint = 0')
database.exec(`pragma journal_size_limit = ${journalBytes}`)
markOpen(database)
const texts: string[] = []
const perform = createPerformer(database, texts)
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')
// The mark has to be in the file itself before anything is acknowledged. A backup that is being taken
// may keep it back until the next checkpoint.
checkpoint.all()

/** Device and inode of a file; null where there is none. */
const findFile = (file: string): string | null => {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}
const files = [path, `${realpathSync(path)}-wal`]
const opened = files.map(findFile)
/**
 * Whether the path still names the open database and its journal. Writes into a file that was
 * removed last as long as this process.
 */
const isInPlace = (): boolean => files.every((file, i) => findFile(file) === opened[i])

let idle: NodeJS.Timeout | undefined
let tidiedAt = 0

const changed = database.prepare('select total_changes() as rows')
const countChanges = (): number => Number(changed.get()?.rows)

const tidyUp = (): void => {
  tidiedAt = countChanges()
  try {
    checkpoint.all()
  } catch (error) {
    // A full disk passes; after a failed fsync this thread ends, and with it the store.
    if (isFatal(getFaultCode(error))) throw error
  }
}

const version = database.prepare('pragma data_version')
/** Moves on with each commit of anybody but this thread. */
const readForeignVersion = (): number => Number(version.get()?.data_version)
let knownVersion = readForeignVersion()

const wasForeign = (): boolean => {
  const known = knownVersion
  try {
    knownVersion = readForeignVersion()
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
  if (countChanges() - tidiedAt >= journalRows) tidyUp()
  else idle = setTimeout(tidyUp, journalIdleMilliseconds)
}

parentPort?.on('message', (order: WriterOrder) => {
  if (order === null) {
    clearTimeout(idle)
    database.close()
    parentPort?.close()
  } else if (order === 'closing') {
    clearTimeout(idle)
    markClosed(database)
    tell('closed')
  } else if ('text' in order) texts.push(order.text)
  else work(order)
})
parentPort?.postMessage(null)
// This thread keeps its own compiled code, and may be killed at any time.
flushCompileCache()
