/** An application logs its user out, and hears of logouts elsewhere. */
import type { Flow, RequestRow, Templates } from '../flow.ts'
import { idTokenFor, keys, loginExchange, loginRequest } from './login-rows.ts'
import { addClient, registered } from './rows.ts'

const request: Templates = {
  id_token_hint: '{id_token}',
  post_logout_redirect_uri: '{callback}',
  state: '{state}',
}

const received: RequestRow = {
  line: 'GET /logouts/{client_id}',
  learn: { logout_token: 'logout_token' },
}

export const logoutFlow: Flow = {
  name: 'logout',
  client: 'Signed In',
  owner: 'alice',
  steps: [
    {
      name: 'register-logout',
      send: addClient({
        client_name: 'Signed In',
        redirect_uris: ['{callback}'],
        grant_types: ['authorization_code'],
        post_logout_redirect_uris: ['{callback}'],
        backchannel_logout_uri: '{issuer}/logouts',
      }),
    },
    { name: 'ask-openid', visit: loginRequest(registered.id) },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    { name: 'exchange-login', send: [loginExchange(registered)] },
    { name: 'log-out', to: '/logout', visit: request },
    { name: 'arrive-logged-out', arrive: 'query', at: '/callback' },
    {
      name: 'logout-token',
      send: [received, keys],
      inspect: {
        token: '{logout_token}',
        expects: {
          typ: 'logout+jwt',
          iss: '{issuer}',
          aud: '{client_id}',
          events: 'http://schemas.openid.net/event/backchannel-logout',
        },
        lacks: ['nonce'],
      },
    },
  ],
  attacks: [
    { name: 'logout-by-link', to: '/logout', visit: { client_id: '{client_id}' } },
    {
      name: 'foreign-return',
      send: [
        {
          line: 'GET /logout',
          query: { ...request, post_logout_redirect_uri: 'https://evil.example/' },
          status: 400,
        },
      ],
    },
    {
      name: 'logout-token-as-login',
      send: [keys],
      inspect: idTokenFor('{client_id}', {
        token: '{logout_token}',
        expects: { typ: 'JWT', iss: '{issuer}', aud: '{client_id}' },
        fails: 'typ',
      }),
    },
    {
      name: 'forged-logout-token',
      send: [
        {
          line: 'POST /logouts',
          form: { logout_token: '{logout_token|unsigned}' },
          status: 400,
        },
      ],
    },
  ],
}
