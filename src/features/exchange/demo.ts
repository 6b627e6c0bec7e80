/** The client that exchanges tokens in the demo. */

export const helperClient = {
  id: 'helper',
  secret: 'helper-secret',
  metadata: {
    client_name: 'Helper',
    redirect_uris: ['http://127.0.0.1:6750/helper'],
    grant_types: [
      'authorization_code',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'client_credentials',
    ],
    response_types: ['code'],
  },
} as const
