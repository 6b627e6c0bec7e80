/** Limits of `authorization_details`. */

export const detailLimits = {
  /** Details of one request. */
  details: 20,
  /** The parameter as it comes. */
  characters: 4096,
  /**
   * The details of one request in UTF-8, with the URIs of `resource`: a JWT carries both twice, and has to fit
   * a header.
   */
  bytes: 2048,
  /** A text in a detail: a page shows it whole. */
  valueCharacters: 300,
  identifierCharacters: 200,
} as const
