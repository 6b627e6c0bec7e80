/** Limits of the console. */

export const consoleLimits = {
  /** Operators prove to be there so shortly before a dangerous action; seconds. */
  confirmationSeconds: 5 * 60,
  /** Rows on a page of a list. */
  rows: 50,
  /** The same of refusals: a row has many links, and a page stays below 60 kB. */
  refusalRows: 40,
  /** Rows of each kind among the results of the search field, and on the page of one owner. */
  fewRows: 10,
  /** The live view asks again after so many seconds. */
  liveSeconds: 3,
} as const
