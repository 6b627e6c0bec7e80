/** How strong and how fresh a login has to be, and requests that must show no page. */
import type { Flow } from '../flow.ts'
import { idTokenFor, keys, loginExchange, loginRequest } from './login-rows.ts'
import { gallery, photoPrinter } from './rows.ts'

const strong = { id_token: { acr: { essential: true, values: ['2'] } } }

export const stepUpFlow: Flow = {
  name: 'step-up',
  client: 'Photo Printer',
  owner: 'alice',
  steps: [
    {
      name: 'ask-fresh',
      visit: loginRequest(photoPrinter.id, { max_age: '0', acr_values: '2' }),
    },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    { name: 'exchange-login', send: [loginExchange()] },
    { name: 'check-strength', send: [keys], inspect: idTokenFor(photoPrinter.id) },
    {
      name: 'ask-strong',
      visit: loginRequest(photoPrinter.id, { claims: JSON.stringify(strong) }),
    },
    {
      name: 'arrive-unmet',
      arrive: 'query',
      at: '/callback',
      error: 'unmet_authentication_requirements',
    },
    {
      name: 'ask-silently',
      visit: loginRequest(gallery.id, {
        redirect_uri: '{gallery}',
        prompt: 'none',
        code_challenge: '{challenge}',
        code_challenge_method: 'S256',
      }),
    },
    { name: 'arrive-silent', arrive: 'query', at: '/gallery', error: 'interaction_required' },
  ],
  attacks: [
    {
      name: 'silent-stranger',
      send: [
        {
          line: 'GET /authorize',
          query: loginRequest(photoPrinter.id, { prompt: 'none' }),
          status: 302,
        },
      ],
    },
    {
      name: 'silent-and-loud',
      send: [
        {
          line: 'GET /authorize',
          query: loginRequest(photoPrinter.id, { prompt: 'none login' }),
          status: 302,
        },
      ],
    },
  ],
}
