/** A session: one connection to the database of a store, for work on its tables as whole things. */
import { openSqliteSession } from '../engines/sqlite/session.ts'
import type { Purpose, SqlSession } from './database.ts'

export type { SqlSession }

/**
 * @param url `sqlite:PATH` or `postgres://...`, as the settings have it
 * @throws StoreRefusal with one sentence about the fault of the database
 */
export const openSession = async (url: string, purpose: Purpose): Promise<SqlSession> => {
  if (url.startsWith('sqlite:')) return openSqliteSession(url.slice('sqlite:'.length), purpose)
  const { openPostgresSession } = await import('../engines/postgres/session.ts')
  return openPostgresSession(url, purpose)
}

/** Does the work in one transaction, and takes everything back where it fails. */
export const inTransaction = async <Result>(
  session: SqlSession,
  work: () => Promise<Result>,
): Promise<Result> => {
  await session.command('begin')
  try {
    const result = await work()
    await session.command('commit')
    return result
  } catch (error) {
    // The first error names the cause.
    await session.command('rollback').catch(() => {})
    throw error
  }
}
