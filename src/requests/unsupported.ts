/** What other services have and this one refuses: parameters, and paths of endpoints. */
import { parameterLimits, type Unsupported } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'

/** Parameters of a request for a code or a token. To ignore one would grant something else than the request. */
export const unsupported: readonly Unsupported[] = [
  [
    'audience',
    'invalid_request',
    'audience is not supported: name the API with resource (RFC 8707)',
  ],
]

const byRedirect = 'is not supported here: manage grants at /authorize or /par'

/** The same where no redirect leads to the client: such a request acts on no grant. */
export const unsupportedAtPages: readonly Unsupported[] = [
  ...unsupported,
  ['grant_management_action', 'invalid_request', `grant_management_action ${byRedirect}`],
  ['grant_id', 'invalid_request', `grant_id ${byRedirect}`],
]

/** Other services' names of endpoints, with ours: the refusal says where they are. */
const paths: Readonly<Record<string, string>> = {
  authorize: '/authorize',
  auth: '/authorize',
  token: '/token',
  access_token: '/token',
  revoke: '/revoke',
  revocation: '/revoke',
  introspect: '/introspect',
  introspection: '/introspect',
  par: '/par',
  pushed_authorization_request: '/par',
  register: '/register',
  userinfo: '/userinfo',
  jwks: '/jwks',
  certs: '/jwks',
}

/** Null where the path does not end like one of an endpoint. */
export const findStrayed = (path: string, issuer: string): Refusal | null => {
  const [, name = ''] = /^\/(?:[^/]+\/)*([a-z_]+)$/.exec(path) ?? []
  const ours = Object.hasOwn(paths, name) ? paths[name] : undefined
  if (ours === undefined) return null
  const metadata = `${issuer}/.well-known/oauth-authorization-server`
  const said = `there is nothing at this path: the endpoints of this service are named in ${metadata}`
  return new Refusal('not_found', 'unknown_endpoint', said, {
    explanation: {
      by: 'developer',
      received: [path.slice(0, parameterLimits.textCharacters)],
      expected: { is: 'oneOf', values: [new URL(issuer + ours).pathname] },
      remedies: [],
      command: null,
    },
  })
}
