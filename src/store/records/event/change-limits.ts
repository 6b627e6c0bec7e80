/** Limits of what nodes on one PostgreSQL tell one another of their changes (decision 0069). */
export const changeLimits = {
  /** Transactions that one check takes in. After more than that, the whole cache is invalidated. */
  transactions: 1000,
  /** The rows of changes are swept so often. Each sweep invalidates the cache of every node. */
  sweepSeconds: 60,
  /** Rows that one sweep deletes at most, so that it stays within the time limit of a statement. */
  sweptRows: 300_000,
  /** A node of an earlier version counts as running for so long after it noted its time. */
  earlierNodeSeconds: 60,
} as const
