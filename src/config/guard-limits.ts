/** Limits of the guard in other people's programs. Times in seconds. */

export const guardLimits = {
  /** How long the guard waits for an answer of the issuer. */
  issuerSeconds: 5,
  /** Answers in the cache of the guard. The oldest one goes first. */
  rememberedTokens: 10_000,
  /** Longest time in the cache. */
  cacheSeconds: 3600,
  /** Wrong audiences that the log is told of. Callers bring them, so there is an end. */
  audiencesTold: 20,
} as const
