/**
 * The store contract. One method is one protocol step: atomic, and answered only after it is
 * durable. Expected outcomes are unions, never exceptions; an exception means that the state is
 * unknown, and whoever asked must refuse. Nothing secret comes in, only ids and digests.
 *
 * Everything that is expired, ended, disabled or deleted is invisible to a `find`: expiry is part
 * of each read, and purging is only housekeeping. A `list` shows what is disabled, too, and so does
 * a `find` that asks for it (the operator must be able to enable it again).
 *
 * What a store throws is a `StoreFault` (`fault.ts`).
 */
import type { Authorization, Family, Standing } from '../model/authorization.ts'
import type { Client, ClientChange } from '../model/client.ts'
import type { Event } from '../model/event.ts'
import type {
  AuthorizationId,
  ClientId,
  EventId,
  FamilyId,
  ItemId,
  OwnerId,
  SessionId,
} from '../model/ids.ts'
import type { Condition, Holder, Item } from '../model/item.ts'
import type { Owner, OwnerChange } from '../model/owner.ts'
import type { Permissions } from '../model/resource.ts'
import type { Session } from '../model/session.ts'
import type { Approval } from './approval.ts'

/** When and in which request a step happens. A step that tells of itself does so under `eventId`. */
export interface Trace {
  readonly eventId: EventId
  /** Unix seconds: the "now" of the step. */
  readonly at: number
  readonly requestId: string | null
}

/** A page of rows in the order of their keys; `next` is the key to go on after, or null. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
}

export interface Redemption {
  /** The id inside the code; the primary key of the family, which makes redeeming exactly-once. */
  readonly familyId: FamilyId
  readonly authorizationId: AuthorizationId
  /** The salt that the code was sealed with: if the authorization has another by now, it has ended. */
  readonly salt: string
  /** Unix seconds; for as long as the code could be presented, its family is remembered. */
  readonly codeIssuedAt: number
  /** True where the PKCE verifier was wrong: the code is used up and earns nothing. */
  readonly burn: boolean
  /** Unix seconds after which no token of the family lives; null = unlimited. */
  readonly expiresAt: number | null
}

export type Redeemed =
  | { readonly outcome: 'redeemed'; readonly family: Family }
  | { readonly outcome: 'burned' }
  /** The code was used before: what it earned has ended now. */
  | { readonly outcome: 'replayed' }
  /** The authorization, its client or its owner has ended or is disabled, or the salt has changed. */
  | { readonly outcome: 'ended' }

export interface Rotation {
  readonly familyId: FamilyId
  /** The salt that the refresh token was sealed with. */
  readonly salt: string
  /** The generation inside the presented refresh token. */
  readonly generation: number
  /** The new end of the family (unix seconds); null = unlimited. */
  readonly expiresAt: number | null
  /** For how long a repeated request gets the same successor. */
  readonly retrySeconds: number
}

export type Rotated =
  /** First use: `family.generation` is now one higher. */
  | { readonly outcome: 'rotated'; readonly family: Family }
  /** The same request again, shortly after, successor unused: nothing changed. */
  | { readonly outcome: 'repeated'; readonly family: Family }
  /** Older than that: taken for theft, the whole family has ended now. */
  | { readonly outcome: 'reused' }
  | { readonly outcome: 'ended' }

export type AdmittedAttempt =
  | { readonly outcome: 'admitted' }
  | { readonly outcome: 'wait'; readonly seconds: number }

/** How guessing is slowed. */
export interface AttemptRule {
  readonly freeTries: number
  readonly longestWaitSeconds: number
  /** A counter that was not touched for so long starts anew. */
  readonly forgetSeconds: number
}

export interface PutItem {
  readonly holder: Holder
  readonly resource: string
  readonly id: ItemId
  readonly fields: Readonly<Record<string, unknown>>
  readonly version: string
  readonly condition: Condition
  /** False: only change what exists or create anew, as the condition allows. True: never overwrite. */
  readonly createOnly: boolean
  /** At most so many items per holder and resource. */
  readonly mostItems: number
}

export type PutItemOutcome = 'created' | 'replaced' | 'precondition_failed' | 'full'

/** A sealing key as it is stored: wrapped under the root secret where there is one. */
export interface StoredKey {
  readonly id: string
  readonly wrapped: string
  /** Unix seconds; before this, nodes know the key but do not seal with it. */
  readonly usableFrom: number
  readonly createdAt: number
}

/** An authorization with the names that a list of them shows. */
export interface ListedAuthorization extends Authorization {
  readonly clientName: string
  readonly username: string
}

export interface Store {
  // Clients
  findClient(id: ClientId, also?: 'disabled'): Promise<Client | null>
  listClients(after: string | null, limit: number): Promise<Page<Client>>
  createClient(client: Client, trace: Trace): Promise<'created' | 'taken'>
  /** Atomic: two changes of different fields at once both hold. Tells `client.changed` or `client.secret_rotated`. */
  changeClient(id: ClientId, change: ClientChange, trace: Trace): Promise<Client | null>
  /** Also ends every authorization for it and deletes its items. */
  deleteClient(id: ClientId, trace: Trace): Promise<boolean>

  // Owners
  findOwner(id: OwnerId, also?: 'disabled'): Promise<Owner | null>
  /** By any spelling of the username (`usernameKey`). */
  findOwnerByName(username: string): Promise<Owner | null>
  listOwners(after: string | null, limit: number): Promise<Page<Owner>>
  createOwner(owner: Owner, trace: Trace): Promise<'created' | 'taken'>
  /** Disabling ends all sessions. */
  changeOwner(id: OwnerId, change: OwnerChange, trace: Trace): Promise<Owner | null>
  /**
   * Ends all sessions of the owner but `keepSession`, and with the new salt all that was sealed for
   * the owner's authorizations; these stay. Tells `owner.password_changed`.
   */
  changePassword(
    id: OwnerId,
    password: { readonly hash: string; readonly salt: string },
    keepSession: SessionId | null,
    trace: Trace,
  ): Promise<Owner | null>
  /** Also ends sessions and authorizations and deletes items. */
  deleteOwner(id: OwnerId, trace: Trace): Promise<boolean>

