/** Limits of password hashes, and of cached credentials. */
export const cryptoLimits = {
  /** Access tokens that are remembered as read and right, and as many secrets of clients. */
  verifiedRemembered: 4000,
  /**
   * Passwords that are hashed at the same time, and no more than there are cores. So many wait for that.
   */
  passwordHashesAtOnce: 2,
  passwordHashesWaiting: 200,
  /** Further places in the queue of password hashes, not for strangers; and the part of them for one owner. */
  passwordHashesReserved: 50,
  passwordHashesReservedOfOne: 2,
} as const
