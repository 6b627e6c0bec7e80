/** The database file of the embedded store: whose it is, whether it is sound, and how it begins. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { syncFolderAtOnce } from '../../../config/sync-folder.ts'
import { StoreRefusal } from '../../fault.ts'
import { engineLimits } from '../../limits.ts'
import { type FoundColumn, listMends } from '../../schema/mend.ts'
import {
  findSchemaFault,
  listMigrations,
  type Migration,
  schema,
  schemaVersion,
} from '../../schema/migrate.ts'
import { diskFull, findReason, getFaultCode, isFatal } from './fault.ts'
import {
  beginOrClose,
  DatabaseSync,
  isMarkedOpen,
  isOurs,
  markClosed,
  notOurs,
  readPragma,
  refuseForeign,
  refuseWithoutJournal,
  unreadable,
} from './header.ts'

/** A database up to this size is checked whole at every start, a larger one in part. */
const wholeCheckBytes = 32 * 1024 * 1024

/** SQLITE_BUSY. */
const busy = 5

/**
 * Never opens an existing file. Closing it again would release every lock of this process on it
 * (POSIX.1-2024, `fcntl`).
 */
const createIfMissing = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'EEXIST')) throw fault
  }
}

/**
 * Locks the file for this process, by a lock of the operating system on a file beside it. The lock
 * ends with the process, however that ends.
 */
const lockFile = (path: string): DatabaseSync => {
  // A file has one lock, also when it is opened through links.
  const lockPath = `${existsSync(path) ? realpathSync(path) : path}.lock`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    createIfMissing(lockPath)
  } catch (error) {
    const reason = findReason(error) === diskFull ? diskFull : 'its folder is not writable'
    throw new StoreRefusal(`the database ${path} cannot be used: ${reason}`)
  }
  const lock = new DatabaseSync(lockPath, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    const inUse = (getFaultCode(error) & 0xff) === busy
    const why = inUse
      ? 'is in use by another process'
      : `cannot be locked: ${findReason(error) ?? error}`
    throw new StoreRefusal(`the database ${path} ${why}`, inUse)
  }
}

const apply = (database: DatabaseSync, { version, statements }: Migration): void => {
  database.exec('begin immediate')
  for (const sql of statements) {
    // A text key is the row's own place, instead of an index beside rows in another order.
    database.exec(sql.startsWith('create table') ? `${sql} without rowid` : sql)
  }
  database.exec(`pragma user_version = ${version}`)
  database.exec('commit')
}

const removeUnfinished = (fresh: string): void => {
  for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(fresh + rest, { force: true })
}

/**
 * A new database is made under another name and renamed once it is whole and durable. Until then it
 * has no WAL: to close a database hides that its last checkpoint failed, as on a full disk.
 */
const createDatabase = (path: string): void => {
  const fresh = `${path}.new`
  try {
    removeUnfinished(fresh)
    createIfMissing(fresh)
    const database = new DatabaseSync(fresh)
    try {
      database.exec('pragma synchronous = full')
      markClosed(database)
      // Nobody sees a new database before it is whole, so one commit is enough.
      apply(database, schema)
      database.exec('pragma journal_mode = wal')
    } finally {
      database.close()
    }
    renameSync(fresh, path)
    syncFolderAtOnce(path)
  } catch (error) {
    removeUnfinished(fresh)
    throw new StoreRefusal(`the database ${path} cannot be made: ${findReason(error) ?? error}`)
  }
}

/** A look at both ends of every table of a file that is too large to be read whole. */
const readEnds = (database: DatabaseSync): boolean => {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  const names = tables.map(({ name }) => String(name))
  for (const name of names) {
    const columns = database.prepare(`pragma table_info("${name}")`).all()
    const keys = columns.filter((column) => Number(column.pk) > 0).map((column) => column.name)
    for (const direction of ['asc', 'desc']) {
      const order = keys.map((key) => `"${key}" ${direction}`).join(', ')
      database.prepare(`select * from "${name}" order by ${order} limit 100`).all()
    }
  }
  return readPragma(database, 'quick_check(keys)') === 'ok'
}

