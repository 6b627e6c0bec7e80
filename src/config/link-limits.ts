/** Limits of links: how long each works, and how often one may be asked for. Times in seconds. */

const hour = 3600

export const linkLimits = {
  /** How long an authorization request waits while somebody looks for a mail. */
  waitingSeconds: hour,
  /** The page after a form repeats the typed name, and the login after a reset has it, for so long. */
  typedSeconds: 600,
  /** Browsers keep cookies of 4,096 bytes, name and value together. */
  waitingCookieCharacters: 3_900,
} as const
