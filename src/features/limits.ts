/** The limits of the features that an operator may set. */
import { backchannelSettings } from './backchannel/settings.ts'
import { deviceSettings } from './device/settings.ts'

export const featureLimits = { ...deviceSettings, ...backchannelSettings } as const
