/** The contract about logins at clients that want to hear of their end, and the notices to them. */
import type { ClientId, ClientSession, EventId, OwnerId, SessionId } from '../../model/ids.ts'
import type { Trace } from './trace.ts'

/** An owner is logged in at a client by an ID token. */
export interface ClientLogin {
  readonly clientId: ClientId
  readonly ownerId: OwnerId
  /** `sid` of the ID token. */
  readonly sid: ClientSession
  /** The session behind it; null if it has ended already. */
  readonly sessionId: SessionId | null
  /** Whether the client takes logout tokens. */
  readonly backChannel: boolean
}

/** A notice to one client that a login has ended. */
export interface LogoutNotice {
  readonly id: EventId
  readonly clientId: ClientId
  readonly ownerId: OwnerId
  readonly sid: ClientSession
  /** The number of the try that this claim allows. */
  readonly tries: number
  /** When the login ended, in unix seconds. */
  readonly endedAt: number
}

/** A claim on notices that are due. */
export interface NoticeClaim {
  /** Clients with enough tries under way. */
  readonly busy: readonly ClientId[]
  /** Owners with enough tries under way, at clients that may all be theirs. */
  readonly busyOwners: readonly OwnerId[]
  /** At most so many, one of each client. */
  readonly most: number
  /** The claim holds until then (unix seconds): no other node sends these notices. */
  readonly until: number
}

/** Steps on logouts. Every step that ends a session queues the notices to its clients. */
export interface LogoutSteps {
  /** The clients of a session, for their frames. */
  listClientLogins(sessionId: SessionId): Promise<readonly ClientLogin[]>
  /** Remembers a login until its session ends. If that has ended, queues the notice at once. */
  noteClientLogin(login: ClientLogin, trace: Trace): Promise<void>
  /** Counts a try for each claimed notice. One node at a time has a claim on it. */
  claimLogoutNotices(claim: NoticeClaim, now: number): Promise<readonly LogoutNotice[]>
  /** Ends a notice; tells `logout.delivered` or `logout.failed`. False if the claim was lost. */
  finishLogoutNotice(
    notice: LogoutNotice,
    outcome: { readonly is: 'delivered' } | { readonly is: 'failed'; readonly reason: string },
    trace: Trace,
  ): Promise<boolean>
  /** The next try comes at `dueAt` (unix seconds). */
  postponeLogoutNotice(notice: LogoutNotice, dueAt: number): Promise<boolean>
}
