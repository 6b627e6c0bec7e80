/** What is counted for monitoring. Every label is one word of a fixed list: nobody else chooses it. */
import type { Client } from './client.ts'
import type { Notice } from './notice.ts'

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

/** Counts in memory. Nothing waits for it, and nothing fails with it. */
export interface Meter {
  countLogin(way: CountedWay, outcome: 'succeeded' | 'refused'): void
  /**
   * @param type a registered `grant_type`, or `unknown`
   * @param outcome `issued`, or the error code of the refusal
   */
  countGrant(type: string, outcome: string): void
  /** The tokens of a token response. */
  countIssued(members: Readonly<Record<string, unknown>>): void
  /** An access token came to a protected resource. */
  countRead(outcome: 'accepted' | 'refused'): void
  countIntrospected(isActive: boolean): void
  countRevoked(kind: TokenKind): void
  countStep(client: Client, step: FunnelStep): void
  /** Told of each answered request; absent where no traces are sent. */
  readonly trace?: TraceRequest
}
