/** The SCIM API (RFC 7644) as access to it is given: its permission, and where it lies. */

export const scimApi = {
  permission: 'scim',
  /** Below `{base_url}`; with that before it, the audience of its tokens. */
  path: '/scim/v2',
  title: 'Latchkey SCIM API',
  /** Permissions of the admin API that allow as much. Nobody gives the permission without them. */
  worth: ['groups:read', 'groups:write', 'owners:read', 'owners:write'],
} as const
