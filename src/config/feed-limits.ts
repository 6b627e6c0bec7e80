/** Limits of the feed of revocations. Times in seconds. */

export const feedLimits = {
  /** A poll waits so long for news, in ticks of the store's timer (`storeTickMilliseconds`). */
  waitTicks: 100,
  /** Revocations in one answer; a poll may ask for fewer. */
  revocations: 100,
  /** Polls that wait at once. Further ones are answered at once. */
  polls: 10_000,
  /** Revocations that get their positions in one step. */
  placedTogether: 500,
  cursorCharacters: 100,
} as const
