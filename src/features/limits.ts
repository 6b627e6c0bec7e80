/** The limits of the features that an operator may set. */
import { deviceLimits } from './device/settings.ts'

export const featureLimits = { ...deviceLimits } as const
