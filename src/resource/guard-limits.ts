/** Limits of the guard in other people's programs. Times in seconds. */

export const guardLimits = {
  /** How long the guard waits for an answer of the issuer. */
  issuerSeconds: 5,
  /** Answers in the cache of the guard. The oldest one goes first. */
  rememberedTokens: 10_000,
  /** Longest time in the cache. */
  cacheSeconds: 3600,
  /** DPoP proofs in memory: so many in about a minute, of callers with right tokens. Then it refuses. */
  rememberedProofs: 500_000,
  /** Wrong audiences that the log is told of. Callers bring them, so there is an end. */
  audiencesTold: 20,

  /** The keys of the issuer are fetched anew for an unknown key, at most once in so long. */
  keysSeconds: 5,
  /** Each node of the issuer knows of a change of its keys within 10 s. */
  keysSettleSeconds: 15,
  /** A poll for revocations waits so long. */
  waitSeconds: 20,
  /** After a failed poll, the next JWT in so long tries again. */
  retrySeconds: 1,
  /** Without a JWT for so long, the polls rest until the next one. */
  idleSeconds: 120,
  /** Revocations in memory, and for how long: no JWT lives longer. */
  revocations: 100_000,
  revocationSeconds: 25 * 3600,
  /** The clocks of two nodes of the issuer may differ by so much. */
  clockSkewSeconds: 10,
  /** `staleSeconds` may be from and to. */
  staleSeconds: { least: 3, most: 3600, usual: 60 },
} as const
