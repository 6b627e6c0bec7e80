/**
 * The header of a database file: whose it is, and whether a journal belongs to it.
 *
 * The latest commits are in the journal (the `-wal` file) alone until a checkpoint copies them.
 * SQLite opens a database without its journal as if there had never been one. So a service marks
 * the file while it has it open, and a marked file without a journal is refused.
 */
import { realpathSync, statSync } from 'node:fs'
import type * as sqlite from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { StoreRefusal } from '../../fault.ts'
import { getFaultCode, isFatal } from './fault.ts'

/**
 * Looked up at run time. An import of `node:sqlite` would end an older Node before
 * `config/node-version.ts` can say what is wrong.
 */
export type DatabaseSync = sqlite.DatabaseSync
export const DatabaseSync = process.getBuiltinModule('node:sqlite')?.DatabaseSync

/**
 * "Ltch": a database of Latchkey, closed. "LtcO": one that a service has open, or had when it was
 * killed.
 */
const closedId = 0x4c746368
const openId = 0x4c74634f

/** A header of 32 bytes, and one page with a header of 24 (SQLite, "The WAL File Format"). */
const leastJournalBytes = 32 + 24 + 512

export const readPragma = (database: DatabaseSync, name: string): unknown =>
  Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0]

export const isOurs = (database: DatabaseSync): boolean => {
  const id = readPragma(database, 'application_id')
  return id === closedId || id === openId
}

export const isMarkedOpen = (database: DatabaseSync): boolean =>
  readPragma(database, 'application_id') === openId

/** A commit as any other: it reaches the file itself with the next checkpoint. */
export const markOpen = (database: DatabaseSync): void =>
  database.exec(`pragma application_id = ${openId}`)

export const markClosed = (database: DatabaseSync): void =>
  database.exec(`pragma application_id = ${closedId}`)

/** An open database, unless its beginning fails: then it is closed again. */
export const beginOrClose = (
  database: DatabaseSync,
  begin: (database: DatabaseSync) => void,
): DatabaseSync => {
  try {
    begin(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Reads the file itself: without its journal, without a lock, and without writing anything. */
const readImmutable = <Result>(path: string, read: (database: DatabaseSync) => Result): Result => {
  const url = pathToFileURL(realpathSync(path))
  url.search = '?immutable=1'
  const database = new DatabaseSync(url, { readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

export const notOurs = (path: string): StoreRefusal =>
  new StoreRefusal(`the database ${path} belongs to another program`)

export const unreadable = (path: string): StoreRefusal =>
  new StoreRefusal(`the database ${path} is damaged or not a database of this program`)

/** Refuses the file of another program before anything is written, to it or beside it. */
export const refuseForeign = (path: string): void => {
  try {
    // An empty file belongs to nobody.
    if (statSync(path).size > 0 && !readImmutable(path, isOurs)) throw notOurs(path)
  } catch (error) {
    if (error instanceof StoreRefusal) throw error
    if (isFatal(getFaultCode(error))) throw unreadable(path)
    // No file exists yet, or it cannot be opened: whoever opens it for writing says why.
  }
}

/** Refuses a file that was not closed and has lost its journal since. Only for whoever holds the lock. */
export const refuseWithoutJournal = (path: string): void => {
  if (!readImmutable(path, isMarkedOpen)) return
  const journal = statSync(`${realpathSync(path)}-wal`, { throwIfNoEntry: false })
  if ((journal?.size ?? 0) >= leastJournalBytes) return
  throw new StoreRefusal(
    `the database ${path} was not closed, and its journal ${path}-wal is missing or cut off: ` +
      'the latest changes are lost, such as revocations. Put the journal back. ' +
      'Or accept the loss, which ends every token: ' +
      `latchkey backup FILE, move ${path} away, latchkey restore FILE`,
  )
}
