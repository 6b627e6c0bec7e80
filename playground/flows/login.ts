/** People log in to an application by a code (OpenID Connect Core section 3.1). */
import type { Flow } from '../flow.ts'
import { idTokenFor, keys, loginExchange, loginRequest, userinfo } from './login-rows.ts'
import { codeForm, gallery, noToken, photoPrinter, refreshForm, token } from './rows.ts'

export const loginFlow: Flow = {
  name: 'login',
  client: 'Photo Printer',
  owner: 'alice',
  steps: [
    {
      name: 'ask-login',
      visit: loginRequest(photoPrinter.id, { scope: 'openid profile email' }),
    },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    { name: 'exchange-login', send: [loginExchange()] },
    {
      name: 'check-id-token',
      send: [keys],
      inspect: idTokenFor(photoPrinter.id, { hashes: { at_hash: '{access_token}' } }),
    },
    { name: 'userinfo', send: [userinfo('{access_token}')] },
    {
      name: 'refresh-login',
      send: [
        {
          ...token(photoPrinter, refreshForm('{refresh_token}')),
          learn: {
            access_token: 'new_access_token',
            refresh_token: 'refresh_token',
            id_token: 'new_id_token',
          },
        },
        keys,
      ],
      inspect: {
        token: '{new_id_token}',
        expects: { iss: '{issuer}', aud: photoPrinter.id },
        hashes: { at_hash: '{new_access_token}' },
        lacks: ['nonce'],
      },
    },
  ],
  attacks: [
    {
      name: 'other-nonce',
      send: [keys],
      inspect: {
        token: '{id_token}',
        expects: { iss: '{issuer}', aud: photoPrinter.id, nonce: '{nonce}' },
        fails: 'nonce',
      },
    },
    {
      name: 'no-nonce',
      send: [keys],
      inspect: idTokenFor(photoPrinter.id, { token: '{new_id_token}', fails: 'nonce' }),
    },
    {
      name: 'id-token-for-access',
      send: [
        userinfo('{id_token}', 401),
        { line: 'GET /api/photos', bearer: '{id_token}', status: 401 },
      ],
    },
    {
      name: 'foreign-code',
      send: [noToken(gallery, { ...codeForm('{callback}'), code_verifier: '{code_verifier}' })],
    },
  ],
}
