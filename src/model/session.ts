/** A login session of an owner in one browser. */
import type { OwnerId, SessionId } from './ids.ts'

export interface Session {
  readonly id: SessionId
  readonly ownerId: OwnerId
  /** Unix seconds of the login. */
  readonly startedAt: number
  readonly expiresAt: number
}
