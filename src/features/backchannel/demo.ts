/** The till of the demo: it asks a customer who has a telephone. */

export const backchannelClients = [
  {
    id: 'cash-desk',
    secret: 'cash-desk-secret',
    metadata: {
      client_name: 'Cash Desk',
      grant_types: ['urn:openid:params:grant-type:ciba'],
      response_types: [],
      backchannel_token_delivery_mode: 'poll',
    },
  },
] as const
