/** Limits of items. */
export const apiLimits = {
  /** Of a client that registered itself, in one resource and for itself. */
  ownItemsPerResource: 50,
  itemFields: 200,
  itemIdCharacters: 100,
  /** Of a client that registered itself, for itself. */
  ownItemBytes: 4096,
} as const
