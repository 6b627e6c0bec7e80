/**
 * The contract about revocations. A step that revokes writes them in its own transaction, without a
 * position: on several nodes transactions end in another order than they began. Another step gives
 * committed ones their positions, so a reader that goes on from a position misses none.
 */
import type { FeedHead, Revocation } from '../../model/revocation.ts'

/** Steps on revocations. */
export interface RevocationSteps {
  /** Whether any has no position yet. */
  isRevocationWaiting(): Promise<boolean>
  /**
   * Gives positions to at most so many that wait, and answers how many.
   *
   * @param epoch names the feed if it begins now
   */
  placeRevocations(epoch: string, most: number): Promise<number>
  /** Null before the first `placeRevocations`. */
  findFeedHead(): Promise<FeedHead | null>
  /** Revocations after a position, in the order of the feed. */
  listRevocations(after: number, limit: number): Promise<readonly Revocation[]>
}
