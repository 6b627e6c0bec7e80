/** Limits of accounts and logins: wrong tries, known browsers, passkeys, passwords, links, and mails that wait. */

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
   * `networkFreeTries`. An office or a mobile carrier is one network with many people. So the hour
   * begins with the first try: otherwise it would never end.
   */
  networkFactor: { 32: 1, 64: 1, 56: 2, 48: 4 },
  /** Owners and known browsers of one network may guess so many times more often than strangers. */
  knownFactor: 20,
  /** A browser is known for so long after its last login, and knows so many owners. */
  knownBrowserSeconds: 180 * 24 * 3600,
  ownersOfBrowser: 4,
  knownBrowserCharacters: 400,
  /** A credential id has at most 1023 bytes (WebAuthn level 3, section 4), base64url. */
  passkeyIdCharacters: 1364,
  /** Each field of a passkey's response, as the browser sends it. */
  credentialCharacters: 8192,
  /** A second step of a login, or setting up a factor. */
  ceremonySeconds: 600,
  personNameCharacters: 200,
  usernameCharacters: 200,
  /** So many bytes hold 64 characters of any script (NIST SP 800-63B section 3.1.1.2). */
  passwordBytes: 256,
  recoveryCodes: 10,
  /** Tries at passwords and codes that wait for their turn, or to see whether others were right. */
  triesWaiting: 1000,
  /** A browser keeps the language that its owner chose. */
  languageSeconds: 365 * 86_400,
  /** Downloads of one owner within an hour. */
  downloads: { freeTries: 9, longestWaitSeconds: 3600, forgetSeconds: 3600 },
  /** The attributes of an owner, as JSON. Attributes are read at each use of `/userinfo`. */
  attributeCharacters: 16_384,
  /** Roles of an owner. Roles are read with each session. */
  roles: 20,
  /** Kinds of password hashes besides our own. Each wrong try at a password computes one of each. */
  hashKinds: 8,
  /** What one hash of each of these kinds may take together, as this machine measures it. */
  hashKindsMilliseconds: 2000,
  /** Accounts of one email address that are mailed, each with a link. */
  linksOfMail: 3,
  /** Mails that one page can cancel: with a further one, the links of the first are used up. */
  mailsOfPage: 8,
  /** Mails that wait to be sent. */
  mailsWaiting: 10_000,
  /** Of the mails that wait, at most this part is for strangers. These mails leave room for others. */
  mailsOfStrangers: 0.8,
  /** Mails of one kind to one mailbox within an hour: five, and the last one sets the wait. */
  mailbox: { freeTries: 4, longestWaitSeconds: 3600, forgetSeconds: 3600 },
  /** Mails to one owner about new browsers, within an hour. */
  newBrowsers: { freeTries: 1, longestWaitSeconds: 3600, forgetSeconds: 3600 },
  /** An owner without passkeys is offered one once, as far as a service remembers. */
  passkeyOffers: {
    freeTries: 0,
    longestWaitSeconds: 10 * 365 * 86_400,
    forgetSeconds: 10 * 365 * 86_400,
  },
  /** A link to a new password that the operator sends or hands over takes longer on its way. */
  handedResetSeconds: 24 * 3600,
  /** Links that prove an email address, or make an account. */
  verifySeconds: 24 * 3600,
  signUpSeconds: 24 * 3600,
} as const
