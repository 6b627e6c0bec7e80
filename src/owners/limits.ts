/** Limits of logins: free wrong tries, known browsers and passkeys. */
export const ownerLimits = {
  /**
   * Guessing passwords and one-time codes: some wrong tries are free, each further one sets a wait of
   * 1 s, 2 s, 4 s ... A counter that nobody touches for an hour starts anew.
   */
  attempts: {
    freeTries: 5,
    longestWaitSeconds: 900,
    forgetSeconds: 60 * 60,
    forgetAfter: 'last try',
  },
  /** More tries than anybody makes within an hour, for a counter that only adds up. */
  addedUp: { freeTries: 1_000_000_000, longestWaitSeconds: 1 },
  /**
   * Free wrong tries of strangers within an hour, by the bits of their network: so many times
   * `networkFreeTries`. An office or a
   * mobile carrier is one network with many people. So the hour begins with the first try:
   * otherwise it would never end.
   */
  networkFactor: { 32: 1, 64: 1, 56: 2, 48: 4 },
  /** A browser is known for so long after its last login, and knows so many owners. */
  knownBrowserSeconds: 180 * 24 * 3600,
  ownersOfBrowser: 4,
  knownBrowserCharacters: 400,
  /** A credential id has at most 1023 bytes (WebAuthn level 3, section 4), base64url. */
  passkeyIdCharacters: 1364,
  /** Each field of a passkey's response, as the browser sends it. */
  credentialCharacters: 8192,
} as const
