/** APIs elsewhere: tokens for one audience (RFC 8707), and a proxy that asks before it lets a request pass. */
import type { Flow, PlayedClient, RequestRow, Templates } from '../flow.ts'
import {
  admin,
  codeForm,
  credentials,
  firstTokensStep,
  houseApp,
  introspect,
  nightlyReport,
  noToken,
  photoPrinter,
  read,
  refreshForm,
  registered,
  registration,
  token,
} from './rows.ts'

/** Two APIs of somebody else, and the clients that their servers are. */
const orders = 'https://orders.example.com'
const tools = 'https://mcp.example.com/tools'
const ordersServer = nightlyReport
const toolsServer = houseApp

const asOperator: RequestRow = {
  ...token(admin, credentials('resources:write')),
  learn: { access_token: 'admin_token' },
}

/** Creates a resource. Another browser may have done that already. */
const addResource = (
  [name, title, uri]: readonly [string, string, string],
  server: PlayedClient,
): RequestRow => ({
  line: 'POST /admin/api/resources',
  bearer: '{admin_token}',
  json: {
    name,
    title,
    read: `See your ${name}`,
    write: `Change your ${name}`,
    uri,
    introspection_clients: [server.id],
  },
  status: [201, 409],
})

const removeResource = (name: string): RequestRow => ({
  line: `DELETE /admin/api/resources/${name}`,
  bearer: '{admin_token}',
  status: [204, 404],
})

/** A client that registered itself may ask for any resource. Those of the operator have a limit. */
const register: RequestRow = {
  line: 'POST /register',
  json: {
    client_name: 'My Agent',
    redirect_uris: ['{callback}'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
  status: 201,
  learn: { ...registration, registration_access_token: 'registration_token' },
}

const unregister: RequestRow = {
  line: 'DELETE /register/{client_id}',
  bearer: '{registration_token}',
  status: 204,
}

const asking = ({ id }: PlayedClient, scope: string, resource: string | readonly string[]) => ({
  response_type: 'code',
  client_id: id,
  redirect_uri: '{callback}',
  scope,
  resource,
  state: '{state}',
})

const refreshFor = (resource: string): Templates => ({
  ...refreshForm('{refresh_token}'),
  resource,
})

export const audienceFlow: Flow = {
  name: 'audience',
  client: 'My Agent',
  owner: 'alice',
  steps: [
    {
      name: 'add-apis',
      send: [
        asOperator,
        addResource(['orders', 'Orders', orders], ordersServer),
        addResource(['tools', 'Tools', tools], toolsServer),
      ],
    },
    { name: 'register-agent', send: [register] },
    { name: 'ask-two', visit: asking(registered, 'orders:read tools:read', [orders, tools]) },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    {
      name: 'one-token-each',
      send: [
        {
          ...token(registered, { ...codeForm('{callback}'), resource: orders }),
          learn: { access_token: 'orders_token', refresh_token: 'refresh_token' },
          forget: ['code'],
        },
        {
          ...token(registered, refreshFor(tools)),
          learn: { access_token: 'tools_token', refresh_token: 'refresh_token' },
        },
      ],
    },
    {
      name: 'apis-ask',
      send: [introspect(ordersServer, '{orders_token}'), introspect(toolsServer, '{tools_token}')],
    },
    {
      name: 'remove-apis',
      needs: ['orders_token'],
      send: [
        asOperator,
        removeResource('orders'),
        removeResource('tools'),
        introspect(ordersServer, '{orders_token}'),
        { ...unregister, forget: ['orders_token', 'tools_token', 'refresh_token'] },
      ],
    },
  ],
  attacks: [
    { name: 'passed-on', send: [introspect(toolsServer, '{orders_token}')] },
    {
      name: 'built-in-with-it',
      send: [{ line: 'GET /api/photos', bearer: '{orders_token}', status: 401 }],
    },
    {
      name: 'unknown-audience',
      send: [
        {
          line: 'GET /authorize',
          query: asking(photoPrinter, 'photos:read', 'https://evil.example'),
          status: 302,
        },
      ],
    },
    {
      name: 'wider-audience',
      send: [noToken(registered, refreshFor('{issuer}/api/photos'))],
    },
  ],
}

/** The question of a proxy about a request for the photos. */
const question = (scope: string, status: number, resource = '{issuer}/api/photos'): RequestRow => ({
  line: 'GET /forward-auth',
  query: { resource, scope },
  bearer: '{access_token}',
  status,
})

export const forwardAuthFlow: Flow = {
  name: 'forward-auth',
  client: 'House App',
  owner: 'alice',
  steps: [
    firstTokensStep,
    { name: 'proxy-asks', send: [question('photos:read', 200)] },
    { name: 'proxy-lets-in', send: [read('/api/photos?limit=1')] },
  ],
  attacks: [
    {
      name: 'proxy-no-token',
      send: [
        {
          line: 'GET /forward-auth',
          query: { resource: '{issuer}/api/photos', scope: 'photos:read' },
          status: 401,
        },
      ],
    },
    { name: 'proxy-write', send: [question('photos:write', 403)] },
    {
      name: 'proxy-other-api',
      send: [question('contacts:read', 401, '{issuer}/api/contacts')],
    },
    {
      name: 'proxy-unknown-api',
      send: [question('photos:read', 400, 'https://unknown.example')],
    },
  ],
}
