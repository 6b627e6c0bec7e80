/** Limits of the feed of revocations. Times in seconds. */

export const feedLimits = {
  /** A poll waits at most so long for news, and one tick of the store's timer lasts so long. */
  waitSeconds: 25,
  ticksPerSecond: 4,
  /** APIs that wait for revocations at once, on one node: of all clients, and of one. */
  polls: 10_000,
  pollsPerClient: 1000,
  /** Revocations in one answer; a poll may ask for fewer. */
  revocations: 100,
  /** Revocations that get their positions in one step. */
  placedTogether: 500,
  cursorCharacters: 100,
} as const
