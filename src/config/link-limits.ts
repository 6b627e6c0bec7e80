/** Limits of links: how long each works, and how often one may be asked for. Times in seconds. */

const hour = 3600

export const linkLimits = {
  /** A link to a new password that the operator sends or hands over takes longer on its way. */
  handedResetSeconds: 24 * hour,
  /** Links that prove an email address, or make an account. */
  verifySeconds: 24 * hour,
  signUpSeconds: 24 * hour,
  /** How long an authorization request waits while somebody looks for a mail. */
  waitingSeconds: hour,
  /** The page after a form repeats the typed name, and the login after a reset has it, for so long. */
  typedSeconds: 600,
  /** Browsers keep cookies of 4,096 bytes, name and value together. */
  waitingCookieCharacters: 3_900,
} as const
