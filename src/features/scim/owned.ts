/** What goes at once with its owner. */

export const scimOwned = 'scim_users'
