/** Limits of the counters in the store. Times in seconds. */

const hour = 3600
const day = 24 * hour

export const countLimits = {
  /** What a node counted is written so often. A crash loses at most that. */
  flushSeconds: 15,
  /** A span has a row for each of its periods, and keeps it for so long. */
  spans: {
    minute: { seconds: 60, keepSeconds: 2 * hour },
    hour: { seconds: hour, keepSeconds: 8 * day },
    day: { seconds: day, keepSeconds: 100 * day },
  },
  /** Clients with rows of their own in one period. All others are added up. */
  clients: { funnel: 100, guests: 50 },
  /** Steps of clients in memory, until the next write. */
  steps: 5000,
  /** Rows that one chart reads. */
  rowsRead: 100_000,
  /** Rows in one statement. */
  rowsTogether: 50,
} as const
