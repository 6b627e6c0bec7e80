/** What is counted, for monitoring and for charts. */
import type { Client } from './client.ts'
import type { ClientId } from './ids.ts'
import type { Notice } from './notice.ts'

/** The labels of a sample; their values are stable words. */
export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly labels: Labels
  readonly value: number
}

/** How often a value was within each bound. */
export interface Spread {
  readonly labels: Labels
  /** One more than there are bounds: the last is for all that is above them. Not added up. */
  readonly counts: readonly number[]
  readonly sum: number
}

interface AnyFamily {
  readonly name: string
  readonly help: string
}

/** A metric as a value: a family of samples of one name, whichever format it is told in. */
export type MetricFamily =
  | (AnyFamily & { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[] })
  | (AnyFamily & {
      readonly type: 'histogram'
      /** Upper bounds, ascending. */
      readonly bounds: readonly number[]
      readonly spreads: readonly Spread[]
    })

/** How somebody logged in. */
export type CountedWay = 'password' | 'second_factor' | 'passkey' | 'upstream'

export type TokenKind = 'access_token' | 'refresh_token' | 'id_token'

/** Steps of a client's users, in their order: how many get from one to the next. */
export const funnelSteps = ['authorize', 'login', 'consent', 'code', 'token'] as const

export type FunnelStep = (typeof funnelSteps)[number]

/** The headers of a request may name the trace that it belongs to (W3C Trace Context). */
export interface TracedRequest {
  readonly headers: { get(name: string): string | null }
}

/** @param began unix milliseconds */
export type TraceRequest = (request: TracedRequest, told: Notice, began: number) => void

/**
 * Counts in memory. Nothing waits for it, and nothing fails with it. Every label is one word of a fixed
 * list: nobody else chooses it.
 */
export interface Meter {
  /**
   * @param route a pattern, and no path of a request
   * @param reason why it was refused; null for any other
   */
  countRequest(
    route: string,
    method: string,
    status: number,
    milliseconds: number,
    reason: string | null,
  ): void
  /** @param reason of a refusal that a redirect told a client. The request itself counts as answered */
  countRefusal(reason: string): void
  countLogin(way: CountedWay, outcome: 'succeeded' | 'refused'): void
  /**
   * @param type a registered `grant_type`, or `unknown`
   * @param outcome `issued`, or the error code of the refusal
   */
  countGrant(type: string, outcome: string): void
  /** The tokens of a token response. */
  countIssued(members: Readonly<Record<string, unknown>>, clientId: ClientId): void
  /** An access token came to a protected resource. @param clientId whose it is; null for a refused one */
  countRead(clientId: ClientId | null): void
  /** @param clientId whose use an API checks; null for none */
  countIntrospected(isActive: boolean, clientId: ClientId | null): void
  /** A request of a client was refused. @param isProven false: the request only named the client */
  countRefused(clientId: ClientId, reason: string, isProven: boolean): void
  countRevoked(kind: TokenKind): void
  countStep(client: Client, step: FunnelStep): void
  /**
   * A proven client did what its profile allows and a stricter one forbids.
   *
   * @param rule of a profile (`protocol/profile.ts`)
   */
  countLax(client: Client, rule: string): void
  /** Told of each answered request; absent where no traces are sent. */
  readonly trace?: TraceRequest
}

export const countSpans = ['minute', 'hour', 'day'] as const

/** The length of a period that the store keeps sums of. */
export type CountSpan = (typeof countSpans)[number]

/**
 * The names of each kind: `grants`: grant type and outcome. `logins`: way and outcome. `refusals`: the
 * reason. `latency`: the upper bound in milliseconds, or `more`. `routes`: a route and the same. `steps`: the step of any client.
 * `funnel`: the step of one client, and `guests` the same of clients that registered themselves. `lax`: the broken
 * rule of a stricter profile, by one client, and `laxGuests` the same of clients that registered themselves.
 * `acts`: what one client did: `token`, `use`, or `refused` and the reason. `namedActs`: `named` and the reason of
 * requests that only named the client. `actGuests`: both of self-registered clients.
 */
export type CountKind =
  | 'grants'
  | 'logins'
  | 'refusals'
  | 'latency'
  | 'routes'
  | 'steps'
  | 'funnel'
  | 'guests'
  | 'lax'
  | 'laxGuests'
  | 'acts'
  | 'namedActs'
  | 'actGuests'

/** Clients beyond the limit are added up under this id. */
export const otherClients = '*'

/** What was counted of one thing. */
export interface CountedThing {
  readonly kind: CountKind
  /** The client of `funnel`, `lax`, `acts` and their guests; `*` for all others together; '' for every other kind. */
  readonly clientId: string
  readonly name: string
  readonly count: number
}

/** The sum of all nodes in one period. */
export interface KeptCount extends CountedThing {
  /** The beginning of the period, in unix seconds (UTC). */
  readonly at: number
}

/** What one client did on one day. */
export interface KeptAct {
  /** The beginning of the day, in unix seconds (UTC). */
  readonly at: number
  readonly name: string
  readonly count: number
  /** The last time, in unix seconds, to within the time between two writings. */
  readonly lastAt: number
}

/** An API, and how long it took for its latest revocation. */
export interface Lag {
  readonly resource: string
  readonly seconds: number
  /** Whether a revocation still waits, for longer than it should. */
  readonly isDeaf: boolean
}
