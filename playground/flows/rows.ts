/** The clients of the playground, and rows and steps that several flows have. */
import { demoClients, demoOwners } from '../../src/demo/people.ts'
import type { PlayedClient, RequestRow, SendStep, Templates } from '../flow.ts'

const clientOf = (id: (typeof demoClients)[number]['id']): PlayedClient => ({
  id,
  secret: demoClients.find((client) => client.id === id)?.secret ?? null,
})

export const photoPrinter = clientOf('photo-printer')
export const gallery = clientOf('gallery')
export const houseApp = clientOf('house-app')
export const nightlyReport = clientOf('nightly-report')
export const television = clientOf('tv-player')
export const cashDesk = clientOf('cash-desk')
export const helper = clientOf('helper')
export const admin = clientOf('latchkey-admin')

/** A client that a step of the flow registers. */
export const registered: PlayedClient = { id: '{client_id}', secret: '{client_secret}' }

/** The same without a secret that is sent. */
export const keyed: PlayedClient = { id: '{client_id}', secret: null }

/** What registering it teaches. */
export const registration = { client_id: 'client_id', client_secret: 'client_secret' } as const

/** A request to the token endpoint that is answered with tokens. */
export const token = (as: PlayedClient, form: Templates): RequestRow => ({
  line: 'POST /token',
  as,
  form,
  learn: { access_token: 'access_token', refresh_token: 'refresh_token' },
})

/** A request to the token endpoint that is refused. */
export const noToken = (as: PlayedClient, form: Templates, status = 400): RequestRow => ({
  line: 'POST /token',
  as,
  form,
  status,
})

export const introspect = (as: PlayedClient, of: string, status = 200): RequestRow => ({
  line: 'POST /introspect',
  as,
  form: { token: of },
  status,
})

export const revoke = (as: PlayedClient, of: string, status = 200): RequestRow => ({
  line: 'POST /revoke',
  as,
  form: { token: of },
  status,
})

/** The operator registers a client. It is vouched for: it hears of errors before a login. */
export const addClient = (
  metadata: Readonly<Record<string, unknown>>,
  learn: Readonly<Record<string, string>> = registration,
): readonly RequestRow[] => [
  { ...token(admin, credentials('clients:write')), learn: { access_token: 'admin_token' } },
  {
    line: 'POST /admin/api/clients',
    bearer: '{admin_token}',
    json: metadata,
    status: 201,
    learn,
  },
]

/** A request to the resource server with the token in the header (RFC 6750 section 2.1). */
export const read = (path: `/api/${string}`, status = 200): RequestRow => ({
  line: `GET ${path}`,
  bearer: '{access_token}',
  status,
})

/** The token request of a code (RFC 6749 section 4.1.3). */
export const codeForm = (redirectUri: string, of = '{code}'): Templates => ({
  grant_type: 'authorization_code',
  code: of,
  redirect_uri: redirectUri,
})

/** RFC 6749 section 6. */
export const refreshForm = (of: string): Templates => ({
  grant_type: 'refresh_token',
  refresh_token: of,
})

const [alice] = demoOwners

/** RFC 6749 section 4.3.2. */
export const password = (scope: string): Templates => ({
  grant_type: 'password',
  username: alice.username,
  password: alice.password,
  scope,
})

/** RFC 6749 section 4.4.2. */
export const credentials = (scope: string): Templates => ({
  grant_type: 'client_credentials',
  scope,
})

export const readStep: SendStep = { name: 'read', send: [read('/api/photos?limit=2')] }

/** Alice's tokens without a browser, for flows about later steps. */
export const firstTokensStep: SendStep = {
  name: 'first-tokens',
  send: [token(houseApp, password('photos:read'))],
}
