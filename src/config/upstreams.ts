/** The setting `upstreams`: other services that log people in. */
import type { Text } from '../model/language.ts'
import type { UpstreamCommon } from './any-upstream.ts'
import { type LdapSettings, ldapUpstream } from './ldap-upstream.ts'
import { type Oauth2Settings, oauth2Upstream } from './oauth2-upstream.ts'
import type { SettingRows } from './setting.ts'
import { parseText, textForm } from './texts.ts'
import { membersOf, UpstreamMemberFault, type UpstreamMembers } from './upstream-members.ts'
import type { Parse } from './values.ts'

const mostUpstreams = 20
const idCharacters = 30
const titleCharacters = 60

/** An OpenID provider, known by its issuer. */
export interface OidcSettings extends UpstreamCommon {
  readonly type: 'oidc'
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly scope: string
  /** What it says of the login (`acr`, `amr`, `auth_time`) counts as if it was made here. */
  readonly trustAcr: boolean
  /** Whether it asks for a new login where one was made before, and tells when. */
  readonly asksAgain: boolean
}

/** Settings of an upstream, by its type. */
export type UpstreamSettings = OidcSettings | Oauth2Settings | LdapSettings

const oidc = (members: UpstreamMembers, common: UpstreamCommon): OidcSettings => {
  const scope = members.scope('openid profile email')
  if (!scope.split(' ').includes('openid')) {
    throw new UpstreamMemberFault('needs a "scope" with openid')
  }
  const issuer = members.url('issuer')
  if (issuer.includes('?')) throw new UpstreamMemberFault('needs an "issuer" without a query')
  return {
    ...common,
    type: 'oidc',
    issuer,
    clientId: members.text('client_id'),
    clientSecret: members.secret('client_secret'),
    scope,
    trustAcr: members.flag('trust_acr'),
    asksAgain: members.flag('asks_again', true),
  }
}

/** Each type reads its further members. */
const types: Readonly<
  Record<string, (members: UpstreamMembers, common: UpstreamCommon) => UpstreamSettings>
> = { oidc, oauth2: oauth2Upstream, ldap: ldapUpstream }

const idOf = (members: UpstreamMembers): string => {
  const id = members.text('id')
  if (id.length <= idCharacters && /^[a-z][a-z0-9-]*$/.test(id)) return id
  throw new UpstreamMemberFault(
    `needs an "id" of at most ${idCharacters} lower-case letters, digits and "-"`,
  )
}

const titleOf = (members: UpstreamMembers): Text => {
  const title = parseText(members.other('title'))
  const isShort = ({ length }: string): boolean => length <= titleCharacters
  if (title !== null && Object.values(title).every(isShort)) return title
  throw new UpstreamMemberFault(
    `needs a "title": ${textForm}, of at most ${titleCharacters} characters`,
  )
}

const commonOf = (members: UpstreamMembers): UpstreamCommon => ({
  id: idOf(members),
  title: titleOf(members),
  trustEmail: members.flag('trust_email'),
  signUp: members.flag('sign_up'),
})

const upstreamOf = (given: unknown, cwd: string): UpstreamSettings => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UpstreamMemberFault('must be an object')
  }
  const members = membersOf({ ...given }, cwd)
  const common = commonOf(members)
  const type = members.text('type')
  const read = Object.hasOwn(types, type) ? types[type] : undefined
  if (read === undefined) {
    throw new UpstreamMemberFault(`needs one of ${Object.keys(types).join(', ')} as "type"`)
  }
  const upstream = read(members, common)
  members.end()
  return upstream
}

/** The environment gives the list as JSON. */
const listOf = (given: unknown): readonly unknown[] | null => {
  try {
    const list: unknown = typeof given === 'string' ? JSON.parse(given) : given
    return Array.isArray(list) && list.length <= mostUpstreams ? list : null
  } catch {
    return null
  }
}

export const parseUpstreams: Parse<readonly UpstreamSettings[]> = (given, cwd) => {
  const list = listOf(given)
  const expected = `a list of at most ${mostUpstreams} upstreams`
  if (list === null) return { expected: `${expected}, each with "id", "title" and "type"` }
  const upstreams: UpstreamSettings[] = []
  for (const [index, one] of list.entries()) {
    try {
      upstreams.push(upstreamOf(one, cwd))
    } catch (fault) {
      if (!(fault instanceof UpstreamMemberFault)) throw fault
      return { expected: `${expected}, but entry ${index + 1} ${fault.message}` }
    }
  }
  const ids = upstreams.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) < index)
  if (twice === undefined) return { value: upstreams }
  return { expected: `${expected}, but "${twice}" is there twice` }
}

export const upstreamSettings: SettingRows<{ upstreams: readonly UpstreamSettings[] }> = {
  upstreams: {
    environment: 'LATCHKEY_UPSTREAMS',
    flag: null,
    parse: parseUpstreams,
    fallback: [],
    fallbackText: 'none',
    meaning:
      'Other services that log people in, as a list of objects (in the environment as JSON): see upstreams.md.',
    when: 'People log in with an account that they have elsewhere.',
    secret: true,
  },
}
