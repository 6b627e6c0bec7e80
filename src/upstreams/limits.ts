/** Limits of logins by upstreams. Times in seconds. */

export const upstreamLimits = {
  /** An answer of an upstream: its metadata, tokens, or claims. */
  bytes: 64 * 1024,
  /** Answers of a directory for one login: two entries with a few attributes. */
  directoryBytes: 16 * 1024,
  /** All questions for one of our answers; each has its own limit, too. */
  answerMilliseconds: 12_000,
  /** The metadata of an upstream are fetched again after so long, or so soon after a failure. */
  metadataSeconds: 3600,
  failureSeconds: 5,
  /** Requests under way to all upstreams, and to one host. */
  atOnce: 100,
  atOncePerHost: 50,
  /**
   * Pictures of owners: so many may wait to be fetched, and so many are fetched at once. The people of
   * one upstream share a host. Each takes at most so long.
   */
  picture: { waiting: 100, atOnce: 4, atOncePerHost: 4, milliseconds: 5000 },
  /** The clock of an upstream may be so far from ours. */
  skewSeconds: 60,
  /** OpenID Connect Core section 2. */
  subjectCharacters: 255,
  idTokenCharacters: 32 * 1024,
} as const
