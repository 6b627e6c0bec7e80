/** The television of the demo. */

export const deviceClients = [
  {
    id: 'tv-player',
    secret: null,
    metadata: {
      client_name: 'TV Player',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      response_types: [],
      token_endpoint_auth_method: 'none',
    },
  },
] as const
