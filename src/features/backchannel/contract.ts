/** What backchannel requests ask of the store. */
import type { Detail } from '../../model/detail.ts'
import type { AuthorizationId, ClientId, FamilyId, OwnerId, SessionId } from '../../model/ids.ts'
import type { Permissions } from '../../model/resource.ts'
import type {
  PolledRedeemed,
  PolledRedemption,
  PolledRequest,
} from '../../store/contract/polled.ts'
import type { Trace } from '../../store/contract/trace.ts'

/** A request to an owner who is elsewhere (OpenID CIBA). Its row goes some time after its end. */
export interface BackchannelRequest extends PolledRequest {
  /** Null where nobody is asked: then nobody will ever decide. */
  readonly ownerId: OwnerId | null
  /** Keyed digest of the hint. Requests are counted by it. */
  readonly hint: string
  /** `binding_message` */
  readonly message: string | null
  /** Wrapped, for the ping after the decision. Null: the client only polls. */
  readonly ping: string | null
  /** Whether the client registered itself. Such clients are counted apart, and pinged apart. */
  readonly ofStranger: boolean
  /** Once it is approved: the end of its authorization after the redemption, unless that is for one token. */
  readonly keptUntil: number | null
}

/** Living requests, at most. */
export interface BackchannelBounds {
  /** Of one client by one hint. */
  readonly ofHint: number
  /** Of one client, and of all, that one owner is shown. Beyond that nobody is asked. */
  readonly ofOwner: number
  readonly ofOwnerInAll: number
  /** Denials of the owner to this client, lately. Beyond that nobody is asked. */
  readonly denials: number
  /** Unix seconds: where `lately` begins. */
  readonly since: number
  /** Of strangers, in one network and in all, with those whose end is not long ago. Null: no bound. */
  readonly ofNetwork: number | null
  readonly inAll: number | null
}

/** The outcome of `startBackchannel`. */
export type BackchannelStarted =
  | {
      readonly outcome: 'started'
      /** False where nobody is asked. */
      readonly isHeard: boolean
      /** Whether no other one of the client waited lately by the same hint, whatever became of it. */
      readonly isFirst: boolean
      /** The same, of the same owner by any hint. */
      readonly isFirstOfOwner: boolean
    }
  | { readonly outcome: 'too_many_of_hint' | 'too_many' }

/** How long a client keeps access by `offline_access`. */
export interface KeptAccess {
  /** Unix seconds; null: until taken back, or with the login. */
  readonly keptUntil: number | null
  /** The login that it ends with, if any. */
  readonly sessionId: SessionId | null
}

/** What an owner allowed once. */
export interface BackchannelApproval {
  readonly ownerId: OwnerId
  /** The login in which the owner decided. */
  readonly session: SessionId
  /** Of the authorization to come. */
  readonly authorizationId: AuthorizationId
  readonly permissions: Permissions
  readonly details: readonly Detail[]
  /** Of that authorization, where it is for more than one token. Until then it ends with the request. */
  readonly kept: KeptAccess | null
  readonly salt: string
  readonly terms: string
}

/** An approved request to redeem, and the end of what was approved. */
export interface BackchannelRedemption extends PolledRedemption {
  /** Of its authorization from now on; null: until taken back. */
  readonly endsAt: number | null
}

/** A decided request of which the client is to be told. */
export interface BackchannelPing
  extends Pick<BackchannelRequest, 'id' | 'clientId' | 'ownerId' | 'expiresAt' | 'ofStranger'> {
  readonly ping: string
  /** The number of the try that this claim allows. */
  readonly tries: number
}

/** A claim on pings that are due. */
export interface PingClaim extends Pick<BackchannelRequest, 'ofStranger'> {
  /** Clients with a try under way, and owners with enough of them. */
  readonly busy: readonly ClientId[]
  readonly busyOwners: readonly OwnerId[]
  readonly most: number
  /** The claim holds until then (unix seconds). */
  readonly until: number
}

/** Steps on backchannel requests. */
export interface BackchannelSteps {
  startBackchannel(
    request: BackchannelRequest,
    bounds: BackchannelBounds,
  ): Promise<BackchannelStarted>
  /** In every state, and for a while after its end. */
  findBackchannel(id: FamilyId): Promise<BackchannelRequest | null>
  /** Requests that wait for the owner, of enabled clients; the newest first. */
  listBackchannels(
    ownerId: OwnerId,
    now: number,
    limit: number,
  ): Promise<readonly BackchannelRequest[]>
  /** Owners that have authorized a client, the latest first. */
  listAuthorizers(clientId: ClientId, limit: number): Promise<readonly OwnerId[]>
  /**
   * Only while it is pending, for this owner in this login, and while client and owner are enabled.
   * Begins an authorization of its own, with its event. `paused`: the owner has paused the client.
   */
  approveBackchannel(
    id: FamilyId,
    approval: BackchannelApproval,
    trace: Trace,
  ): Promise<'approved' | 'paused' | 'over'>
  /** False unless it is pending, for this owner in this login. Tells `authorization.denied`. */
  denyBackchannel(
    id: FamilyId,
    by: Pick<BackchannelApproval, 'ownerId' | 'session'>,
    trace: Trace,
  ): Promise<boolean>
  /** Once, on all nodes: begins the family while authorization, client and owner are alive. */
  redeemBackchannel(redemption: BackchannelRedemption, trace: Trace): Promise<PolledRedeemed>
  /** One of each client and owner. Counts a try for each, and nobody else claims them for a while. */
  claimBackchannelPings(claim: PingClaim, now: number): Promise<readonly BackchannelPing[]>
  /** The next try comes at `dueAt` (unix seconds); null: there is none. False if the claim was lost. */
  postponeBackchannelPing(
    ping: Pick<BackchannelPing, 'id' | 'tries'>,
    dueAt: number | null,
  ): Promise<boolean>
}
