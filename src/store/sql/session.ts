/** A session: one connection to the database of a store, for work on its tables as whole things. */
import type { SqlSession } from './database.ts'

export type { SqlSession }

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
