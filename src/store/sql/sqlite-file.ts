/** The database file of the embedded store: whose it is, whether it is sound, and how it begins. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { limits } from '../../config/limits.ts'
import { StoreRefusal } from '../fault.ts'
import { migrations, schemaVersion } from './migrate.ts'
import { faultOf } from './sqlite-batch.ts'

/** "Ltch" in the header of the file: this is one of ours. */
const applicationId = 0x4c746368

/** SQLITE_BUSY. */
const busy = 5

const pragma = (database: DatabaseSync, name: string): unknown =>
  Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0]

/**
 * Never opens a file that is there: to close it again would let go of every lock that this process
 * holds on it (POSIX.1-2024, `fcntl`).
 */
const createIfMissing = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'EEXIST')) throw fault
  }
}

const syncFolder = (path: string): void => {
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/**
 * Holds the file for this process: a lock of the operating system on a file beside it, which ends
 * with the process however that ends.
 */
export const lockFile = (path: string): DatabaseSync => {
  // Whatever links lead to it, a file has one lock.
  const lockPath = `${existsSync(path) ? realpathSync(path) : path}.lock`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    createIfMissing(lockPath)
  } catch {
    throw new StoreRefusal(`the database ${path} cannot be used: its folder is not writable`)
  }
  const lock = new DatabaseSync(lockPath, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    const why =
      (faultOf(error) & 0xff) === busy ? 'is in use by another process' : 'cannot be locked'
    throw new StoreRefusal(`the database ${path} ${why}`)
  }
}

const migrate = (database: DatabaseSync, from: number): void => {
  for (const { version, statements } of migrations.filter((one) => one.version > from)) {
    database.exec('begin immediate')
    for (const sql of statements) {
      // A text key is the row's own place, instead of an index beside rows in another order.
      database.exec(sql.startsWith('create table') ? `${sql} without rowid` : sql)
    }
    database.exec(`pragma user_version = ${version}`)
    database.exec('commit')
  }
}

/** A new database is made under another name, so that one which is there at all is whole. */
const createDatabase = (path: string): void => {
  const fresh = `${path}.new`
  for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(fresh + rest, { force: true })
  createIfMissing(fresh)
  const database = new DatabaseSync(fresh)
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  database.exec(`pragma application_id = ${applicationId}`)
  migrate(database, 0)
  database.close()
  renameSync(fresh, path)
  syncFolder(path)
}

/** A look at both ends of every table of a file that is too large to be read whole. */
const readEnds = (database: DatabaseSync): boolean => {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  for (const { name } of tables) {
    const columns = database.prepare(`pragma table_info("${name}")`).all()
    const keys = columns.filter((column) => Number(column.pk) > 0).map((column) => column.name)
    for (const direction of ['asc', 'desc']) {
      const order = keys.map((key) => `"${key}" ${direction}`).join(', ')
      database.prepare(`select * from "${name}" order by ${order} limit 100`).all()
    }
  }
  return pragma(database, 'quick_check(sealing_keys)') === 'ok'
}

/** @param bytes the size of the file, or null where it cannot be believed */
const isSound = (database: DatabaseSync, bytes: number | null): boolean => {
  const expected = Number(pragma(database, 'page_count')) * Number(pragma(database, 'page_size'))
  if (bytes !== null && expected > bytes) return false
  if (expected > limits.wholeCheckBytes) return readEnds(database)
  return pragma(database, 'quick_check(1)') === 'ok'
}

/** Refuses what belongs to others or to a newer version, and says which version of the schema it has. */
const versionOf = (database: DatabaseSync, path: string): number => {
  if (pragma(database, 'application_id') !== applicationId) {
    throw new StoreRefusal(`the database ${path} belongs to another program`)
  }
  const version = Number(pragma(database, 'user_version'))
  if (version > schemaVersion) {
    throw new StoreRefusal(
      `the database ${path} was written by a newer version of this program ` +
        `(its schema is ${version}, this one knows ${schemaVersion})`,
    )
  }
  return version
}

/** Refuses what a reader of this version could not read. */
export const checkOurs = (database: DatabaseSync, path: string): void => {
  const version = versionOf(database, path)
  if (version < schemaVersion) {
    throw new StoreRefusal(
      `the database ${path} was written by an older version of this program; ` +
        'start the service once, which brings it up to date',
    )
  }
}

/**
 * What the journal still holds goes into the file, so that its size can be believed. A backup that
 * is being taken keeps a part of it back.
 */
const emptyJournal = (database: DatabaseSync): boolean =>
  pragma(database, 'wal_checkpoint(truncate)') === 0

const checkDatabase = (database: DatabaseSync, path: string): void => {
  const version = versionOf(database, path)
  if (!isSound(database, emptyJournal(database) ? statSync(path).size : null)) {
    throw new StoreRefusal(`the database ${path} is damaged; restore it from a backup`)
  }
  migrate(database, version)
}

/** Creates what is missing, refuses what is not sound or not ours, and brings it up to date. */
export const prepareFile = (path: string): void => {
  const journal = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0
  if (!existsSync(path)) {
    if (journal) throw new StoreRefusal(`the database ${path} is missing, but its journal is there`)
    createDatabase(path)
  }
  if (statSync(path).size === 0) {
    throw new StoreRefusal(`the database ${path} is empty; restore it, or remove it to begin anew`)
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch {
    throw new StoreRefusal(`the database ${path} cannot be read and written by this process`)
  }
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path)
    checkDatabase(database, path)
  } catch (error) {
    if (error instanceof StoreRefusal) throw error
    throw new StoreRefusal(`the database ${path} is damaged or not a database of this program`)
  } finally {
    database?.close()
  }
}
