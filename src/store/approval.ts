/** What an owner decided, as it is given to the store, and what was proven of the owner. */
import type { Authorization, Duration } from '../model/authorization.ts'
import type { AuthorizationId, ClientId, FamilyId, OwnerId, SessionId } from '../model/ids.ts'
import type { Requester } from '../model/requester.ts'
import type { Permissions } from '../model/resource.ts'

/**
 * What an owner has proven: a password, named by the very hash it was checked with, or a login.
 * A step that goes by it does nothing unless it still holds and the owner is not disabled. The
 * password of an owner who has a second factor holds only together with one, or with a login.
 */
export type Proof =
  | { readonly passwordHash: string; readonly factor?: 'shown' }
  | { readonly session: SessionId }

/** What an owner decided on a consent page, or a trusted client by proxy. */
export interface Approval {
  /** The id to use if this becomes a new authorization. */
  readonly id: AuthorizationId
  readonly clientId: ClientId
  readonly ownerId: OwnerId
  /** What was asked, and so decided upon. What was approved earlier and not asked now stays. */
  readonly asked: Permissions
  /** What of it was approved. */
  readonly permissions: Permissions
  /** What of that its owner did not decide about, since it stands until taken back: unless it does, nothing is approved. */
  readonly settled?: Permissions
  readonly duration: Duration
  /** Set if and only if the duration is `session`. */
  readonly sessionId: SessionId | null
  readonly expiresAt: number | null
  /** Salt for a new authorization. */
  readonly salt: string
  /** Null where whoever asks vouches for the owner itself. */
  readonly proof: Proof | null
  /** Who asked, as the owner saw it; absent where the owner saw nobody. */
  readonly requester?: Requester
  /** The request that it answers, by the id of the family that this earns: once it has, it approves nothing. */
  readonly journeyId?: FamilyId
}

/** The outcome of `approve`. */
export type ApproveOutcome =
  | { readonly outcome: 'approved'; readonly authorization: Authorization }
  /** What was settled was taken back meanwhile, or given an end. */
  | { readonly outcome: 'unsettled' }
  /**
   * Client or owner is gone or disabled, the session has ended, the proof holds no more or the request
   * was answered already.
   */
  | { readonly outcome: 'impossible' }
