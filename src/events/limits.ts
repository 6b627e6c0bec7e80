/** Limits of refused requests and of the metrics. Times in seconds unless the name says otherwise. */

/** A mail that cannot be sent is tried for so long. */
export const mailKeepSeconds = 24 * 3600

/** The record of refused requests. Strangers cause its rows, so every part is bounded. */
export const refusalLimits = {
  /** Refused request objects of one network in a minute; then none is verified. */
  refusedObjects: 100,
  /** Refused assertions of one client at one network in a minute; then none of them is verified. */
  refusedAssertions: 300,
  /** What a self-registered client uses up in a minute: so many assertions, and as many proofs. */
  usedUp: 600,
  /** Gathered between two writings: in all, and of one network or client. */
  gathered: 500,
  gatheredOfOne: 25,
  /** Addresses with refused requests, per node. */
  addressesCounted: 50_000,
  /** Floods of one minute, and clients that are told apart behind one address. */
  floods: 200,
  floodsOfOne: 5,
  kept: {
    /** Rows of one network, and of one client that has authenticated. The oldest go first. */
    ofNetwork: 500,
    ofClient: 1000,
    /** Rows of all networks, and of all clients. Whoever has the most loses the oldest first. */
    inAll: 20_000,
    /** Networks or clients that lose rows in one writing. */
    trimmed: 50,
  },
} as const

export const metricLimits = {
  /**
   * Series of one metric: room for every status of every route. Labels are stable words, so this is
   * only for faulty extensions.
   */
  series: 12_000,
  /** Upper bounds of the histogram of requests, in milliseconds. */
  requestMilliseconds: [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000],
  /** Routes with times of their own in the charts. Each has a row for each bound and period. */
  chartedRoutes: [
    '/authorize',
    '/par',
    '/token',
    '/introspect',
    '/revoke',
    '/userinfo',
    '/login',
    '/consent',
    '/api/:resource',
    '/api/:resource/:id',
  ],
  /** Upper bounds of the histogram of password hashes, in milliseconds. */
  hashMilliseconds: [10, 25, 50, 100, 250, 500, 1000],
  /** Steps of clients in memory, until the next write. */
  steps: 5000,
} as const
