/** JWT access tokens (RFC 9068), and the feed by which an API hears of revocations. */
import type { Flow, RequestRow } from '../flow.ts'
import { keys } from './login-rows.ts'
import {
  addClient,
  admin,
  credentials,
  introspect,
  nightlyReport,
  registered,
  revoke,
  token,
} from './rows.ts'

const uri = 'https://reports.example.com'
const api = nightlyReport

const asOperator = (scope: string): RequestRow => ({
  ...token(admin, credentials(scope)),
  learn: { access_token: 'admin_token' },
})

const feed = (json: Readonly<Record<string, unknown>>): RequestRow => ({
  line: 'POST /revocation-feed',
  as: api,
  json: { ...json, returnImmediately: true },
})

const removed = { bearer: '{admin_token}', status: [204, 404] } as const

export const jwtFlow: Flow = {
  name: 'jwt',
  client: 'Report Reader',
  owner: null,
  steps: [
    {
      name: 'add-jwt-api',
      send: [
        asOperator('resources:write'),
        {
          line: 'POST /admin/api/resources',
          bearer: '{admin_token}',
          json: {
            name: 'reports',
            title: 'Reports',
            read: 'See your reports',
            write: 'Change your reports',
            uri,
            access_token_format: 'jwt',
            introspection_clients: [api.id],
          },
          status: [201, 409],
        },
        ...addClient({
          client_name: 'Report Reader',
          grant_types: ['client_credentials'],
          response_types: [],
          scope: 'reports:read',
        }),
      ],
    },
    { name: 'jwt-token', send: [token(registered, credentials('reports:read'))] },
    {
      name: 'check-jwt',
      send: [keys],
      inspect: {
        token: '{access_token}',
        expects: { typ: 'at+jwt', iss: '{issuer}', aud: uri },
      },
    },
    {
      name: 'follow-feed',
      send: [introspect(api, '{access_token}'), { ...feed({}), learn: { next: 'cursor' } }],
    },
    {
      name: 'revoke-jwt',
      needs: ['cursor'],
      send: [
        revoke(registered, '{access_token}'),
        introspect(api, '{access_token}'),
        { ...feed({ after: '{cursor}' }), learn: { 'sets.*': 'event' } },
        keys,
      ],
      inspect: {
        token: '{event}',
        expects: {
          typ: 'secevent+jwt',
          iss: '{issuer}',
          aud: api.id,
          events: 'urn:latchkey:revocation',
        },
      },
    },
    {
      name: 'remove-jwt-api',
      needs: ['event'],
      send: [
        asOperator('resources:write clients:write'),
        { line: 'DELETE /admin/api/resources/reports', ...removed },
        {
          line: 'DELETE /admin/api/clients/{client_id}',
          ...removed,
          forget: ['client_id', 'access_token', 'event', 'cursor'],
        },
      ],
    },
  ],
  attacks: [
    { name: 'unsigned-jwt', send: [introspect(api, '{access_token|unsigned}')] },
    { name: 'changed-jwt', send: [introspect(api, '{access_token|changed}')] },
    {
      name: 'jwt-elsewhere',
      send: [{ line: 'GET /api/photos', bearer: '{access_token}', status: [401, 403] }],
    },
  ],
}
