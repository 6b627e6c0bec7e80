/** What goes at once with its owner. */

const table = 'scim_users'

export const scimOwned = table

/** What says that a client keeps an owner. */
export const scimKept = `${table}` as const