/** @param bytes the size of the file, or null where it cannot be believed */
const isSound = (database: DatabaseSync, bytes: number | null): boolean => {
  const expected =
    Number(readPragma(database, 'page_count')) * Number(readPragma(database, 'page_size'))
  if (bytes !== null && expected > bytes) return false
  if (expected > wholeCheckBytes) return readEnds(database)
  return readPragma(database, 'quick_check(1)') === 'ok'
}

/** Refuses a file of another program, or of a version that is too new or too old, and returns its schema version. */
const readVersion = (database: DatabaseSync, path: string): number => {
  if (!isOurs(database)) throw notOurs(path)
  const version = Number(readPragma(database, 'user_version'))
  const fault = findSchemaFault(version)
  if (fault !== null) throw new StoreRefusal(`the database ${path} ${fault}`)
  return version
}

/** Refuses what a reader of this version could not read. */
export const checkOurs = (database: DatabaseSync, path: string): void => {
  const version = readVersion(database, path)
  if (version < schemaVersion) {
    throw new StoreRefusal(
      `the database ${path} was written by an older version of this program; ` +
        'start the service once, which brings it up to date',
    )
  }
}

const listColumns = (database: DatabaseSync): readonly FoundColumn[] =>
  database
    .prepare(
      `select t.name as "table", c.name as name, c."notnull" as filled
       from sqlite_schema t join pragma_table_info(t.name) c where t.type = 'table'`,
    )
    .all()
    .map(({ table, name, filled }) => ({
      table: String(table),
      name: String(name),
      isNullable: filled === 0,
    }))

const checkDatabase = (database: DatabaseSync, path: string): void => {
  const version = readVersion(database, path)
  // Before the journal is emptied: a marked file must never be seen without one.
  if (isMarkedOpen(database)) markClosed(database)
  // What the journal still holds goes into the file, so that its size can be believed. A backup that
  // is being taken keeps a part of it back.
  const isEmptied = readPragma(database, 'wal_checkpoint(truncate)') === 0
  if (!isSound(database, isEmptied ? statSync(path).size : null)) {
    throw new StoreRefusal(`the database ${path} is damaged; restore it from a backup`)
  }
  for (const migration of listMigrations(version)) apply(database, migration)
  const statements = listMends(listColumns(database))
  if (statements.length > 0) apply(database, { version: schemaVersion, statements })
}

/**
 * Works on a file whose journal has to survive a failure. The last connection to close deletes the
 * journal, so a second one stays open until the work is done.
 */
const keepJournal = (path: string, work: (database: DatabaseSync) => void): void => {
  const reader = openReader(path)
  try {
    const database = new DatabaseSync(path)
    try {
      work(database)
      reader.close()
    } finally {
      database.close()
    }
  } finally {
    if (reader.isOpen) reader.close()
  }
}

/** A connection that reads, and has the file open from now on. */
export const openReader = (path: string): DatabaseSync =>
  beginOrClose(
    new DatabaseSync(path, { readOnly: true, timeout: engineLimits.lockMilliseconds }),
    (reader) => void readPragma(reader, 'schema_version'),
  )

/** Creates a missing file, refuses an unsound or foreign one, and migrates its schema. */
export const prepareFile = (path: string): void => {
  const journal = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0
  if (!existsSync(path)) {
    if (journal) throw new StoreRefusal(`the database ${path} is missing, but its journal is there`)
    createDatabase(path)
  }
  if (!statSync(path).isFile()) throw unreadable(path)
  if (statSync(path).size === 0) {
    throw new StoreRefusal(`the database ${path} is empty; restore it, or remove it to begin anew`)
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch {
    throw new StoreRefusal(`the database ${path} cannot be read and written by this process`)
  }
  try {
    refuseWithoutJournal(path)
    keepJournal(path, (database) => checkDatabase(database, path))
  } catch (error) {
    if (error instanceof StoreRefusal) throw error
    if (isFatal(getFaultCode(error))) throw unreadable(path)
    throw new StoreRefusal(`the database ${path} cannot be used: ${findReason(error) ?? error}`)
  }
}

/**
 * Prepares the file for this process and holds it until the lock that is returned is closed.
 *
 * @throws StoreRefusal
 */
export const claimFile = (path: string): DatabaseSync => {
  refuseForeign(path)
  return beginOrClose(lockFile(path), () => prepareFile(path))
}
