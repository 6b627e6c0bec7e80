/** Upstreams of the type `oauth2`: providers without OpenID Connect, described by their endpoints. */
import { type GivenMembers, MemberFault, type UpstreamCommon } from './members.ts'

const methods = ['client_secret_post', 'client_secret_basic']

const isBasic = (members: GivenMembers): boolean => {
  const method = members.text('token_endpoint_auth_method', methods[0])
  if (methods.includes(method)) return method === 'client_secret_basic'
  throw new MemberFault(`needs ${methods.join(' or ')} as "token_endpoint_auth_method"`)
}

const readPath = (members: GivenMembers, name: string): string => {
  const path = members.text(`${name}_member`, name)
  if (path.split('.').every((part) => part !== '')) return path
  throw new MemberFault(`needs names with single dots between them as "${name}_member"`)
}

export const readOauth2Upstream = (members: GivenMembers, common: UpstreamCommon) => ({
  ...common,
  type: 'oauth2' as const,
  /** Such a provider says nothing that could be mapped. */
  groups: null,
  /** The `iss` of its answers (RFC 9207); null where it tells none. */
  issuer: members.has('issuer') ? members.url('issuer') : null,
  authorizationEndpoint: members.url('authorization_endpoint'),
  tokenEndpoint: members.url('token_endpoint'),
  /** Tells as a JSON object who an access token is of. */
  userinfoEndpoint: members.url('userinfo_endpoint'),
  /** Tells as a list which addresses are verified, as GitHub does; null without one. */
  emailsEndpoint: members.has('emails_endpoint') ? members.url('emails_endpoint') : null,
  clientId: members.text('client_id'),
  /** Null for a public client. */
  clientSecret: members.secret('client_secret'),
  /** Whether the secret goes into the header; otherwise it goes into the form. */
  isBasicKnown: isBasic(members),
  pkce: members.flag('pkce', true),
  scope: members.scope(),
  /** Paths in the JSON of `userinfo_endpoint`. */
  members: {
    id: readPath(members, 'id'),
    username: readPath(members, 'username'),
    name: readPath(members, 'name'),
    email: readPath(members, 'email'),
    emailVerified: readPath(members, 'email_verified'),
    picture: readPath(members, 'picture'),
  } as const,
})

/** An OAuth 2.0 provider. */
export type Oauth2Settings = Readonly<ReturnType<typeof readOauth2Upstream>>
