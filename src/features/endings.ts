/** Whether a request of a feature is over, so that an approval of it would earn nothing. */
import { matchOverDevice } from './device/ending.ts'

export const featureEndings = [matchOverDevice] as const
