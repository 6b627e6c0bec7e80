/** Limits of device authorizations that no operator sets. Times in seconds. */

export const deviceLimits = {
  /**
   * A device hears for so long after the end of its code that the code has expired. No journey of its
   * owner lives longer, so nobody approves what is gone.
   */
  rememberedSeconds: 3600,
  /** Codes that one address may ask for within the life of a code, without proving to be a client. */
  ofAddress: 50,
  /** Undecided or approved codes of strangers: of one network (/24 or /48), and of all. */
  ofNetwork: 200,
  inAll: 50_000,
  /** What a device asks for: the row and the journey carry it. */
  parameterCharacters: 8 * 1024,
  /** A typed code; of a longer text nothing is looked at. */
  typedCharacters: 64,
  /** New user codes, until one is not taken. */
  codesTried: 5,
} as const
