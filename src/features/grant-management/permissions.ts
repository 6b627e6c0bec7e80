/** The permissions to see and give back grants (Grant Management section 6.1), as a scope names them. */

export const grantPermissions = ['grant_management_query', 'grant_management_revoke'] as const
