/** What happens to tokens afterwards: revocation, introspection, and running out. */
import type { Flow, SendStep } from '../flow.ts'
import {
  addClient,
  credentials,
  firstTokensStep,
  gallery,
  houseApp,
  introspect,
  nightlyReport,
  read,
  registered,
  revoke,
  token,
} from './rows.ts'

const introspectStep: SendStep = {
  name: 'introspect',
  send: [introspect(houseApp, '{access_token}')],
}

const noSuchToken = 'lk_at_there-is-no-such-token'

export const revocationFlow: Flow = {
  name: 'revocation',
  client: 'House App',
  owner: 'alice',
  steps: [
    firstTokensStep,
    introspectStep,
    {
      name: 'revoke',
      send: [{ ...revoke(houseApp, '{refresh_token}'), set: { revoked: 'yes' } }],
    },
    {
      name: 'after-revocation',
      needs: ['revoked'],
      send: [introspect(houseApp, '{access_token}'), read('/api/photos', 401)],
    },
  ],
  attacks: [
    {
      name: 'foreign-revocation',
      send: [revoke(nightlyReport, '{access_token}', 400), introspect(houseApp, '{access_token}')],
    },
    { name: 'unknown-revocation', send: [revoke(houseApp, noSuchToken)] },
  ],
}

export const introspectionFlow: Flow = {
  name: 'introspection',
  client: 'House App',
  owner: 'alice',
  steps: [
    firstTokensStep,
    introspectStep,
    { name: 'introspect-refresh', send: [introspect(houseApp, '{refresh_token}')] },
    { name: 'introspect-unknown', send: [introspect(houseApp, noSuchToken)] },
  ],
  attacks: [
    { name: 'foreign-introspection', send: [introspect(nightlyReport, '{access_token}')] },
    { name: 'public-introspection', send: [introspect(gallery, '{access_token}', 401)] },
  ],
}

export const expiryFlow: Flow = {
  name: 'expiry',
  client: 'Short Lived',
  owner: null,
  steps: [
    {
      name: 'short-client',
      send: [
        ...addClient({
          client_name: 'Short Lived',
          grant_types: ['client_credentials'],
          response_types: [],
          access_token_seconds: 3,
        }),
      ],
    },
    {
      name: 'short-token',
      send: [token(registered, credentials('photos:read')), read('/api/photos')],
    },
    {
      name: 'expired',
      send: [
        { ...read('/api/photos', 401), set: { expired: 'yes' } },
        introspect(registered, '{access_token}'),
        // Once it has shown that, nobody needs the client any more.
        {
          line: 'DELETE /admin/api/clients/{client_id}',
          bearer: '{admin_token}',
          status: 204,
          only: 'expired',
          forget: ['access_token', 'expired'],
        },
      ],
    },
  ],
  attacks: [],
}
