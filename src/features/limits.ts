/** The limits of the features that an operator may set. */
import { deviceSettings } from './device/settings.ts'

export const featureLimits = { ...deviceSettings } as const
