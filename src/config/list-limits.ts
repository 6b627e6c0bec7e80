/** Limits of lists with filters. */
export const listLimits = {
  /** A page with filters examines so many entries of one index for each row that was asked. */
  examinedPerRow: 100,
  /** The id of an event may be so much later than its time: a request lasts that long. */
  eventDelaySeconds: 60,
} as const
