/** Requests that wait for their owner while their client polls `/token`: of devices, and to owners elsewhere. */
import type { Family } from '../../model/authorization.ts'
import type { AuthorizationId, ClientId, Digest, FamilyId } from '../../model/ids.ts'
import type { ClientLogin } from './queue.ts'

/** Its row goes some time after its end. */
export interface PolledRequest {
  /** Placed, it is the id of the family that the request is redeemed for. */
  readonly id: FamilyId
  /** Digest of the secret in its code. */
  readonly secretDigest: Digest
  readonly clientId: ClientId
  /** What the client asked for, form-encoded. */
  readonly parameters: string
  /** Where the client is, as far as that is kept. */
  readonly network: string
  /** Unix seconds. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly state: 'pending' | 'approved' | 'denied' | 'redeemed'
  /** Once it is approved. */
  readonly authorizationId: AuthorizationId | null
  /** The salt of authorization and client then: with another one, the approval has ended. */
  readonly salt: string | null
  /** What the client gets, in a form of its own. */
  readonly terms: string | null
}

/** An approved request to redeem, which starts a family. */
export interface PolledRedemption {
  readonly id: FamilyId
  /** The family to begin. */
  readonly familyId: FamilyId
  readonly authorizationId: AuthorizationId
  /** As they were approved. */
  readonly salt: string
  readonly terms: string
  /** Of the family: the end of its last token. */
  readonly expiresAt: number | null
  readonly login?: ClientLogin
}

/** The outcome of `redeemDevice` and `redeemBackchannel`. */
export type PolledRedeemed =
  | { readonly outcome: 'redeemed'; readonly family: Family }
  /** Nothing was changed: the application has to be resumed first. */
  | { readonly outcome: 'paused' }
  /** Nothing was changed: its owner has decided otherwise meanwhile. */
  | { readonly outcome: 'changed' }
  /** Client, owner or authorization are gone or disabled. */
  | { readonly outcome: 'ended' }
  /** The request is redeemed, or has expired. */
  | { readonly outcome: 'used' }
