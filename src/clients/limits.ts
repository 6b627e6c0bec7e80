/** Limits of clients: their metadata, keys and documents. Times in seconds. */

export const clientLimits = {
  /** Why a client needs what it requires; it is shown whole on the consent page. */
  reasonCharacters: 300,
  /**
   * Pictures of clients: their size, how often fetched anew, and when tried again after a failure. So many may
   * wait to be fetched, and so many are fetched at once.
   */
  logo: { bytes: 64 * 1024, days: 7, retrySeconds: 600, waiting: 100, atOnce: 4 },
  metadataEntries: 20,
  /** Clients that may exchange the tokens of one client. */
  actors: 20,
  /** Longest lifetime that a client may be given: ten years. */
  lifetimeSeconds: 3650 * 24 * 3600,
  /** Longest time for which a rotation keeps the old client secret: thirty days. */
  oldSecretSeconds: 30 * 24 * 3600,
  /** By the bits of a network, so many times the setting; and its part of all places (/24 or /48). */
  registrationsOfNetwork: { 24: 1, 64: 1, 56: 2, 48: 4, share: 1 / 100 },
  /** The last use is noted for so many clients of strangers at once. */
  usesNoted: 20_000,
  /** Applications of the operator to whose names the name of a stranger's client is compared. */
  namesCompared: 2000,
} as const

export const clientKeyLimits = {
  /** Key sets of clients of strangers, and as many of the operator, per node. */
  setsCached: 200,
  /** A key set is fetched again for an unknown key, or after a failure, at most so often. */
  refetchSeconds: 30,
  requestUris: 10,
} as const

export const assertionLimits = {
  characters: 16 * 1024,
  /** `exp` is at most so far ahead, and a token of a platform at most so old. */
  seconds: 3600,
  /** The clock of the client may be so far ahead. */
  skewSeconds: 60,
  /** Issuers that the operator trusts to prove one client. */
  credentials: 10,
} as const

export const documentLimits = {
  bytes: 64 * 1024,
  etagCharacters: 200,
  /** A copy is fresh for at least and at most so long, whatever the host says. */
  freshAtLeast: 5,
  freshAtMost: 24 * 3600,
  /** Where the host says nothing about it. */
  freshByDefault: 300,
  /** A host that did not answer is asked again after so long, if its copy still serves. */
  retrySeconds: 30,
  /** So many such hosts are remembered by a node. */
  resting: 1000,
  windowSeconds: 60,
  /** When to try again where the store takes no further clients. */
  fullSeconds: 3600,
  /**
   * Fetches of any kind that fail in one window, and fetches under way, of one network (IPv4 /24, IPv6
   * /48). Beyond that the network waits.
   */
  failuresOfNetwork: 30,
  underWayOfNetwork: 4,
  /** A fetch that takes so long counts as failed: meanwhile it holds a place. */
  slowMilliseconds: 2000,
  /** Fetches that fail in one window, of all networks. */
  failures: 600,
} as const
