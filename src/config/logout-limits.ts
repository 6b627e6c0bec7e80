/** Limits of logouts (OpenID Connect Back-Channel and Front-Channel Logout 1.0). Times in seconds. */
export const logoutLimits = {
  /** A session remembers so many clients that want to hear of its end. */
  clientsOfSession: 100,
  /** Notices that wait, of one client and of all. Beyond that a notice fails at once. */
  waitingOfClient: 1000,
  waiting: 100_000,
  /** Notices that a node sends at once, of all clients, of one, and to those of one owner. */
  atOnce: 16,
  atOncePerClient: 4,
  atOncePerOwner: 4,
  /** So few are claimed together that one owner hardly gets more. */
  claimedTogether: 4,
  /** A node that claimed a notice and stopped: others send it after so long. */
  claimSeconds: 60,
  /** After a failed try comes a pause: first so long, then each time three times as long. */
  firstPauseSeconds: 10,
  longestPauseSeconds: 3600,
  /** A logout that a client does not hear of is told again for so long. */
  noticeSeconds: 24 * 3600,
  /** A logout token is for the request that carries it. */
  tokenSeconds: 120,
  /** Of the answer only the status counts. */
  answerBytes: 16 * 1024,
  /** The logged-out page shows so many frames, and goes on after so long. */
  frames: 20,
  goOnSeconds: 3,
} as const
