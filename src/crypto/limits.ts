/** Limits of password hashes from elsewhere. */

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
