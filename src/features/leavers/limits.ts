/** Limits of the checks of directories. Times in seconds. */

export const leaverLimits = {
  /** A check is due so long after the one before. */
  checkSeconds: 840,
  /** Each node asks the store so often whether a check is due, so checks begin 15 minutes apart at most. */
  trySeconds: 60,
  /** After so many questions without an answer, each asked twice, a check ends and disables nobody. */
  faultsInRow: 3,
  /** Owners in one question: its answer has to fit into `upstreamLimits.directoryBytes`. */
  askedAtOnce: 20,
  /**
   * The brake. Within a day, a directory may disable a share of its people, or a few where they are not many. Never
   * more than half of them, and never more than that number.
   */
  daySeconds: 86_400,
  share: 0.1,
  few: 3,
  mostInDay: 1000,
  /** The console tells of what a check found for so long. */
  shownSeconds: 3600,
} as const
