/** Limits of client ID metadata documents. Times in seconds. */
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
