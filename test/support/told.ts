/** Texts of the token endpoint: the whole scope of the demo, and the descriptions of refusals. */

export const everything =
  'calendar:read calendar:write contacts:read contacts:write photos:read photos:write'

/** One description for all that can be wrong with a code, and one for a refresh token. */
export const deadCode =
  'the code is unknown, expired, used, or was issued for another client or redirect_uri'
export const deadRefreshToken =
  'the refresh token is unknown, expired, revoked, used, or of another client'
/** What a `resource` of nobody is told in the demo. */
export const unknownTarget = (issuer: string): string => {
  const paths = [
    '',
    '/api',
    '/api/photos',
    '/api/contacts',
    '/api/calendar',
    '/admin/api',
    '/scim/v2',
  ]
  return `resource has to be one of ${paths.map((path) => issuer + path).join(', ')}`
}

export const failedClient = 'client authentication failed'
