/** A login session of an owner in one browser. */
import type { OwnerId, SessionHandle, SessionId } from './ids.ts'

export interface Session {
  readonly id: SessionId
  readonly ownerId: OwnerId
  /** Unix seconds of the login. */
  readonly startedAt: number
  readonly expiresAt: number
  /** What pages call it; it begins with the time of the login. */
  readonly handle: SessionHandle
  /** What the browser said of itself, cut short; '' where it said nothing. */
  readonly userAgent: string
  /** The network that the login came from. */
  readonly network: string
}
