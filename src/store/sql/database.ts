/** The port to an SQL engine: the driver's part of the store, for any engine. */

import type { Store, StoreGauges } from '../store.ts'
import type { Read, Rows, Statement } from './statement.ts'
import type { StepArguments, StepName, StepOutcome } from './steps.ts'

export interface Database extends Pick<Store, 'findWorkers' | 'isAlone' | 'notes'> {
  /** Reads the latest committed state. */
  readonly read: Read
  /**
   * Runs one step in a transaction, and answers once it is durable. Throws `StoreFault` if that is
   * not certain.
   */
  readonly run: <Name extends StepName>(
    name: Name,
    ...args: StepArguments<Name>
  ) => Promise<StepOutcome<Name>>
  /** False where a read answers at once, and so never has to be waited for. */
  readonly readsWait: boolean
  /** Absent where there is one machine alone. */
  readonly machines?: Store['machines']
  /** For monitoring; absent where nobody monitors it. */
  readonly watched?: {
    readonly load: () => Pick<StoreGauges, 'stepsWaiting' | 'pool'>
    /** Tells the size of the database in `bytes`. */
    readonly sizeSql: string
  }
  /** Answers what is under way, then lets go of everything. */
  readonly close: () => Promise<void>
}

/**
 * `snapshot`: reads one state throughout, beside writers. `empty`: to be filled, and made if it is
 * missing. `source`: read while nobody writes. `target`: to be filled, also after an interrupted
 * copy. All but a snapshot keep services away, if the engine can.
 */
export type Purpose = 'snapshot' | 'empty' | 'source' | 'target'

/** One connection, for work on tables as whole things. */
export interface SqlSession {
  run(statement: Statement): Promise<Rows>
  /** `begin`, `commit`, `rollback`. A snapshot has its transaction already. */
  command(text: 'begin' | 'commit' | 'rollback'): Promise<void>
  close(): Promise<void>
}

/** Does the work in one transaction, and takes everything back where it fails. */
export const runInTransaction = async <Result>(
  session: Pick<SqlSession, 'command'>,
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
