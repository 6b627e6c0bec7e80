/** When tokens and what they hang on end, and how clients are told of it. */
import { limits } from '../config/limits.ts'
import type { Client } from '../model/client.ts'

/** The earlier of two ends (unix seconds), null being none. */
export const earlier = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)

/**
 * When an access token ends that was to end at `expiresAt`, now that the lifetimes of its client were
 * shortened; unix seconds, null = never. Nodes' clocks differ, so a token counts as issued before the
 * change for a little longer.
 */
export const shortenedEnd = (
  { issuedAt, expiresAt }: { readonly issuedAt: number; readonly expiresAt: number | null },
  shortened: Client['shortened'],
): number | null => {
  if (shortened === null || issuedAt > shortened.at + limits.clockSkewSeconds) return expiresAt
  return earlier(expiresAt, issuedAt + shortened.seconds)
}

/**
 * What a client is told of its refresh token, in seconds from now: how long it may lie unused, and when
 * the authorization ends, if it does (OAuth 2.0 Refresh Token and Authorization Expiration, draft 03,
 * section 6.1).
 */
export interface RefreshEnds {
  readonly refresh_token_timeout?: number
  /** Absent = until taken back. */
  readonly authorization_expires_in?: number
}

/** @param authorizationEnd unix seconds, like the others; null = none */
export const describeEnds = (
  refreshEnd: number | null,
  authorizationEnd: number | null,
  at: number,
): RefreshEnds => {
  const secondsTo = (end: number): number => Math.max(0, end - at)
  const timeout = refreshEnd === null ? null : earlier(refreshEnd, authorizationEnd)
  return {
    ...(timeout === null ? {} : { refresh_token_timeout: secondsTo(timeout) }),
    ...(authorizationEnd === null ? {} : { authorization_expires_in: secondsTo(authorizationEnd) }),
  }
}
