/** An owner's decision and the owner's proof, as the store gets them. */
import type { Authorization, Duration } from '../../model/authorization.ts'
import type { AuthorizationId, ClientId, FamilyId, OwnerId, SessionId } from '../../model/ids.ts'
import type { Requester } from '../../model/requester.ts'
import type { Permissions } from '../../model/resource.ts'

/**
 * An owner's proof: a password, named by the hash it was checked with, or a login. A step with a
 * proof does nothing unless the proof still holds and the owner is enabled. If the owner has a
 * second factor, the password counts only together with one.
 */
export type Proof =
  | { readonly passwordHash: string; readonly factor?: 'shown' }
  | { readonly session: SessionId }
  /** An account at an upstream alone; the step itself checks that it is linked. */
  | { readonly upstream: 'alone' }

/** What an owner decided on a consent page, or a trusted client by proxy. */
export interface Approval {
  /** The id to use if this becomes a new authorization. */
  readonly id: AuthorizationId
  readonly clientId: ClientId
  readonly ownerId: OwnerId
  /** What was asked, and so decided upon. What was approved earlier and not asked now stays. */
  readonly asked: Permissions
  /** The approved part of it. */
  readonly permissions: Permissions
  /**
   * Permissions granted earlier without an end, so not asked again. If one no longer stands, answer
   * `unsettled` and write nothing.
   */
  readonly settled?: Permissions
  readonly duration: Duration
  /** Set if and only if the duration is `session`. */
  readonly sessionId: SessionId | null
  readonly expiresAt: number | null
  /** Salt for a new authorization. */
  readonly salt: string
  /** Null if the caller vouches for the owner itself. */
  readonly proof: Proof | null
  /** The client, as the owner saw it; absent without a page. */
  readonly requester?: Requester
  /**
   * The request it answers, by the id of the family to come. A request that has its family approves
   * nothing more.
   */
  readonly journeyId?: FamilyId
}

/** The outcome of `approve`. */
export type ApproveOutcome =
  | { readonly outcome: 'approved'; readonly authorization: Authorization }
  /** A permission granted earlier was taken back meanwhile, or given an end. */
  | { readonly outcome: 'unsettled' }
  /** The owner's access of this client is paused: it has to be resumed first. */
  | { readonly outcome: 'paused' }
  /**
   * Client or owner is gone or disabled, the session has ended, the proof holds no more or the request
   * was answered already.
   */
  | { readonly outcome: 'impossible' }
