/** Clients that bring themselves: a metadata document, and the registration of a native application. */
import type { Flow, FlowStep, PlayedClient, RequestRow, SendStep, Templates } from '../flow.ts'
import { codeForm, readStep, token } from './rows.ts'

/** An authorization request of a public client (RFC 7636 section 4.3). */
const request = ({ id }: PlayedClient): Templates => ({
  response_type: 'code',
  client_id: id,
  redirect_uri: '{callback}',
  scope: 'photos:read contacts:read',
  state: '{state}',
  code_challenge: '{challenge}',
  code_challenge_method: 'S256',
})

const comeBack: FlowStep = { name: 'arrive', arrive: 'query', at: '/callback' }

const exchange = (name: SendStep['name'], client: PlayedClient): SendStep => ({
  name,
  send: [
    {
      ...token(client, { ...codeForm('{callback}'), code_verifier: '{code_verifier}' }),
      forget: ['code'],
    },
  ],
})

const documentOf = (name: string): PlayedClient => ({
  id: `{issuer}/documents/${name}`,
  secret: null,
})

const agent = documentOf('agent.json')

/** The server reads a document with a fault, so it refuses the request. */
const refused = (name: string): readonly RequestRow[] => [
  { line: `GET /documents/${name}` },
  { line: 'GET /authorize', query: request(documentOf(name)), status: 400 },
]

export const documentFlow: Flow = {
  name: 'document',
  client: 'Travelling Agent',
  owner: 'alice',
  steps: [
    { name: 'read-document', send: [{ line: 'GET /documents/agent.json' }] },
    { name: 'ask-by-document', visit: request(agent) },
    comeBack,
    exchange('exchange-by-document', agent),
    readStep,
  ],
  attacks: [
    { name: 'borrowed-document', send: refused('borrowed.json') },
    { name: 'no-redirects', send: refused('no-redirects.json') },
    { name: 'page-for-document', send: refused('page.json') },
    { name: 'secret-in-document', send: refused('with-secret.json') },
  ],
}

const editor: PlayedClient = { id: '{client_id}', secret: null }

const register = (redirectUris: readonly string[], status: number): RequestRow => ({
  line: 'POST /register',
  json: {
    client_name: 'My Editor',
    application_type: 'native',
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token', 'urn:example:unknown'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'photos:read contacts:read spoons:bend',
    invented: 'nothing that anybody knows',
  },
  status,
})

const native = 'cursor://anysphere.cursor-retrieval/oauth/callback'

export const openRegistrationFlow: Flow = {
  name: 'open-registration',
  client: 'My Editor',
  owner: 'alice',
  steps: [
    {
      name: 'register-native',
      send: [
        {
          ...register([native, 'com.example.editor:/callback', '{callback}'], 201),
          learn: { client_id: 'client_id' },
        },
      ],
    },
    { name: 'ask-native', visit: request(editor) },
    comeBack,
    exchange('exchange-native', editor),
    readStep,
  ],
  attacks: [
    {
      name: 'one-bad-redirect',
      send: [register([native, 'http://editor.example/callback'], 400)],
    },
    { name: 'wildcard-redirect', send: [register(['https://*.editor.example/'], 400)] },
    {
      name: 'other-native-redirect',
      send: [
        {
          line: 'GET /authorize',
          query: { ...request(editor), redirect_uri: 'cursor://attacker/oauth/callback' },
          status: 400,
        },
      ],
    },
  ],
}
