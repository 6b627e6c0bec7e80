/** Limits of mail. Times in seconds. */

export const mailLimits = {
  /** Mails that wait to be sent. */
  waiting: 10_000,
  /** A mail that cannot be sent is tried for so long. */
  keepSeconds: 24 * 3600,
  /** Of the mails that wait, at most this part is for strangers. They leave room for others. */
  partOfStrangers: 0.8,
  /** Mails in one turn of the sender. */
  inTurn: 20,
  /** A failed mail is tried again after so long, doubled each time up to the longest. */
  retrySeconds: 60,
  longestRetrySeconds: 3600,
  /** Mails of one kind to one mailbox within an hour: five, and the last one sets the wait. */
  mailbox: { freeTries: 4, longestWaitSeconds: 3600, forgetSeconds: 3600 },
  /** Mails to one owner about new browsers, within an hour. */
  newBrowsers: { freeTries: 1, longestWaitSeconds: 3600, forgetSeconds: 3600 },
  /** Accounts of one email address that are mailed. */
  ownersOfAddress: 3,
  addressCharacters: 200,
  /** Until the server has answered each step, in milliseconds. */
  connectMilliseconds: 10_000,
  answerMilliseconds: 20_000,
  /** A service that ends waits so long for the mail under way, in milliseconds. */
  closeMilliseconds: 1000,
  /** Mails that the mailbox of the demo shows. */
  shown: 50,
} as const
