/** Tables of features whose rows go at once with their owner. */
import { scimOwned } from './scim/owned.ts'

export const featureOwned = [scimOwned] as const
