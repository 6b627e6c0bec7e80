/** All the writing of the embedded store, on a thread of its own (`writer.ts`). */
import { realpathSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { engineLimits } from '../../limits.ts'
import { createPerformer, performBatch, type WriterAnswer, type WriterWork } from './batch.ts'
import { getFaultCode, isFatal, moved } from './fault.ts'
import { markClosed, markOpen } from './header.ts'

/**
 * A message to the writer: a batch, a numbered SQL text for later work, `closing` to mark the file
 * as closed, or null to close. After `closing`, a removed file is not marked, but closed.
 */
export type WriterOrder = readonly WriterWork[] | { readonly text: string } | 'closing' | null

/**
 * A message from the writer: the answers of a batch; before them, perhaps, a foreign write to the
 * database; or a file marked as closed. The first one is null: the database is open.
 */
export type Report = readonly WriterAnswer[] | 'foreign' | 'closed'

/** What the writer uses of a `MessagePort`. */
export interface WriterPort {
  on(event: 'message', take: (order: WriterOrder) => void): unknown
  postMessage(report: Report | null): void
  close(): void
}

/** The journal goes into the file after so long without work, or so many changed rows. */
const journalIdleMilliseconds = 100
const journalRows = 10_000
/** Once it is in the file, its own file keeps no more than so many bytes for what comes next. */
const journalBytes = 32 * 1024 * 1024

const openDatabase = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path, { timeout: engineLimits.lockMilliseconds })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  database.exec('pragma foreign_keys = on')
  // SQLite keeps the errors of its own checkpoints to itself, and a failed fsync must not go unseen.
  database.exec('pragma wal_autocheckpoint = 0')
  database.exec(`pragma journal_size_limit = ${journalBytes}`)
  markOpen(database)
  return database
}

/** Device and inode of a file; null where there is none. */
const findFile = (file: string): string | null => {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}

/** Whether a path still names the open file. Writes into a removed one last as long as this process. */
const watchPlace = (path: string): (() => boolean) => {
  const opened = findFile(path)
  return () => findFile(path) === opened
}

/** Whether anybody but this connection has committed since the last call. */
const watchForeign = (database: DatabaseSync): (() => boolean) => {
  const version = database.prepare('pragma data_version')
  const readForeignVersion = (): number => Number(version.get()?.data_version)
  let knownVersion = readForeignVersion()
  return () => {
    const known = knownVersion
    try {
      knownVersion = readForeignVersion()
      return knownVersion !== known
    } catch {
      return true
    }
  }
}

/** Moves the journal into the file. */
const openJournal = (database: DatabaseSync) => {
  const checkpoint = database.prepare('pragma wal_checkpoint(passive)')
  // The mark has to be in the file itself before anything is acknowledged. A backup that is being
  // taken may keep it back until the next checkpoint.
  checkpoint.all()
  const changed = database.prepare('select total_changes() as rows')
  const countChanges = (): number => Number(changed.get()?.rows)
  let idle: NodeJS.Timeout | undefined
  let tidiedAt = 0
  const tidyUp = (): void => {
    tidiedAt = countChanges()
    try {
      checkpoint.all()
    } catch (error) {
      // A full disk passes; after a failed fsync this thread ends, and with it the store.
      if (isFatal(getFaultCode(error))) throw error
    }
  }
  return {
    rest: () => clearTimeout(idle),
    tidyUpSoon(): void {
      if (countChanges() - tidiedAt >= journalRows) tidyUp()
      else idle = setTimeout(tidyUp, journalIdleMilliseconds)
    },
  }
}

/** Writes to the database of a path as the messages of a port say. */
export const startWriting = (path: string, port: WriterPort): void => {
  const database = openDatabase(path)
  const texts: string[] = []
  const perform = createPerformer(database, texts)
  const journal = openJournal(database)
  const isInPlace = watchPlace(path)
  const isJournalInPlace = watchPlace(`${realpathSync(path)}-wal`)
  const wasForeign = watchForeign(database)

  const work = (orders: readonly WriterWork[]): void => {
    journal.rest()
    const answers =
      isInPlace() && isJournalInPlace()
        ? performBatch(database, perform, orders)
        : orders.map(() => ({ fault: moved }))
    if (wasForeign()) port.postMessage('foreign')
    port.postMessage(answers)
    journal.tidyUpSoon()
  }

  port.on('message', (order) => {
    // The mark would take the place of others in the journal, which a copy of a removed file needs.
    if (order === null || (order === 'closing' && !isInPlace())) {
      journal.rest()
      database.close()
      port.close()
    } else if (order === 'closing') {
      journal.rest()
      markClosed(database)
      port.postMessage('closed')
    } else if ('text' in order) texts.push(order.text)
    else work(order)
  })
  port.postMessage(null)
}
