/** Limits of webhooks (Standard Webhooks). Times in seconds. */
import { limits } from './limits.ts'

export const webhookLimits = {
  webhooks: 20,
  /** Deliveries of one webhook that wait. Further events wait in the list of events. */
  deliveries: 20_000,
  /** New events are queued in pieces. */
  queuedTogether: 500,
  /** A webhook of some types looks at so many events for a piece. */
  examinedTogether: 50_000,
  /**
   * Beside nodes of an earlier version (decision 0074): an event may be committed so long after the time
   * in its id.
   */
  overlapSeconds: 120,
  /**
   * Deliveries that a node sends at once to all webhooks of one host, and in one turn to each. A request
   * beyond the limit of its host would be refused by this service itself.
   */
  atOnce: limits.outbound.atOncePerHost,
  inTurn: 200,
  /** A node that claimed a delivery and stopped: others send it after so long. */
  claimSeconds: 60,
  /** After a failed try comes a pause: first so long, then each time three times as long. */
  firstPauseSeconds: 10,
  longestPauseSeconds: 6 * 3600,
  /** The pause where this service itself had no place for a request, or was about to end. */
  busySeconds: 2,
  /** After the log was told that a receiver fails, a new failure is not told for so long. */
  tellSeconds: 300,
  /** No further try after so long. */
  giveUpSeconds: 3 * 86_400,
  /** Rows of a webhook that is gone from the settings. */
  keepSeconds: 4 * 86_400,
  /** Of the answer only the status counts. */
  answerBytes: 16 * 1024,
  secretBytes: { least: 24, most: 64 },
} as const
