/** What happens to tokens afterwards: revocation, introspection, and running out. */
import type { Call, Flow, Known, SendStep } from '../flow.ts'
import {
  admin,
  apiCall,
  bearer,
  gallery,
  houseApp,
  introspectCall,
  json,
  learning,
  nightlyReport,
  revokeCall,
  said,
  tokenCall,
  toServer,
} from '../messages.ts'
import { firstTokensStep } from './steps.ts'

const introspectStep: SendStep = {
  kind: 'send',
  name: 'introspect',
  needs: ['access_token'],
  calls: [(known) => introspectCall(houseApp, said(known, 'access_token'))],
}

export const revocationFlow: Flow = {
  name: 'revocation',
  client: 'House App',
  owner: 'alice',
  steps: [
    firstTokensStep,
    introspectStep,
    {
      kind: 'send',
      name: 'revoke',
      needs: ['refresh_token'],
      calls: [
        (known) => ({
          ...revokeCall(houseApp, said(known, 'refresh_token')),
          learn: () => ({ revoked: 'yes' }),
        }),
      ],
    },
    {
      kind: 'send',
      name: 'after-revocation',
      needs: ['access_token', 'revoked'],
      calls: [
        (known) => introspectCall(houseApp, said(known, 'access_token')),
        (known) => apiCall('/api/photos', said(known, 'access_token'), 401),
      ],
    },
  ],
  attacks: [
    {
      kind: 'send',
      name: 'foreign-revocation',
      needs: ['access_token'],
      calls: [
        (known) => revokeCall(nightlyReport, said(known, 'access_token'), 400),
        (known) => introspectCall(houseApp, said(known, 'access_token')),
      ],
    },
    {
      kind: 'send',
      name: 'unknown-revocation',
      needs: [],
      calls: [() => revokeCall(houseApp, 'lk_at_there-is-no-such-token')],
    },
  ],
}

export const introspectionFlow: Flow = {
  name: 'introspection',
  client: 'House App',
  owner: 'alice',
  steps: [
    firstTokensStep,
    introspectStep,
    {
      kind: 'send',
      name: 'introspect-refresh',
      needs: ['refresh_token'],
      calls: [(known) => introspectCall(houseApp, said(known, 'refresh_token'))],
    },
    {
      kind: 'send',
      name: 'introspect-unknown',
      needs: [],
      calls: [() => introspectCall(houseApp, 'lk_at_there-is-no-such-token')],
    },
  ],
  attacks: [
    {
      kind: 'send',
      name: 'foreign-introspection',
      needs: ['access_token'],
      calls: [(known) => introspectCall(nightlyReport, said(known, 'access_token'))],
    },
    {
      kind: 'send',
      name: 'public-introspection',
      needs: ['access_token'],
      calls: [
        (known) => ({ ...introspectCall(gallery, said(known, 'access_token')), expected: 401 }),
      ],
    },
  ],
}

const shortSeconds = 3

const shortLived = (id: string, secret: string) => ({ id, secret })

const createShortLived = (token: string): Call => ({
  message: json('POST', '/admin/api/clients', bearer(token), {
    client_name: 'Short Lived',
    grant_types: ['client_credentials'],
    response_types: [],
    access_token_seconds: shortSeconds,
  }),
  way: toServer,
  expected: 201,
  learn: learning({ client_id: 'client_id', client_secret: 'client_secret' }),
})

const deleteShortLived = (known: Known): Call => ({
  message: {
    method: 'DELETE',
    path: `/admin/api/clients/${said(known, 'client_id')}`,
    headers: bearer(said(known, 'admin_token')),
    body: null,
  },
  way: toServer,
  expected: 204,
})

export const expiryFlow: Flow = {
  name: 'expiry',
  client: 'Short Lived',
  owner: null,
  steps: [
    {
      kind: 'send',
      name: 'short-client',
      needs: [],
      calls: [
        () =>
          tokenCall(
            admin,
            { grant_type: 'client_credentials', scope: 'clients:write' },
            learning({ access_token: 'admin_token' }),
          ),
        (known) => createShortLived(said(known, 'admin_token')),
      ],
    },
    {
      kind: 'send',
      name: 'short-token',
      needs: ['client_id', 'client_secret'],
      calls: [
        (known) =>
          tokenCall(shortLived(said(known, 'client_id'), said(known, 'client_secret')), {
            grant_type: 'client_credentials',
            scope: 'photos:read',
          }),
        (known) => apiCall('/api/photos', said(known, 'access_token')),
      ],
    },
    {
      kind: 'send',
      name: 'expired',
      needs: ['access_token'],
      calls: [
        (known) => apiCall('/api/photos', said(known, 'access_token'), 401),
        (known) => ({
          ...introspectCall(
            shortLived(said(known, 'client_id'), said(known, 'client_secret')),
            said(known, 'access_token'),
          ),
          learn: ({ json: { active } }) => (active === false ? { access_token: null } : {}),
        }),
        // Once it has shown that, nobody needs the client any more.
        (known) => (known.access_token === undefined ? deleteShortLived(known) : null),
      ],
    },
  ],
  attacks: [],
}
