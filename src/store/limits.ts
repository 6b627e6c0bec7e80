/** Limits of the store: the ones that every store enforces itself, those of records, and those of the engines. */
import { clockSkewSeconds } from '../clock.ts'
import { defaultLimits } from '../config/settable-limits.ts'

const hour = 3600
const day = 24 * hour

/** From the authorization request to its answer, while somebody logs in and decides. */
export const journeySeconds = 900

/** The limits that a store enforces itself, so every store has to use the same numbers. The suite of the contract tests them. */
export const storeLimits = {
  /** A use of a client that a stranger registered is written at most so often. */
  clientUseSeconds: day,
  clockSkewSeconds,
  /**
   * Details in one authorization, and their characters as JSON: each use of a token reads them. The
   * oldest make room for new ones.
   */
  detailsOfAuthorization: 50,
  detailCharacters: 16 * 1024,
  /** The longest journey, with the code at its end. */
  journeySeconds: journeySeconds + defaultLimits.codeSeconds,
  /** A client that a stranger registered and nobody used goes after so long; used ones: `unusedSeconds`. */
  neverUsedSeconds: day,
  /** The rows of a node that has stopped are kept so long. */
  nodeSeconds: 7 * day,
  /** A client that registered itself may change itself so often in a day. */
  ownChanges: 20,
  ownChangesSeconds: day,
  /**
   * Rows about a used code or a revoked token outlive it by so much. Clocks of other nodes may be
   * behind, and a request goes by the time of its arrival, however long it takes.
   */
  purgeAfterSeconds: 60,
  purgeRows: 500,
  redirectUris: 20,
  /** So many repeats of one refresh have an event each; later ones get the same answer and none. */
  refreshRepeatsTold: 10,
  /** Registrations of a network are counted from the first, for so long. */
  registrationWindowSeconds: hour,
  /** An application that was not used for so long is pointed out to its owner; see `neverUsedSeconds`, too. */
  unusedSeconds: 90 * day,
  /** Whoever collected uses is remembered for so long after its last batch. */
  useCollectorSeconds: 7 * day,
  /**
   * An access that has ended is listed so long from its end. The drawing of uses per day reaches back
   * as far, or as the access log does.
   */
  useDays: 30,
} as const

/** Limits of records on which pages and programs rely, too. Times in seconds. */
export const recordLimits = {
  /** The latest request of a session is written at most so often. */
  seenSeconds: hour,
  /** Each span of the counters has a row for each of its periods, and keeps it for so long. */
  countSpans: {
    minute: { seconds: 60, keepSeconds: 2 * hour },
    hour: { seconds: hour, keepSeconds: 8 * day },
    day: { seconds: day, keepSeconds: 100 * day },
  },
  /** What a stricter profile forbids is kept for so long: today, and 30 days before. */
  laxSeconds: 31 * day,
  /** So many days tell what a client did, today among them. */
  actDays: 31,
  /** Refused requests are kept for so long. */
  refusalSeconds: 7 * day,
  /** Longest lifetime of a JWT. The feed of revocations reaches back as far, and APIs hold it in memory. */
  jwtSeconds: day,
  /** The id of an event may be so much later than its time: a request lasts that long. */
  eventDelaySeconds: 60,
  /** A failed try keeps the whole address for so long; after that only its network. */
  addressSeconds: 7 * day,
  /** Seals outlive their events by so much, which is longer than anything here is late. */
  sealSeconds: day,
} as const

export const engineLimits = {
  /** Most steps in the queue of the store, and most steps in one commit. */
  stepsWaiting: 20_000,
  stepsTogether: 1_000,
  /** So many ids of each kind are noted after their first read. The second read is cached. */
  idsNoted: 20_000,
  /** How long a foreign reader of an embedded database, such as a backup, is waited for. */
  lockMilliseconds: 5000,
} as const
