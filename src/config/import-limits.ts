/** Limits of imported owners. A hash from elsewhere must not be able to keep the service busy. */
export const importLimits = {
  /** One line of a file. The file as a whole has no limit. */
  lineBytes: 64 * 1024,
  /** More than this without the end of a line is no such file. */
  longestLineBytes: 1024 * 1024,
  /** Names in one column of CSV, such as `claims.address.country`. */
  columnDepth: 20,
  /** Lines that go to the store together, and their characters: half of a command (`limits`). */
  batch: { lines: 200, characters: 128 * 1024 },
  /** Kinds of password hashes besides our own. Each wrong try at a password computes one of each. */
  hashKinds: 8,
  /** What one hash of each of these kinds may take together, as this machine measures it. */
  hashKindsMilliseconds: 2000,
  /** Upper bounds for one hash: about a second of one core, and 128 MiB. */
  hashCost: {
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
