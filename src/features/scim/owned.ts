/** What goes at once with its owner. */

export const scimOwned = 'scim_users'

/** What says that a client keeps an owner. */
export const scimKept = scimOwned