  // Login sessions
  /** The live session together with its owner, who is not disabled. */
  findSession(id: SessionId, now: number): Promise<{ session: Session; owner: Owner } | null>
  /**
   * False where the owner is gone or disabled, or has another password than was checked.
   * `replaces`: the session that the same browser had before ends in the same step. Tells `login.succeeded`.
   */
  startSession(
    session: Session,
    passwordHash: string,
    replaces: SessionId | null,
    trace: Trace,
  ): Promise<boolean>
  endSession(id: SessionId, trace: Trace): Promise<boolean>

  // Guessing
  /** Counts one attempt against every key, before it is made, unless one of them has to wait. */
  admitAttempt(keys: readonly string[], rule: AttemptRule, trace: Trace): Promise<AdmittedAttempt>
  /** The attempt was right: `forget` starts anew, `giveBack` (if any) gets its one attempt back. */
  clearAttempts(forget: string, giveBack: string | null, trace: Trace): Promise<void>

  // Authorizations
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
  listAuthorizations(
    of: { readonly ownerId?: OwnerId; readonly clientId?: ClientId },
    after: string | null,
    limit: number,
    now: number,
  ): Promise<Page<ListedAuthorization>>
  /**
   * Approves: a live authorization of the same owner, client, duration and session is changed (what
   * was asked is decided anew, the rest stays, the end date is the new one); else a new one begins.
   * What was refused goes from the others of the same owner and client as well.
   * Null where client or owner is gone or disabled, the session has ended or the proof holds no more.
   */
  approve(approval: Approval, trace: Trace): Promise<Authorization | null>
  /**
   * `ownerId`: only if it is this owner's. Permissions that it does not have are left out; where none
   * is left, it ends.
   */
  narrowAuthorization(
    id: AuthorizationId,
    ownerId: OwnerId | null,
    keep: Permissions,
    trace: Trace,
  ): Promise<Authorization | null>
  endAuthorization(id: AuthorizationId, ownerId: OwnerId | null, trace: Trace): Promise<boolean>
  /** Last uses, collected and written in batches; a later use never gives way to an earlier. */
  recordUses(uses: readonly { readonly id: AuthorizationId; readonly at: number }[]): Promise<void>

  // Codes, refresh tokens, access tokens
  redeemCode(redemption: Redemption, trace: Trace): Promise<Redeemed>
  /** Whether a code with this id was redeemed or burned already. */
  isRedeemed(familyId: FamilyId): Promise<boolean>
  /**
   * Begins a family without a code, once, approving first where an approval is given; under what
   * was approved earlier only while that has the salt it was read with.
   */
  startFamily(
    start: {
      readonly familyId: FamilyId
      readonly under: Pick<Authorization, 'id' | 'salt'> | Approval
      readonly expiresAt: number | null
    },
    trace: Trace,
  ): Promise<{ readonly authorization: Authorization; readonly family: Family } | null>
  /** `also`: even while its client or its owner is disabled, so that it can be ended meanwhile. */
  findStanding(familyId: FamilyId, now: number, also?: 'disabled'): Promise<Standing | null>
  rotateRefreshToken(rotation: Rotation, trace: Trace): Promise<Rotated>
  /** Tells `family.revoked`. False where it had ended before. */
  endFamily(familyId: FamilyId, trace: Trace): Promise<boolean>
  /**
   * Ends one single access token. `tokenId` names it among the tokens of its family, or of its
   * client; `expiresAt` says until when the ending must be remembered (null = for good).
   */
  endToken(
    token: {
      readonly of: { readonly familyId: FamilyId } | { readonly clientId: ClientId }
      readonly tokenId: string
      readonly expiresAt: number | null
    },
    trace: Trace,
  ): Promise<void>
  isTokenEnded(tokenId: string): Promise<boolean>

  // Items of the built-in resource server
  listItems(
    holder: Holder,
    resource: string,
    after: string | null,
    limit: number,
  ): Promise<Page<Item>>
  findItem(holder: Holder, resource: string, id: ItemId): Promise<Item | null>
  putItem(put: PutItem): Promise<PutItemOutcome>
  deleteItem(
    holder: Holder,
    resource: string,
    id: ItemId,
    condition: Condition,
  ): Promise<'deleted' | 'unknown' | 'precondition_failed'>

  // Sealing keys
  listKeys(): Promise<readonly StoredKey[]>
  /** Adds a key unless another node has added one that becomes usable at or after `unlessSince`. */
  addKey(key: StoredKey, unlessSince: number, trace: Trace): Promise<'added' | 'present'>

  // Events
  appendEvent(event: Event): Promise<void>
  /** Newest first. */
  listEvents(
    of: { readonly ownerId?: OwnerId; readonly clientId?: ClientId },
    before: string | null,
    limit: number,
  ): Promise<Page<Event>>

  // Housekeeping
  /** True on a store that holds neither clients nor owners. */
  isEmpty(): Promise<boolean>
  /** Resolves once a write would be durable; throws where it would not. */
  ping(): Promise<void>
  /** Notes a time (unix seconds), unless a later one is known; answers the latest of all nodes. */
  noteTime(at: number): Promise<number>
  /** Takes one small step through the expired rows and the events before a moment; says how many went. */
  purge(now: number, eventsBefore: number, mostRows: number): Promise<number>
  close(): Promise<void>
}
