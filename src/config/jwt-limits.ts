/** Limits of JWT access tokens. Times in seconds. */

export const jwtLimits = {
  /** The lifetime where the client's own has no end: nobody could call such a token back for good. */
  unlimitedSeconds: 3600,
  /** Longest lifetime. The feed of revocations reaches back as far, and APIs hold it in memory. */
  longestSeconds: 24 * 3600,
  /** Revocations are kept for so much longer: clocks differ, and a commit may be late. */
  keptSeconds: 3600,
} as const
