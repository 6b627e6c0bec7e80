/** A session: one connection to the database of a store, for work on its tables as whole things. */
import { openSqliteSession } from './sqlite-session.ts'
import type { Rows, Statement } from './statement.ts'

/**
 * `snapshot`: reads one and the same state all along, beside whoever writes. `empty`: to be filled;
 * made where there is none. `source`: read while nobody writes. `target`: to be filled, also where
 * that was begun before. All but a snapshot keep services away, where the engine can.
 */
export type Purpose = 'snapshot' | 'empty' | 'source' | 'target'

export interface Session {
  run(statement: Statement): Promise<Rows>
  /** `begin`, `commit`, `rollback`. A snapshot has its transaction already. */
  command(text: 'begin' | 'commit' | 'rollback'): Promise<void>
  close(): Promise<void>
}

/**
 * @param url `sqlite:PATH` or `postgres://...`, as the settings have it
 * @throws StoreRefusal with one sentence that says what is wrong with the database
 */
export const openSession = async (url: string, purpose: Purpose): Promise<Session> => {
  if (url.startsWith('sqlite:')) return openSqliteSession(url.slice('sqlite:'.length), purpose)
  const { openPostgresSession } = await import('./postgres-session.ts')
  return openPostgresSession(url, purpose)
}

/** Does the work in one transaction, and takes everything back where it fails. */
export const inTransaction = async <Result>(
  session: Session,
  work: () => Promise<Result>,
): Promise<Result> => {
  await session.command('begin')
  try {
    const result = await work()
    await session.command('commit')
    return result
  } catch (error) {
    // The first error is the one that tells what is wrong.
    await session.command('rollback').catch(() => {})
    throw error
  }
}
