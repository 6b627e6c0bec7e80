/** The setting `upstreams`: other services that log people in. */
import type { Text } from '../model/language.ts'
import { type LdapSettings, readLdapUpstream } from './ldap-upstream.ts'
import { type GivenMembers, MemberFault, parseMemberList, type UpstreamCommon } from './members.ts'
import { type Oauth2Settings, readOauth2Upstream } from './oauth2-upstream.ts'
import { parseShortText } from './texts.ts'
import { readUpstreamGroups } from './upstream-groups.ts'

const titleCharacters = 60

const readOidcUpstream = (members: GivenMembers, common: UpstreamCommon) => {
  const scope = members.scope('openid profile email')
  if (!scope.split(' ').includes('openid')) {
    throw new MemberFault('needs a "scope" with openid')
  }
  const issuer = members.url('issuer')
  if (issuer.includes('?')) throw new MemberFault('needs an "issuer" without a query')
  return {
    ...common,
    type: 'oidc' as const,
    issuer,
    clientId: members.text('client_id'),
    /** Null for a public client. */
    clientSecret: members.secret('client_secret'),
    scope,
    /** What it says of the login (`acr`, `amr`, `auth_time`) counts as if it was made here. */
    trustAcr: members.flag('trust_acr'),
    /** Whether it asks for a new login where one was made before, and tells when. */
    asksAgain: members.flag('asks_again', true),
    groups: readUpstreamGroups(members, 'claim', (name) => /^[\x21-\x7e]{1,200}$/.test(name)),
  }
}

/** An OpenID provider, known by its issuer. */
export type OidcSettings = Readonly<ReturnType<typeof readOidcUpstream>>

/** Settings of an upstream, by its type. */
export type UpstreamSettings = OidcSettings | Oauth2Settings | LdapSettings

/** Each type reads its further members. */
const types: Readonly<
  Record<string, (members: GivenMembers, common: UpstreamCommon) => UpstreamSettings>
> = { oidc: readOidcUpstream, oauth2: readOauth2Upstream, ldap: readLdapUpstream }

const readTitle = (members: GivenMembers): Text => {
  const title = parseShortText(titleCharacters)(members.other('title'), '')
  if ('value' in title) return title.value
  throw new MemberFault(`needs a "title": ${title.expected}`)
}

const readCommon = (members: GivenMembers): UpstreamCommon => {
  const trustEmail = members.flag('trust_email')
  const link = members.choice('link', ['owner', 'verified_email', 'operator'])
  if (link === 'verified_email' && !trustEmail) {
    throw new MemberFault('needs "trust_email" with "link": "verified_email"')
  }
  return {
    id: members.id(30),
    title: readTitle(members),
    trustEmail,
    signUp: members.flag('sign_up'),
    username: members.choice('username', ['suffix', 'keep']),
    link,
  }
}

const readUpstream = (members: GivenMembers): UpstreamSettings => {
  const common = readCommon(members)
  const type = members.text('type')
  const read = Object.hasOwn(types, type) ? types[type] : undefined
  if (read !== undefined) return read(members, common)
  throw new MemberFault(`needs one of ${Object.keys(types).join(', ')} as "type"`)
}

export const parseUpstreams = parseMemberList({
  called: 'upstreams',
  most: 20,
  needed: '"id", "title" and "type"',
  twice: (id) => `but "${id}" is there twice`,
  read: readUpstream,
})
