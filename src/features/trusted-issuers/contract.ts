/** What trusted issuers ask of the store. */
import type { Authorization, Family } from '../../model/authorization.ts'
import type {
  AuthorizationId,
  ClientId,
  Digest,
  FamilyId,
  OwnerId,
  SessionId,
} from '../../model/ids.ts'
import type { Permissions } from '../../model/resource.ts'
import type { Trace } from '../../store/contract/trace.ts'
import type { TrustedIssuer } from './issuer.ts'

/** The members to be set, as they will be. */
export type IssuerChange = Partial<Omit<TrustedIssuer, 'id'>>

/** An issuer as it was read. Each change counts its revision up. */
export interface StoredIssuer extends TrustedIssuer {
  readonly revision: number
}

/** Of whom an access is that an issuer opened. */
export interface IssuerAccessOf {
  readonly ownerId: OwnerId
  readonly clientId: ClientId
  readonly issuerId: string
}

/** What an issuer opened for one owner and one client. Its row stays when the authorization has ended. */
export interface IssuerAccess extends IssuerAccessOf {
  readonly authorizationId: AuthorizationId
  /** All that the issuer ever opened. Of these, what the authorization lacks was taken away. */
  readonly offered: Permissions
}

/** An access for a list: what is called how, and whether it has ended. */
export interface ListedIssuerAccess extends IssuerAccess {
  readonly clientName: string
  readonly title: string
  readonly hasEnded: boolean
}

/** An assertion whose signature and claims were checked. */
export interface AssertionRedemption {
  /** As it was read: a change since then refuses. */
  readonly issuer: StoredIssuer
  readonly clientId: ClientId
  readonly ownerId: OwnerId
  readonly permissions: Permissions
  /** Names the assertion, until it has expired. Null for one that may come again. */
  readonly used: { readonly id: Digest; readonly expiresAt: number } | null
  /** The ids and the salt to use for what begins. */
  readonly authorizationId: AuthorizationId
  readonly familyId: FamilyId
  readonly salt: string
  /** Of the family: the end of its last token. */
  readonly expiresAt: number | null
}

/** The outcome of `redeemAssertion`. */
export type AssertionRedeemed =
  | { readonly outcome: 'redeemed'; readonly authorization: Authorization; readonly family: Family }
  /** The assertion came before. */
  | { readonly outcome: 'replayed' }
  /** The owner's access of the client is paused. Nothing was used up. */
  | { readonly outcome: 'paused' }
  /** The owner or the operator ended what the issuer opened, and has not allowed it again. */
  | { readonly outcome: 'ended' }
  /** All that the assertion asks for was taken away. */
  | { readonly outcome: 'taken' }
  /** The issuer was changed or deleted meanwhile, or client or owner can do nothing now. */
  | { readonly outcome: 'impossible' }

/** Steps on trusted issuers. */
export interface IssuerSteps {
  /** In the order in which they were created. */
  listTrustedIssuers(): Promise<readonly StoredIssuer[]>
  findTrustedIssuer(id: string): Promise<StoredIssuer | null>
  /** By the `iss` of an assertion. */
  findTrustedIssuerBy(issuer: string): Promise<StoredIssuer | null>
  /**
   * What was ended under the iss of a deleted issuer stays ended under the new id.
   *
   * @param most how many there may be; concurrent steps may exceed it by one each
   * @param revives whether the id of a deleted one may come back; otherwise it is taken
   */
  createTrustedIssuer(
    issuer: TrustedIssuer,
    most: number,
    trace: Trace,
    revives: boolean,
  ): Promise<'created' | 'id_taken' | 'issuer_taken' | 'too_many'>
  /**
   * Null where there is no such issuer. Two changes of different members both hold.
   *
   * @param revision the issuer as it was seen; it changes in no other state
   */
  changeTrustedIssuer(
    id: string,
    change: IssuerChange,
    trace: Trace,
    revision?: number,
  ): Promise<StoredIssuer | 'issuer_taken' | 'changed_meanwhile' | null>
  /**
   * From then on nothing finds the issuer, and no assertion of it counts. True also for one that was ended before and
   * is not freed, false without any.
   *
   * @param revision the issuer as it was seen; it ends in no other state
   */
  endTrustedIssuer(
    id: string,
    trace: Trace,
    revision?: number,
  ): Promise<boolean | 'changed_meanwhile'>
  /** All that the ended issuer opened has ended. Its row stays as a mark of the id, and its iss is free. */
  freeTrustedIssuer(id: string): Promise<void>
  /** The owner, who may be without a password, by a confirmed email address in any spelling. */
  findOwnerIdByConfirmedEmail(email: string): Promise<OwnerId | null>
  /**
   * Once, on all nodes: opens or widens what the issuer allows the client, and begins a family under it. What the
   * owner has taken away stays away.
   */
  redeemAssertion(redemption: AssertionRedemption, trace: Trace): Promise<AssertionRedeemed>
  /** Ended issuers that are not freed. */
  listEndedIssuers(): Promise<readonly string[]>
  /** Accesses of an issuer whose authorization lives, at most so many. */
  listIssuerAccesses(issuerId: string, most: number, now: number): Promise<readonly IssuerAccess[]>
  /**
   * Ends the authorization, and drops the row with it: the issuer could open the access anew. The row stays where
   * somebody else ended it.
   */
  endIssuerAccess(access: IssuerAccess, trace: Trace): Promise<void>
  /** What issuers opened for an owner. */
  listIssuerAccessesOf(ownerId: OwnerId, now: number): Promise<readonly ListedIssuerAccess[]>
  /**
   * After an end, the issuer may open the access anew. False where there is nothing to allow.
   *
   * @param session the login that the owner does it by; null for an operator
   */
  allowIssuerAgain(of: IssuerAccessOf, session: SessionId | null, trace: Trace): Promise<boolean>
}
