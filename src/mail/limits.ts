/** Limits of mail. Times in seconds. */

export const mailLimits = {
  /** Mails in one turn of the sender. */
  inTurn: 20,
  /** A failed mail is tried again after so long, doubled each time up to the longest. */
  retrySeconds: 60,
  longestRetrySeconds: 3600,
  /** Until the server has answered each step, in milliseconds. */
  connectMilliseconds: 10_000,
  answerMilliseconds: 20_000,
  /** A service that ends waits so long for the mail under way, in milliseconds. */
  closeMilliseconds: 1000,
  /** Mails that the mailbox of the demo shows. */
  shown: 50,
} as const
