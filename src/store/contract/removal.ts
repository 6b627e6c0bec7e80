/** The contract of the store: removing what is left of deleted clients and owners. */
import type { Trace } from './trace.ts'

/** Rows that outlive their client or owner for a while. */
export interface RemovalSteps {
  /**
   * Removes so many rows, at most, of a deleted client or owner; the row itself goes last. Says how
   * many went: none where nothing is left.
   */
  removeDeleted(mostRows: number, trace: Trace): Promise<number>
}
