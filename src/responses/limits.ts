/** Limits of authorization responses, in seconds. */

export const responseLimits = {
  /** A signed response. JARM section 2.1 recommends ten minutes at most. */
  signedSeconds: 600,
} as const
