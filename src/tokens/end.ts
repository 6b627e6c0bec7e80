/** When tokens and what they hang on end, and how clients are told of it. */
import { limits } from '../config/limits.ts'
import { pauseLimits } from '../config/pause.ts'
import type { Client } from '../model/client.ts'
import { Refusal } from '../protocol/refusal.ts'

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

/** From now to an end; both in unix seconds. */
export const secondsTo = (end: number, at: number): number => Math.max(0, end - at)

/**
 * How long a refresh token may lie unused (OAuth 2.0 Refresh Token and Authorization Expiration,
 * draft 03, section 6.1); undefined where there is none.
 */
export const refreshTokenTimeout = (
  refreshEnd: number | null,
  authorizationEnd: number | null,
  at: number,
): number | undefined => {
  const end = refreshEnd === null ? null : earlier(refreshEnd, authorizationEnd)
  return end === null ? undefined : secondsTo(end, at)
}

/** When the authorization ends, by the same draft; undefined where it lasts until taken back. */
export const authorizationExpiresIn = (
  authorizationEnd: number | null,
  at: number,
): number | undefined => (authorizationEnd === null ? undefined : secondsTo(authorizationEnd, at))

/** Nobody knows when its owner resumes it, so `Retry-After` only bounds how often it asks. */
export const pausedRefusal = (): Refusal =>
  new Refusal(
    'temporarily_unavailable',
    'authorization_paused',
    'this application is paused: its owner can resume it, and nothing was used up',
    { headers: { 'Retry-After': String(pauseLimits.retrySeconds) } },
  )
