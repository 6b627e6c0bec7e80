/** A session: one connection to the database of a store, for work on its tables as whole things. */
import type { Rows, Statement } from './statement.ts'

/**
 * `snapshot`: reads one state throughout, beside writers. `empty`: to be filled, and made if it is
 * missing. `source`: read while nobody writes. `target`: to be filled, also after an interrupted
 * copy. All but a snapshot keep services away, if the engine can.
 */
export type Purpose = 'snapshot' | 'empty' | 'source' | 'target'

export interface SqlSession {
  run(statement: Statement): Promise<Rows>
  /** `begin`, `commit`, `rollback`. A snapshot has its transaction already. */
  command(text: 'begin' | 'commit' | 'rollback'): Promise<void>
  close(): Promise<void>
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
