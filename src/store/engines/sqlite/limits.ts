/** Limits of an embedded database: its journal and its check. */
export const sqliteLimits = {
  /** The journal of an embedded database goes into its file after so long without work, or so many changed rows. */
  journalIdleMilliseconds: 100,
  journalRows: 10_000,
  /** Once its journal is in the file, its own file keeps no more than so many bytes for what comes next. */
  journalBytes: 32 * 1024 * 1024,
  /** An embedded database up to this size is checked whole at every start, a larger one in part. */
  wholeCheckBytes: 32 * 1024 * 1024,
} as const
