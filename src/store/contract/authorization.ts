/** The contract about authorizations: what owners approve, how they prove it, and how they take it back. */
import type { Authorization, Duration } from '../../model/authorization.ts'
import type { Client } from '../../model/client.ts'
import type { Detail } from '../../model/detail.ts'
import type { AuthorizationId, ClientId, FamilyId, OwnerId, SessionId } from '../../model/ids.ts'
import type { Requester } from '../../model/requester.ts'
import type { Permissions } from '../../model/resource.ts'
import type { Page, Trace } from './trace.ts'

/**
 * An owner's proof: a password, named by the hash it was checked with, or a login. A step with a
 * proof does nothing unless the proof still holds and the owner is enabled. If the owner has a
 * second factor, the password counts only together with one.
 */
export type Proof =
  | { readonly passwordHash: string; readonly factor?: 'shown' }
  /** Unix seconds: the login has to be confirmed then or later. A factor that goes unconfirms it. */
  | { readonly session: SessionId; readonly confirmedSince?: number }
  /** An account at an upstream alone; the step itself checks that it is linked. */
  | { readonly upstream: 'alone' }

/** What an owner decided on a consent page, or a trusted client by proxy. */
export interface Approval
  extends Pick<Authorization, 'clientId' | 'ownerId' | 'sessionId' | 'expiresAt'> {
  /** The id to use if this becomes a new authorization. With `grant`, the id of that one. */
  readonly id: AuthorizationId
  /**
   * The one authorization that is decided about, by its id. `create` begins it beside all others, `update` merges into it,
   * and `replace` leaves nothing else in it. Its earlier codes and tokens end.
   */
  readonly grant?: 'create' | 'update' | 'replace'
  /** What was asked, and so decided upon. What was approved earlier and not asked now stays. */
  readonly asked: Permissions
  /** The approved part of it. */
  readonly permissions: Permissions
  /** The same of details: all that were asked for, and the approved ones of them. Absent without any. */
  readonly details?: {
    readonly asked: readonly Detail[]
    readonly approved: readonly Detail[]
  }
  /**
   * Permissions granted earlier without an end, so not asked again. If one no longer stands, answer
   * `unsettled` and write nothing.
   */
  readonly settled?: Permissions
  readonly duration: Duration
  /** Salt for a new authorization. */
  readonly salt: string
  /** Null if the caller vouches for the owner itself. */
  readonly proof: Proof | null
  /** The client, as the owner saw it; absent without a page. */
  readonly requester?: Requester
  /** The request it answers. One that is over approves nothing more. */
  readonly journeyId?: FamilyId
  /** The family to come of that request. A request that has its family approves nothing more. */
  readonly familyId?: FamilyId
}

/** The outcome of `approve`. */
export type ApproveOutcome =
  | { readonly outcome: 'approved'; readonly authorization: Authorization }
  /** A permission granted earlier was taken back meanwhile, or given an end. Or the grant has more by now. */
  | { readonly outcome: 'unsettled' }
  /** The owner's access of this client is paused: it has to be resumed first. */
  | { readonly outcome: 'paused' }
  /**
   * Client or owner is gone or disabled, the session has ended, the proof holds no more or the request
   * was answered already. Or the grant has ended, or is another's.
   */
  | { readonly outcome: 'impossible' }

/** An authorization with what a list of them shows of its client and owner. */
export interface ListedAuthorization extends Authorization {
  readonly clientName: string
  readonly clientRegisteredBy: Client['registeredBy']
  /** The name of the client that a delegation acts for; null for an approval. */
  readonly parentClientName: string | null
  /** The client's home page; null without one. */
  readonly clientUri: string | null
  readonly clientDisabled: boolean
  /** Equal for installations of one application (`getLikeness`); null if it looks like no other. */
  readonly clientLikeness: string | null
  /** The version of the client's kept picture; null where none is to be shown. */
  readonly clientLogo: string | null
  readonly username: string
  /**
   * When the client last used it, to within five seconds; null = never. Once the access log of that
   * day is gone, the first use of the day.
   */
  readonly lastUsedAt: number | null
}

/** What the authorizations of a client say together. */
export interface AccessSummary {
  /** Owners with a live approval. */
  readonly owners: number
  /** Whether there are further authorizations, which were not examined. */
  readonly isMore: boolean
  /** Unix seconds: the first use of the last day with one; null where none was used. */
  readonly lastUsedAt: number | null
}

