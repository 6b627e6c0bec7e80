/** Limits of links: how long each works, and how often one may be asked for. Times in seconds. */

const hour = 3600

export const linkLimits = {
  /** After its mail was sent. */
  seconds: { reset: hour / 2, invite: 7 * 24 * hour, verify: 24 * hour, signup: 24 * hour },
  /** A link that the operator hands over takes longer on its way. */
  handedOverSeconds: { reset: 24 * hour, invite: 7 * 24 * hour, verify: 24 * hour },
} as const
