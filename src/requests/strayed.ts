/** Requests for an endpoint at a path of another service, such as `/oauth2/token`: the refusal says where it is. */
import { parameterLimits } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'

/** Other services' names of endpoints, with ours. */
const paths: Readonly<Record<string, string>> = {
  authorize: '/authorize',
  auth: '/authorize',
  token: '/token',
  access_token: '/token',
  revoke: '/revoke',
  revocation: '/revoke',
  introspect: '/introspect',
  introspection: '/introspect',
  register: '/register',
  userinfo: '/userinfo',
  jwks: '/jwks',
  certs: '/jwks',
}

/** Null where the path does not end like one of an endpoint. */
export const strayedTo = (path: string, issuer: string): Refusal | null => {
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
