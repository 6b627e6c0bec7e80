/** The port to an SQL engine: the driver's part of the store, for any engine. */
import type { Read } from './statement.ts'
import type { StepArguments, StepName, StepOutcome } from './steps.ts'

export interface Database {
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
  /** Answers what is under way, then lets go of everything. */
  readonly close: () => Promise<void>
}
