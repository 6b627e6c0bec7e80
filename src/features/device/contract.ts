/** What device authorizations ask of the store. */
import type { AuthorizationId, FamilyId, OwnerId } from '../../model/ids.ts'
import type {
  PolledRedeemed,
  PolledRedemption,
  PolledRequest,
} from '../../store/contract/polled.ts'
import type { Trace } from '../../store/contract/trace.ts'

/** A request of a device. Its row goes some time after its end. */
export interface DeviceAuthorization extends PolledRequest {
  /** Keyed digest of the user code: there are so few codes that a plain one could be guessed. */
  readonly userCode: string
}

/** Device authorizations that wait or are approved, at most; concurrent steps may exceed it by one each. */
export interface DeviceBounds {
  readonly ofNetwork: number
  readonly inAll: number
}

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
  redeemDevice(redemption: PolledRedemption, trace: Trace): Promise<PolledRedeemed>
}
