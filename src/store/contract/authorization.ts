/** The contract about authorizations: what owners approved, and how they take it back. */
import type { Authorization } from '../../model/authorization.ts'
import type { Client } from '../../model/client.ts'
import type { AuthorizationId, ClientId, OwnerId, SessionId } from '../../model/ids.ts'
import type { Permissions } from '../../model/resource.ts'
import type { Approval, ApproveOutcome } from './approval.ts'
import type { Page, Trace } from './trace.ts'

/** An authorization with what a list of them shows of its client and owner. */
export interface ListedAuthorization extends Authorization {
  readonly clientName: string
  readonly clientRegisteredBy: Client['registeredBy']
  /** The client's home page; null without one. */
  readonly clientUri: string | null
  readonly clientDisabled: boolean
  /** Equal for installations of one application (`likenessOf`); null if it looks like no other. */
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

/** An application as one owner has it. */
export interface ClientOfOwner {
  readonly ownerId: OwnerId
  readonly clientId: ClientId
}

/** Steps on authorizations. */
export interface AuthorizationSteps {
  findAuthorization(id: AuthorizationId, now: number): Promise<Authorization | null>
  /**
   * Live authorizations of one owner for one client, the longest-lasting first. `during`: none
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
  /**
   * The oldest first unless `order` says otherwise; `after`, the `next` of an earlier page, goes on in
   * that order. It is an id, or for the latest end first the end and the id, `1795262400-01k3…`.
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
   * Approves. It changes a live authorization of the same owner, client, duration and session, or
   * begins a new one. Permissions in the request are decided anew, others stay, and the end is the
   * new one. An authorization with another end and further permissions becomes `chosen` and keeps
   * its old end; a new one begins beside it. Refused permissions are removed from the other
   * authorizations of this owner and client as well, each with its event. All of it happens, or
   * nothing.
   */
  approve(approval: Approval, trace: Trace): Promise<ApproveOutcome>
  /**
   * `ownerId`: only if it is this owner's. Unknown permissions in `keep` are ignored. Without any
   * permission left, it ends; without any change, nothing is written.
   */
  narrowAuthorization(
    id: AuthorizationId,
    ownerId: OwnerId | null,
    keep: Permissions,
    trace: Trace,
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
  endAuthorization(id: AuthorizationId, ownerId: OwnerId | null, trace: Trace): Promise<boolean>
  /**
   * Pauses an application: all live authorizations of one owner for one client, each with its event.
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
