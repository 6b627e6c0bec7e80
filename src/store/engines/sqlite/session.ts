/** A session on the database file of an embedded store. */
import { existsSync } from 'node:fs'
import { StoreFault, StoreRefusal } from '../../fault.ts'
import { engineLimits } from '../../limits.ts'
import type { Purpose, SqlSession } from '../../sql/database.ts'
import { createRunner } from './compiled.ts'
import { failed, findSqliteReason, getFaultCode, isFatal } from './fault.ts'
import { checkOurs, claimFile } from './file.ts'
import { beginOrClose, DatabaseSync, refuseForeign, unreadable } from './header.ts'

/** Does some work, and explains an error of it. */
const explain = <Result>(path: string, work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    if (error instanceof StoreRefusal || error instanceof StoreFault) throw error
    const fault = getFaultCode(error)
    if (isFatal(fault)) throw unreadable(path)
    const reason = findSqliteReason(fault)
    if (reason === undefined) throw failed('a session', fault)
    throw new StoreRefusal(`the database ${path} cannot be used: ${reason}`)
  }
}

const openSnapshot = (path: string): DatabaseSync => {
  refuseForeign(path)
  const reader = new DatabaseSync(path, { readOnly: true, timeout: engineLimits.lockMilliseconds })
  return beginOrClose(reader, (database) => {
    // The first read fixes the state that this session sees.
    database.exec('begin')
    checkOurs(database, path)
  })
}

const openAlone = (path: string): { database: DatabaseSync; lock: DatabaseSync } => {
  const lock = claimFile(path)
  try {
    const database = new DatabaseSync(path, { timeout: engineLimits.lockMilliseconds })
    database.exec('pragma synchronous = full')
    database.exec('pragma foreign_keys = on')
    return { database, lock }
  } catch (error) {
    lock.close()
    throw error
  }
}

/** @throws StoreRefusal */
export const openSqliteSession = async (path: string, purpose: Purpose): Promise<SqlSession> => {
  if (purpose !== 'empty' && !existsSync(path)) {
    throw new StoreRefusal(`there is no database ${path}`)
  }
  const { database, lock } = explain(path, () =>
    purpose === 'snapshot' ? { database: openSnapshot(path), lock: null } : openAlone(path),
  )
  const query = createRunner(database)
  return {
    run: async (statement) => explain(path, () => query(statement)),
    command: async (text) => explain(path, () => database.exec(text)),
    close: async () => {
      database.close()
      lock?.close()
    },
  }
}
