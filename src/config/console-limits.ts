/** Limits of the console. */
export const consoleLimits = {
  /** Operators prove to be there so shortly before a dangerous action; seconds. */
  confirmationSeconds: 5 * 60,
  /** A login leads back to a page of the console whose path is this long at most. */
  consolePathCharacters: 400,
  /** Rows on a page of a list. */
  rows: 50,
  /** The same of refusals: a row has many links, and a page stays below 60 kB. */
  refusalRows: 40,
  /** Rows of each kind among the results of the search field, and on the page of one owner. */
  fewRows: 10,
  /** The live view asks again after so many seconds. */
  liveSeconds: 3,
  /** A filter of a search looks at so many clients at a time, and at most so many times for one answer. */
  clientsFiltered: 25,
  pagesFiltered: 80,
  /** A trial of a log-in: its tokens, and its client if nobody comes back; seconds. */
  trialTokenSeconds: 60,
  trialSeconds: 3600,
  trialNameCharacters: 200,
} as const
