/** What the features ask of the store. */
import type { DeviceSteps } from './device/contract.ts'

export type FeatureSteps = object & DeviceSteps
