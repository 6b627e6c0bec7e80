/** What device authorizations ask of the store. */
import type { Family } from '../../model/authorization.ts'
import type { AuthorizationId, ClientId, Digest, FamilyId, OwnerId } from '../../model/ids.ts'
import type { ClientLogin } from '../../store/contract/queue.ts'
import type { Trace } from '../../store/contract/trace.ts'

/** A request of a device. Its row goes some time after its end. */
export interface DeviceAuthorization {
  /** The family that it is redeemed for has the same id. */
  readonly id: FamilyId
  /** Digest of the secret in the device code. */
  readonly secretDigest: Digest
  /** Keyed digest of the user code: there are so few codes that a plain one could be guessed. */
  readonly userCode: string
  readonly clientId: ClientId
  /** What the device asked for, form-encoded. */
  readonly parameters: string
  /** Where the device is, as far as that is kept. */
  readonly network: string
  /** Unix seconds. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly state: 'pending' | 'approved' | 'denied' | 'redeemed'
  /** Once it is approved. */
  readonly authorizationId: AuthorizationId | null
  /** The salt of authorization and client then: with another one, the approval has ended. */
  readonly salt: string | null
  /** What the device gets, in a form of its own. */
  readonly terms: string | null
}

/** Device authorizations that wait or are approved, at most; concurrent steps may exceed it by one each. */
export interface DeviceBounds {
  readonly ofNetwork: number
  readonly inAll: number
}

/** An approved device authorization to redeem, which starts a family. */
export interface DeviceRedemption {
  readonly id: FamilyId
  readonly authorizationId: AuthorizationId
  /** As they were approved. */
  readonly salt: string
  readonly terms: string
  /** Of the family: the end of its last token. */
  readonly expiresAt: number | null
  readonly login?: ClientLogin
}

/** The outcome of `redeemDevice`. */
export type DeviceRedeemed =
  | { readonly outcome: 'redeemed'; readonly family: Family }
  /** Nothing was changed: the application has to be resumed first. */
  | { readonly outcome: 'paused' }
  /** Nothing was changed: its owner has decided otherwise meanwhile. */
  | { readonly outcome: 'changed' }
  /** Client, owner or authorization are gone or disabled. */
  | { readonly outcome: 'ended' }
  /** The code is redeemed, or has expired. */
  | { readonly outcome: 'used' }

/** Steps on device authorizations. */
export interface DeviceSteps {
  /** `taken`: the user code is that of another device, or was until a while ago. */
  startDevice(
    device: DeviceAuthorization,
    /** Null for a client without bounds. */
    bounds: DeviceBounds | null,
  ): Promise<'started' | 'taken' | 'too_many_of_network' | 'too_many'>
  /** In every state, and for a while after its end. */
  findDevice(id: FamilyId): Promise<DeviceAuthorization | null>
  /** One that waits for a decision. */
  findDeviceByCode(userCode: string, now: number): Promise<DeviceAuthorization | null>
  /**
   * Only while it is pending, or approved by the same owner, and while the authorization of its client
   * holds and is not paused. True also if it was redeemed for the same authorization.
   */
  approveDevice(
    id: FamilyId,
    by: {
      readonly authorizationId: AuthorizationId
      readonly salt: string
      readonly terms: string
    },
    trace: Trace,
  ): Promise<boolean>
  /** Only while it is pending, or approved by the same owner. @param by null without a login */
  denyDevice(id: FamilyId, by: OwnerId | null, trace: Trace): Promise<boolean>
  /** Once, on all nodes: begins the family while authorization, client and owner are alive. */
  redeemDevice(redemption: DeviceRedemption, trace: Trace): Promise<DeviceRedeemed>
}
