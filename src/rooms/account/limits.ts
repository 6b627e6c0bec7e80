/** Limits of the pages of an account. */

export const accountLimits = {
  /** Factors are changed, and codes shown, within so long after the password or a passkey was asked for. */
  confirmationSeconds: 10 * 60,
  passkeysPerOwner: 20,
  /** The guided page says that the password is new for so long after it was chosen. */
  newPasswordSeconds: 3600,
  passkeyNameCharacters: 60,
  /** Entries of the ledger in one download. */
  ledgerRows: 1000,
  /** An application that was not used for so long is marked, so that its owner looks at it. */
  unusedSeconds: 30 * 86_400,
  /** An access that ends within so long is marked. */
  endingSeconds: 7 * 86_400,
  /** So many applications have groups, filters and a search. */
  toolsFrom: 10,
  /** Applications on a page of the list, and the latest uses on the page of one. */
  applicationRows: 50,
  latestUses: 6,
  /** Accesses that are read at once for the list. */
  accessesAtOnce: 1000,
  searchCharacters: 100,
  /** Of an owner's groups, the page of the profile names so many. */
  groupsShown: 30,
  /** So many rows of each kind are read at once for a download. */
  downloadRows: 200,
  /** The same of items, which may be long. */
  downloadItems: 20,
} as const
