/** Counters that the store keeps for charts: sums of a minute, an hour or a day. */

export const countSpans = ['minute', 'hour', 'day'] as const

/** The length of a period. */
export type CountSpan = (typeof countSpans)[number]

/**
 * The names of each kind: `grants`: grant type and outcome. `logins`: way and outcome. `refusals`: the
 * reason. `latency`: the upper bound in milliseconds, or `more`. `steps`: the step of any client.
 * `funnel`: the step of one client, and `guests` the same of clients that registered themselves.
 */
export type CountKind = 'grants' | 'logins' | 'refusals' | 'latency' | 'steps' | 'funnel' | 'guests'

/** Clients beyond the limit are added up under this id. */
export const otherClients = '*'

/** What was counted of one thing. */
export interface CountedThing {
  readonly kind: CountKind
  /** The client of `funnel` and `guests`; `*` for all others together; '' for every other kind. */
  readonly clientId: string
  readonly name: string
  readonly count: number
}

/** The sum of all nodes in one period. */
export interface KeptCount extends CountedThing {
  /** The beginning of the period, in unix seconds (UTC). */
  readonly at: number
}
