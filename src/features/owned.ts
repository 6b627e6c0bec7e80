/** Tables of features about owners. */
import { leaversMarked, leaversOwned } from './leavers/owned.ts'
import { scimKept, scimOwned } from './scim/owned.ts'

/** Their rows go at once with the owner. */
export const featureOwned = [scimOwned, leaversOwned] as const

/** Each row says that the client `client_id` keeps the owner `owner_id` and sets the address. */
export const featureKept = [scimKept] as const

/** `disabled_here` of a row: a client or a directory disabled the owner, and no operator since. */
export const featureDisabled = [...featureKept, leaversMarked] as const
