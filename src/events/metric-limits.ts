/** Limits of the metrics. Times in seconds unless the name says otherwise. */

export const metricLimits = {
  /**
   * Series of one metric: room for every status of every route. Labels are stable words, so this is
   * only for faulty extensions.
   */
  series: 8000,
  /** Upper bounds of the histogram of requests, in milliseconds. */
  requestMilliseconds: [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000],
  /** Upper bounds of the histogram of password hashes, in milliseconds. */
  hashMilliseconds: [10, 25, 50, 100, 250, 500, 1000],
  /** The resolution of the measured delay of the event loop, in milliseconds. */
  loopMilliseconds: 20,
  /** `/metrics` asks the store again after so long. */
  storeSeconds: 30,
  /**
   * The console tells of keys so many days older than their rotation, and of mails that wait so long.
   * It tells of so many refusals in the last share of a range, so many times the usual.
   */
  attention: { keyDays: 7, mailMinutes: 10, share: 0.2, refusals: 20, times: 3 },
} as const
