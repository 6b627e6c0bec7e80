/** Limits of streams and their sets. */

export const signalLimits = {
  /** Streams of one client. */
  streams: 10,
  /** Sets in one answer of a poll; a receiver may ask for fewer. */
  sets: 100,
  /** A poll waits at most so long for news. */
  waitSeconds: 25,
  /** A receiver may ask for a verification so often. */
  verificationSeconds: 5,
  /** What a receiver says about its stream. */
  textCharacters: 1000,
  endpointCharacters: 2048,
  /** Ids that one poll acknowledges. */
  acknowledged: 1000,
  /** Sets that are posted to one receiver in a turn, one after the other. */
  inTurn: 20,
  /** A turn posts nothing more to one receiver after so long. */
  postSeconds: 30,
  /** A node that began to post and stopped: others go on after so long. */
  claimSeconds: 60,
  /** The pause where this service itself had no place for a request, or was about to end. */
  busySeconds: 2,
  /** After a failed post comes a pause: first so long, then each time three times as long. */
  firstPauseSeconds: 2,
  longestPauseSeconds: 600,
  /** Of the answer of a receiver, only the status and a short error count. */
  answerBytes: 4096,
  /** An API that has not taken a revocation for so long is named. */
  deafSeconds: 2,
} as const