/** An application as one owner has it: what the owner approved, or a delegation under one authorization. */
export interface ClientOfOwner extends Pick<Authorization, 'ownerId' | 'clientId'> {
  readonly parentId?: Authorization['parentId']
}

/** Steps on authorizations. */
export interface AuthorizationSteps {
  findAuthorization(id: AuthorizationId, now: number): Promise<Authorization | null>
  /**
   * What one owner has approved for one client and lives, the longest-lasting first. `during`: none
   * unless that session lives; it is read together with the salts.
   */
  findAuthorizations(
    ownerId: OwnerId,
    clientId: ClientId,
    now: number,
    during?: SessionId,
  ): Promise<readonly Authorization[]>
  /** Whether any owner has approved the client; one whose end is known still counts. */
  isApproved(clientId: ClientId): Promise<boolean>
  /** Of the newest 1,000 authorizations of a client. */
  findAccessSummary(clientId: ClientId, now: number): Promise<AccessSummary>
  /**
   * The oldest first unless `order` says otherwise; `after`, the `next` of an earlier page, goes on in
   * that order. The key is an id, or for the latest end first the end and the id, `1795262400-01k3…`.
   * Without `ownerId` and `id`, a page examines `limit * listLimits.examinedPerRow` rows at most. Such
   * a page may be short or empty and have a `next` all the same.
   */
  listAuthorizations(
    of: {
      readonly ownerId?: OwnerId
      readonly clientId?: ClientId
      readonly id?: AuthorizationId
      /** Authorizations that ended within `limits.useDays`, in place of live ones. */
      readonly ended?: true
      /** Only those that are paused. */
      readonly paused?: true
    },
    after: string | null,
    limit: number,
    now: number,
    order?: 'oldest first' | 'newest first' | 'latest end first',
  ): Promise<Page<ListedAuthorization>>
  /**
   * Approves. The approval changes a live authorization of the same owner, client, duration and session, or
   * begins a new one. Permissions and details in the request are decided anew, others stay, and the end is the
   * new one. An authorization with another end and further permissions becomes `chosen` and keeps
   * its old end; a new one begins beside it. Refused ones are removed from the other
   * authorizations of this owner and client as well, each with its event. The whole step happens, or
   * nothing.
   */
  approve(approval: Approval, trace: Trace): Promise<ApproveOutcome>
  /**
   * `ownerId`: only if it is this owner's. Unknown permissions in `keep` are ignored. Without
   * anything left, it ends; without any change, nothing is written.
   *
   * @param taken the keys of details to remove; all others stay
   */
  narrowAuthorization(
    id: AuthorizationId,
    ownerId: OwnerId | null,
    keep: Permissions,
    trace: Trace,
    taken?: readonly string[],
  ): Promise<Authorization | null>
  /**
   * Sets another end, sooner or later, by the owner's own word. From then on it is `chosen`: bound to
   * no visit, and no later approval changes its end. Null where it has ended, is another owner's, or
   * the session has ended.
   */
  changeAuthorizationEnd(
    change: {
      readonly id: AuthorizationId
      readonly ownerId: OwnerId
      /** The login that the owner does it by. */
      readonly session: SessionId
      /** Unix seconds; null = until taken back. */
      readonly expiresAt: number | null
    },
    trace: Trace,
  ): Promise<Authorization | null>
  /**
   * Also where its owner is disabled.
   *
   * @param clientId only a grant of this client, which its owner approved
   */
  endAuthorization(
    id: AuthorizationId,
    ownerId: OwnerId | null,
    trace: Trace,
    clientId?: ClientId,
  ): Promise<boolean>
  /**
   * Pauses an application: all that one owner approved for one client, or one delegation, each with its event.
   * None that is approved beside it stays unpaused. Answers how many were not paused before.
   */
  pauseAuthorizations(
    of: ClientOfOwner & {
      /** Only if none of them was used, approved or resumed within so many days of UTC. */
      readonly unusedDays?: number
    },
    trace: Trace,
  ): Promise<number>
  /** The reverse. `session`: only in this login of the owner. */
  resumeAuthorizations(
    of: ClientOfOwner & { readonly session: SessionId | null },
    trace: Trace,
  ): Promise<number>
  /**
   * Looks at the next authorizations in the order of their ids, and answers the applications among
   * them that may be paused by `unusedDays`.
   */
  listUnusedAuthorizations(
    unusedDays: number,
    after: string | null,
    limit: number,
    now: number,
  ): Promise<Page<ClientOfOwner>>
}
