/** The contract about authorizations: what owners approved, and how they take it back. */
import type { Authorization } from '../model/authorization.ts'
import type { Client } from '../model/client.ts'
import type { AuthorizationId, ClientId, OwnerId, SessionId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import type { Approval, ApproveOutcome } from './approval.ts'
import type { Page, Trace } from './trace.ts'

/** An authorization with what a list of them shows of its client and owner. */
export interface ListedAuthorization extends Authorization {
  readonly clientName: string
  readonly clientRegisteredBy: Client['registeredBy']
  /** The page that the client names as its own; null where it names none. */
  readonly clientUri: string | null
  readonly clientDisabled: boolean
  readonly username: string
  /**
   * When the client last used it, to within five seconds; null = never. Once the access log of that
   * day is gone, the first use of the day.
   */
  readonly lastUsedAt: number | null
}

/** Steps on authorizations. */
export interface AuthorizationSteps {
  findAuthorization(id: AuthorizationId, now: number): Promise<Authorization | null>
  /**
   * The live ones of one owner for one client, the longest-lasting first. `during`: none unless that
   * session lives, at the moment of which the salts are.
   */
  findAuthorizations(
    ownerId: OwnerId,
    clientId: ClientId,
    now: number,
    during?: SessionId,
  ): Promise<readonly Authorization[]>
  /**
   * The oldest first unless `order` says otherwise; `after`, the `next` of an earlier page, goes on in
   * that order. It is an id, or for the latest end first the end and the id, `1795262400-01k3…`.
   */
  listAuthorizations(
    of: {
      readonly ownerId?: OwnerId
      readonly clientId?: ClientId
      readonly id?: AuthorizationId
      /** Those that have ended within `limits.useDays`, in place of those that live. */
      readonly ended?: true
    },
    after: string | null,
    limit: number,
    now: number,
    order?: 'oldest first' | 'newest first' | 'latest end first',
  ): Promise<Page<ListedAuthorization>>
  /**
   * Approves: a live authorization of the same owner, client, duration and session is changed (what
   * was asked is decided anew, the rest stays, the end date is the new one); else a new one begins.
   * One with another end and something that was not asked is not changed so: it is `chosen` from then
   * on and keeps its old end, and a new one begins beside it.
   * What was refused goes from the others of the same owner and client as well, each with its event.
   * All of it happens, or nothing.
   */
  approve(approval: Approval, trace: Trace): Promise<ApproveOutcome>
  /**
   * `ownerId`: only if it is this owner's. Permissions that it does not have are left out; where none
   * is left, it ends, and where all are, nothing is written.
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
}
