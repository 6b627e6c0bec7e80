/** Tables of features about owners. */
import { scimKept, scimOwned } from './scim/owned.ts'

/** Their rows go at once with the owner. */
export const featureOwned = [scimOwned] as const

/** Each row says that the client `client_id` keeps the owner `owner_id` and sets the address. `disabled_here`: the client disabled the owner. */
export const featureKept = [scimKept] as const
