/** Limits of mail. Times in seconds. */

export const mailLimits = {
  /** Mails that may wait to be sent; then no further one is taken. */
  waiting: 10_000,
  /** Mails in one turn of the sender. */
  inTurn: 20,
  /** A failed mail is tried again after so long, doubled each time up to the longest. */
  retrySeconds: 60,
  longestRetrySeconds: 3600,
  /** After so long it is given up. */
  keepSeconds: 24 * 3600,
  /** To one mailbox within an hour. */
  mailbox: { freeTries: 4, longestWaitSeconds: 3600, forgetSeconds: 3600 },
  /** Accounts of one email address that are mailed. */
  ownersOfAddress: 3,
  addressCharacters: 200,
  /** Until the server has answered each step, in milliseconds. */
  connectMilliseconds: 10_000,
  answerMilliseconds: 20_000,
  /** Mails that the mailbox of the demo shows. */
  shown: 50,
} as const
