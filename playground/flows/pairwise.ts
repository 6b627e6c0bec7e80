/** Pairwise subjects (OpenID Connect Core section 8): each client knows the same owner by another name. */
import type { Flow, PlayedClient } from '../flow.ts'
import { loginExchange, loginRequest, userinfo } from './login-rows.ts'
import { addClient, registered } from './rows.ts'

const other: PlayedClient = { id: '{other_id}', secret: '{other_secret}' }

const metadata = (name: string) => ({
  client_name: name,
  redirect_uris: ['{callback}'],
  grant_types: ['authorization_code'],
  subject_type: 'pairwise',
})

export const pairwiseFlow: Flow = {
  name: 'pairwise',
  client: 'First Shop',
  owner: 'alice',
  steps: [
    {
      name: 'register-pairwise',
      send: [
        ...addClient(metadata('First Shop')),
        ...addClient(metadata('Second Shop'), {
          client_id: 'other_id',
          client_secret: 'other_secret',
        }),
      ],
    },
    { name: 'ask-first', visit: loginRequest(registered.id) },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    { name: 'exchange-login', send: [loginExchange(registered)] },
    { name: 'ask-second', visit: loginRequest(other.id) },
    { name: 'arrive-second', arrive: 'query', at: '/callback' },
    {
      name: 'exchange-second',
      send: [{ ...loginExchange(other), learn: { access_token: 'other_access_token' } }],
    },
    {
      name: 'two-subjects',
      send: [userinfo('{access_token}'), userinfo('{other_access_token}')],
    },
  ],
  attacks: [
    {
      name: 'many-hosts',
      send: [
        {
          line: 'POST /register',
          json: {
            ...metadata('Third Shop'),
            redirect_uris: ['https://one.example/cb', 'https://two.example/cb'],
          },
          status: 400,
        },
      ],
    },
  ],
}
