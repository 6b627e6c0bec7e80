/** A node on PostgreSQL: how long it waits for what, and how often it tries. */
export const postgresLimits = {
  leastVersion: 13,
  connectMilliseconds: 5000,
  /** One statement at the server, and the wait for one lock. */
  statementMilliseconds: 5000,
  lockMilliseconds: 1000,
  /** Until an answer has come; after that the connection is given up. */
  answerMilliseconds: 7500,
  /** How long another node may take to bring the schema up to date. */
  migrationMilliseconds: 60_000,
  tries: 8,
  /** A slow machine has many transactions under way, and each of them may be in the way. */
  raceTries: 16,
  /** The wait before a step is tried again after a conflict; doubled for each of the first tries. */
  conflictMilliseconds: 2,
  /** After a failure to connect nobody tries for so long; doubled each time up to the longest. */
  firstRestMilliseconds: 50,
  longestRestMilliseconds: 1000,
} as const
