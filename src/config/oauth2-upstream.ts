/** Upstreams of the type `oauth2`: providers without OpenID Connect, described by their endpoints. */
import { type GivenMembers, MemberFault, type UpstreamCommon } from './members.ts'

/** An OAuth 2.0 provider. */
export interface Oauth2Settings extends UpstreamCommon {
  readonly type: 'oauth2'
  /** The `iss` of its answers (RFC 9207); null where it tells none. */
  readonly issuer: string | null
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** Tells as a JSON object who an access token is of. */
  readonly userinfoEndpoint: string
  /** Tells as a list which addresses are verified, as GitHub does; null without one. */
  readonly emailsEndpoint: string | null
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  /** Whether the secret goes into the header; otherwise it goes into the form. */
  readonly isBasicKnown: boolean
  readonly pkce: boolean
  readonly scope: string
  /** Paths in the JSON of `userinfo_endpoint`. */
  readonly members: Readonly<
    Record<'id' | 'username' | 'name' | 'email' | 'emailVerified' | 'picture', string>
  >
}

const methods = ['client_secret_post', 'client_secret_basic']

const isBasic = (members: GivenMembers): boolean => {
  const method = members.text('token_endpoint_auth_method', methods[0])
  if (methods.includes(method)) return method === 'client_secret_basic'
  throw new MemberFault(`needs ${methods.join(' or ')} as "token_endpoint_auth_method"`)
}

const pathOf = (members: GivenMembers, name: string, otherwise: string): string => {
  const path = members.text(`${name}_member`, otherwise)
  if (path.split('.').every((part) => part !== '')) return path
  throw new MemberFault(`needs names with single dots between them as "${name}_member"`)
}

export const oauth2Upstream = (members: GivenMembers, common: UpstreamCommon): Oauth2Settings => ({
  ...common,
  type: 'oauth2',
  issuer: members.has('issuer') ? members.url('issuer') : null,
  authorizationEndpoint: members.url('authorization_endpoint'),
  tokenEndpoint: members.url('token_endpoint'),
  userinfoEndpoint: members.url('userinfo_endpoint'),
  emailsEndpoint: members.has('emails_endpoint') ? members.url('emails_endpoint') : null,
  clientId: members.text('client_id'),
  clientSecret: members.secret('client_secret'),
  isBasicKnown: isBasic(members),
  pkce: members.flag('pkce', true),
  scope: members.scope(),
  members: {
    id: pathOf(members, 'id', 'id'),
    username: pathOf(members, 'username', 'username'),
    name: pathOf(members, 'name', 'name'),
    email: pathOf(members, 'email', 'email'),
    emailVerified: pathOf(members, 'email_verified', 'email_verified'),
    picture: pathOf(members, 'picture', 'picture'),
  },
})
