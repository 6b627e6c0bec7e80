/** Grant management: a client begins a grant, adds to it, sees it and gives it back. */
import type { Flow, RequestRow, Templates } from '../flow.ts'
import { addClient, codeForm, credentials, nightlyReport, registered, token } from './rows.ts'

const bookkeeper = {
  client_name: 'Bookkeeper',
  redirect_uris: ['{callback}'],
  grant_types: ['authorization_code', 'client_credentials'],
  scope: 'photos:read contacts:read grant_management_query grant_management_revoke',
}

const asked = (scope: string, grant: Templates) => ({
  response_type: 'code',
  client_id: '{client_id}',
  redirect_uri: '{callback}',
  scope,
  state: '{state}',
  ...grant,
})

/** About the grant, with a token of the client itself. */
const manage = (method: 'GET' | 'DELETE', grant: string, status: number): readonly RequestRow[] => [
  {
    ...token(
      registered,
      credentials(method === 'GET' ? 'grant_management_query' : 'grant_management_revoke'),
    ),
    learn: { access_token: 'grant_token' },
  },
  { line: `${method} /grants/${grant}`, bearer: '{grant_token}', status },
]

const exchange: RequestRow = {
  ...token(registered, codeForm('{callback}')),
  learn: { access_token: 'access_token', grant_id: 'grant_id' },
}

export const grantsFlow: Flow = {
  name: 'grants',
  client: 'Bookkeeper',
  owner: 'alice',
  steps: [
    { name: 'add-bookkeeper', send: addClient(bookkeeper) },
    { name: 'ask-grant', visit: asked('photos:read', { grant_management_action: 'create' }) },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    { name: 'exchange-grant', send: [{ ...exchange, forget: ['code'] }] },
    { name: 'see-grant', send: manage('GET', '{grant_id}', 200) },
    {
      name: 'ask-more',
      visit: asked('contacts:read', {
        grant_management_action: 'update',
        grant_id: '{grant_id}',
      }),
    },
    { name: 'arrive-more', arrive: 'query', at: '/callback' },
    { name: 'exchange-more', send: [{ ...exchange, forget: ['code'] }] },
    { name: 'give-back', send: manage('DELETE', '{grant_id}', 204) },
  ],
  attacks: [
    {
      name: 'foreign-grant',
      send: [
        {
          line: 'GET /authorize',
          query: asked('contacts:read', {
            grant_management_action: 'update',
            grant_id: '01k3abcdefghjkmnpqrstvwxyz',
          }),
          status: 302,
        },
      ],
    },
    {
      name: 'grant-by-owner-token',
      send: [{ line: 'GET /grants/{grant_id}', bearer: '{access_token}', status: [401, 403] }],
    },
    {
      name: 'unregistered-permission',
      send: [
        {
          line: 'POST /token',
          as: nightlyReport,
          form: credentials('grant_management_revoke'),
          status: 400,
        },
      ],
    },
  ],
}
