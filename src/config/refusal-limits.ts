/** Limits of the record of refused requests. Strangers cause its rows, so every part is bounded. */

export const refusalLimits = {
  keepSeconds: 7 * 24 * 3600,
  /** They are gathered in memory, and written so often. */
  flushSeconds: 2,
  /** Gathered between two writings: in all, and of one network or client. */
  gathered: 500,
  gatheredOfOne: 25,
  /** Addresses with refused requests, per node. */
  addressesCounted: 50_000,
  /** Floods of one minute, and clients that are told apart behind one address. */
  floods: 200,
  floodsOfOne: 5,
  /** Rows of one network, and of one client that has authenticated. The oldest go first. */
  keptOfNetwork: 500,
  keptOfClient: 1000,
  /** Rows of all networks, and of all clients. Whoever has the most loses the oldest first. */
  keptInAll: 20_000,
  /** Networks or clients that lose rows in one writing. */
  trimmedTogether: 50,
  /** Parameters of a request, and the characters of one value. */
  parameters: 30,
  valueCharacters: 300,
  descriptionCharacters: 600,
  /** Secrets of one request: each is looked for in every kept value. With more, all is withheld. */
  secretsLookedFor: 100,
  /** Registered values that are told as expected ones. */
  expectedValues: 5,
} as const
