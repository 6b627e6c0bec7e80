/** Limits of ID tokens. */
export const idTokenLimits = {
  /** An ID token tells of one login, now: a client keeps its own session from then on. */
  seconds: 3600,
} as const
