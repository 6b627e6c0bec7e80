/** Signals (SSF 1.0): an API opens a stream, and hears of tokens that allow less or end (CAEP 1.0). */
import type { Flow, PlayedClient, RequestRow } from '../flow.ts'
import { keys } from './login-rows.ts'
import {
  addClient,
  admin,
  credentials,
  helper,
  introspect,
  nightlyReport,
  password,
  registered,
  token,
} from './rows.ts'

const caep = 'https://schemas.openid.net/secevent/caep/event-type'

const permissions = 'authorizations:read authorizations:write resources:write clients:write'

/** The application that alice uses. */
const app: PlayedClient = { id: '{app_id}', secret: '{app_secret}' }

const asOperator: RequestRow = {
  ...token(admin, credentials(permissions)),
  learn: { access_token: 'admin_token' },
}

const shelves = {
  name: 'shelves',
  title: 'Shelves',
  read: 'See your shelves',
  write: 'Change your shelves',
}

const poll = {
  line: 'POST /ssf/poll/{stream_id}',
  json: { returnImmediately: true },
} as const satisfies RequestRow

const openStream = {
  line: 'POST /ssf/streams',
  json: {},
} as const satisfies RequestRow

const removed = { bearer: '{admin_token}', status: [204, 404] } as const

const change = {
  line: 'PATCH /admin/api/authorizations/{authorization}',
  bearer: '{admin_token}',
} as const satisfies RequestRow

const inspectSet = {
  token: '{set}',
  expects: { typ: 'secevent+jwt', iss: '{issuer}', aud: registered.id },
} as const

export const signalsFlow: Flow = {
  name: 'signals',
  client: 'Shelf Server',
  owner: 'alice',
  steps: [
    {
      name: 'open-stream',
      send: [
        ...addClient({
          client_name: 'Shelf Server',
          grant_types: ['client_credentials'],
          response_types: [],
        }),
        asOperator,
        {
          line: 'POST /admin/api/resources',
          bearer: '{admin_token}',
          json: shelves,
          status: [201, 409],
        },
        {
          line: 'PATCH /admin/api/resources/shelves',
          bearer: '{admin_token}',
          json: { introspection_clients: [registered.id, nightlyReport.id] },
        },
        { ...openStream, as: registered, status: 201, learn: { stream_id: 'stream_id' } },
      ],
    },
    {
      name: 'signal-token',
      send: [
        ...addClient(
          {
            client_name: 'Shelf Reader',
            grant_types: ['password'],
            response_types: [],
            trusted: true,
          },
          { client_id: 'app_id', client_secret: 'app_secret' },
        ),
        token(app, password('shelves:read shelves:write')),
        { ...introspect(registered, '{access_token}'), learn: { sub: 'owner' } },
      ],
    },
    {
      name: 'narrow-and-hear',
      send: [
        asOperator,
        {
          line: 'GET /admin/api/authorizations',
          query: { owner: '{owner}', client: app.id },
          bearer: '{admin_token}',
          learn: { 'items.0.id': 'authorization' },
        },
        { ...change, json: { permissions: ['shelves:read'] } },
        { ...poll, as: registered, learn: { 'sets.*': 'set' } },
        keys,
      ],
      inspect: inspectSet,
    },
    {
      name: 'end-and-hear',
      send: [
        {
          line: 'PATCH /ssf/streams',
          as: registered,
          json: { stream_id: '{stream_id}', events_requested: [`${caep}/session-revoked`] },
        },
        {
          line: 'DELETE /admin/api/authorizations/{authorization}',
          bearer: '{admin_token}',
          status: 204,
        },
        { ...poll, as: registered, learn: { 'sets.*': 'set' }, forget: ['authorization'] },
        keys,
      ],
      inspect: inspectSet,
    },
    {
      name: 'close-stream',
      needs: ['stream_id'],
      send: [
        {
          line: 'DELETE /ssf/streams',
          query: { stream_id: '{stream_id}' },
          as: registered,
          status: 204,
        },
        { ...poll, as: registered, status: 404 },
        asOperator,
        { line: 'DELETE /admin/api/resources/shelves', ...removed },
        { line: 'DELETE /admin/api/clients/{app_id}', ...removed },
        {
          line: 'DELETE /admin/api/clients/{client_id}',
          ...removed,
          forget: ['client_id', 'app_id', 'access_token', 'stream_id', 'set'],
        },
      ],
    },
  ],
  attacks: [
    { name: 'foreign-stream', send: [{ ...poll, as: nightlyReport, status: 404 }] },
    { name: 'stream-of-no-api', send: [{ ...openStream, as: helper, status: 403 }] },
    { name: 'unproven-poll', send: [{ ...poll, status: 401 }] },
    {
      name: 'stream-by-owner-token',
      send: [{ ...openStream, bearer: '{access_token}', status: 403 }],
    },
    {
      name: 'push-inside',
      send: [
        {
          ...openStream,
          as: registered,
          json: {
            delivery: {
              method: 'urn:ietf:rfc:8935',
              endpoint_url: 'http://10.0.0.1/signals',
            },
          },
          status: 400,
        },
      ],
    },
    {
      name: 'set-for-other',
      needs: ['set'],
      send: [keys],
      inspect: { token: '{set}', expects: { aud: nightlyReport.id }, fails: 'aud' },
    },
  ],
}
