/** A session on the database file of an embedded store. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { limits } from '../../config/limits.ts'
import { StoreFault, StoreRefusal } from '../fault.ts'
import type { Purpose, Session } from './session.ts'
import { faultOf, isFatal } from './sqlite-batch.ts'
import { createRunner } from './sqlite-compiled.ts'
import { checkOurs, lockFile, prepareFile } from './sqlite-file.ts'
import { failed } from './sqlite-queue.ts'

const damaged = (path: string): StoreRefusal =>
  new StoreRefusal(`the database ${path} is damaged or not a database of this program`)

/** By the number that SQLite gives the error. */
const reasons: Readonly<Record<number, string>> = {
  8: 'cannot be written by this process',
  13: 'cannot grow: the disk is full',
  14: 'cannot be read by this process',
}

const explain = (path: string, error: unknown): unknown => {
  if (error instanceof StoreRefusal || error instanceof StoreFault) return error
  const fault = faultOf(error)
  if (isFatal(fault)) return damaged(path)
  const reason = reasons[fault & 0xff]
  return reason === undefined
    ? failed('a session', fault)
    : new StoreRefusal(`the database ${path} ${reason}`)
}

const openSnapshot = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: limits.lockMilliseconds })
  try {
    // The first read fixes the state that this session sees.
    database.exec('begin')
    checkOurs(database, path)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const openAlone = (path: string): { database: DatabaseSync; lock: DatabaseSync } => {
  const lock = lockFile(path)
  try {
    prepareFile(path)
    const database = new DatabaseSync(path, { timeout: limits.lockMilliseconds })
    database.exec('pragma synchronous = full')
    database.exec('pragma foreign_keys = on')
    return { database, lock }
  } catch (error) {
    lock.close()
    throw error
  }
}

/** @throws StoreRefusal */
export const openSqliteSession = async (path: string, purpose: Purpose): Promise<Session> => {
  if (purpose !== 'empty' && !existsSync(path)) {
    throw new StoreRefusal(`there is no database ${path}`)
  }
  try {
    const { database, lock } =
      purpose === 'snapshot' ? { database: openSnapshot(path), lock: null } : openAlone(path)
    const query = createRunner(database)
    const explained = <Result>(work: () => Result): Result => {
      try {
        return work()
      } catch (error) {
        throw explain(path, error)
      }
    }
    return {
      run: async (statement) => explained(() => query(statement)),
      command: async (text) => explained(() => database.exec(text)),
      close: async () => {
        database.close()
        lock?.close()
      },
    }
  } catch (error) {
    throw explain(path, error)
  }
}
