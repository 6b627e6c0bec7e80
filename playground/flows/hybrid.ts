/** People log in by an ID token in front (OpenID Connect Core sections 3.2 and 3.3). */
import type { Flow, RequestRow, Templates } from '../flow.ts'
import { idTokenFor, keys, loginRequest, userinfo } from './login-rows.ts'
import { addClient, codeForm, registered, token } from './rows.ts'

const hybridRequest = (type: string, changes: Templates = {}): Templates =>
  loginRequest(registered.id, { response_type: type, scope: 'openid profile', ...changes })

/** A request that is refused before anybody is asked for anything. */
const refused = (query: Templates): RequestRow => ({ line: 'GET /authorize', query, status: 302 })

const { nonce: _, ...withoutNonce } = hybridRequest('code id_token')

export const hybridFlow: Flow = {
  name: 'hybrid',
  client: 'Front Door',
  owner: 'alice',
  steps: [
    {
      name: 'register-hybrid',
      send: [
        ...addClient({
          client_name: 'Front Door',
          redirect_uris: ['{callback}'],
          grant_types: ['authorization_code', 'implicit'],
          response_types: ['code id_token', 'id_token'],
          id_token_signed_response_alg: 'ES256',
        }),
      ],
    },
    { name: 'ask-hybrid', visit: hybridRequest('code id_token') },
    { name: 'arrive-hybrid', arrive: 'fragment', at: '/callback' },
    {
      name: 'check-front',
      send: [keys],
      inspect: idTokenFor('{client_id}', { hashes: { c_hash: '{code}' } }),
    },
    {
      name: 'exchange-hybrid',
      send: [
        {
          ...token(registered, codeForm('{callback}')),
          learn: { access_token: 'access_token' },
          set: { used_code: '{code}' },
          forget: ['code'],
        },
        userinfo('{access_token}'),
      ],
    },
    {
      name: 'ask-form-post',
      visit: hybridRequest('id_token', { response_mode: 'form_post' }),
    },
    { name: 'arrive-form', arrive: 'form', at: '/callback' },
    { name: 'check-posted', send: [keys], inspect: idTokenFor('{client_id}') },
  ],
  attacks: [
    {
      name: 'swapped-code',
      send: [keys],
      inspect: idTokenFor('{client_id}', {
        hashes: { c_hash: 'lk_ac_a-code-of-the-attacker' },
        fails: 'c_hash',
      }),
    },
    { name: 'hybrid-without-nonce', send: [refused(withoutNonce)] },
    { name: 'type-not-registered', send: [refused(hybridRequest('code id_token token'))] },
    {
      name: 'mode-query',
      send: [refused(hybridRequest('code id_token', { response_mode: 'query' }))],
    },
  ],
}
