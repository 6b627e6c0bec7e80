/** Single claims: a client asks for them by name, and the owner decides. */
import type { Flow } from '../flow.ts'
import { idTokenFor, keys, loginExchange, loginRequest, userinfo } from './login-rows.ts'
import { addClient, noToken, refreshForm, registered } from './rows.ts'

const asked = {
  userinfo: { phone_number: null },
  id_token: { email: { essential: true } },
}

const request = (claims: string) => loginRequest(registered.id, { claims })

export const claimsFlow: Flow = {
  name: 'claims',
  client: 'Telephone Book',
  owner: 'alice',
  steps: [
    {
      name: 'register-claims',
      send: addClient({
        client_name: 'Telephone Book',
        redirect_uris: ['{callback}'],
        grant_types: ['authorization_code', 'refresh_token'],
      }),
    },
    { name: 'ask-claims', visit: request(JSON.stringify(asked)) },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    { name: 'exchange-login', send: [loginExchange(registered)] },
    { name: 'told-claims', send: [userinfo('{access_token}')] },
    { name: 'claims-inside', send: [keys], inspect: idTokenFor('{client_id}') },
  ],
  attacks: [
    {
      name: 'broken-claims',
      send: [{ line: 'GET /authorize', query: request('phone_number'), status: 302 }],
    },
    {
      name: 'wider-claims',
      send: [noToken(registered, { ...refreshForm('{refresh_token}'), scope: 'openid address' })],
    },
  ],
}
