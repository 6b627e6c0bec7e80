/** What the features ask of the store. */
import type { BackchannelSteps } from './backchannel/contract.ts'
import type { DeviceSteps } from './device/contract.ts'
import type { LeaverSteps } from './leavers/contract.ts'
import type { ScimSteps } from './scim/contract.ts'
import type { SignalSteps } from './signals/contract.ts'
import type { IssuerSteps } from './trusted-issuers/contract.ts'

export type * from './backchannel/contract.ts'
export type * from './device/contract.ts'
export type * from './leavers/contract.ts'
export type * from './scim/contract.ts'
export type * from './signals/contract.ts'
export type * from './trusted-issuers/contract.ts'
export type { GrantKind, TrustedIssuer } from './trusted-issuers/issuer.ts'

/** The steps of further ways to a token. */
type GrantSteps = object & DeviceSteps & IssuerSteps & BackchannelSteps

/** The steps of all features. */
export type FeatureSteps = GrantSteps & SignalSteps & ScimSteps & LeaverSteps
