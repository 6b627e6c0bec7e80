/** Limits of SCIM requests. */

export const scimLimits = {
  bodyBytes: 256 * 1024,
  /** Resources in one page; a request may ask for fewer. */
  page: 100,
  /** The first place that a page may begin at. */
  startIndex: 1_000_000,
  filterCharacters: 2000,
  /** Comparisons in one filter, and the nesting of its parts. */
  filterTerms: 50,
  filterDepth: 10,
  pathCharacters: 400,
  /** Names in `attributes`, and in `excludedAttributes`. */
  attributeNames: 100,
  /** Operations of one PATCH. */
  operations: 1000,
  /** Values of a list, but of members. */
  values: 100,
  /** A filter without an index looks at so many resources of a client. */
  scanned: 1000,
  /** Members of all groups in one answer, and groups of all users in it. */
  membersTold: 10_000,
  /** Groups that one client may have, and all of them together: operators keep room for their own. */
  groups: 2500,
  groupsTogether: 8000,
  externalIdCharacters: 400,
  formattedCharacters: 400,
  /** A change is computed anew so often, while others change the same resource. */
  tries: 5,
} as const
