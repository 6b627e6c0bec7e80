/** Limits of password hashes, and of cached credentials. */

/** A hash from elsewhere must not be able to keep the service busy. */
export const hashLimits = {
  /** Upper bounds for one hash: about a second of one core, and 128 MiB. */
  cost: {
    bcryptRounds: 14,
    pbkdf2Iterations: 2_500_000,
    memoryBytes: 128 * 1024 * 1024,
    /** Argon2: bytes of memory times passes. */
    argon2Bytes: 1024 * 1024 * 1024,
    argon2Lanes: 16,
    /** Scrypt: N times r times p. */
    scryptBlocks: 2 ** 21,
  },
  /** A hash, and the salt in it. */
  hashBytes: { least: 16, most: 128 },
  saltBytes: 512,
} as const

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
