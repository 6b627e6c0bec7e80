/** Upstreams of the type `ldap`: directories that people log in to with a name and a password. */
import { stripBrackets } from '../model/sector.ts'
import { isLoopback } from './issuer.ts'
import { type GivenMembers, MemberFault, type UpstreamCommon } from './members.ts'
import { readUpstreamGroups } from './upstream-groups.ts'

/** A password never goes over a network in clear. */
const readUrl = (members: GivenMembers, startTls: boolean): string => {
  const url = URL.parse(members.text('url'))
  const isPlain = url !== null && url.username + url.password + url.search + url.hash === ''
  const isRoot = url?.pathname === '' || url?.pathname === '/'
  const isLdap = url?.protocol === 'ldap:' || (url?.protocol === 'ldaps:' && !startTls)
  if (url === null || !isPlain || !isRoot || !isLdap || url.hostname === '') {
    throw new MemberFault('needs ldaps://host:port, or ldap:// with "start_tls", as "url"')
  }
  const isGuarded = startTls || url.protocol === 'ldaps:'
  if (isGuarded || isLoopback(stripBrackets(url.hostname))) return url.href
  throw new MemberFault('needs "start_tls" or ldaps:// outside of this machine')
}

const readAccount = (members: GivenMembers) => {
  const password = members.secret('bind_password')
  if (!members.has('bind_dn')) {
    if (password === null) return null
    throw new MemberFault('needs a "bind_dn" with its "bind_password"')
  }
  // Without a password it would be an unauthenticated bind (RFC 4513 section 5.1.2).
  if (password === null || password === '') {
    throw new MemberFault('needs a "bind_password" with its "bind_dn"')
  }
  return { dn: members.text('bind_dn'), password } as const
}

/** Whether each parenthesis is closed, the first one by the last. */
const isWhole = (filter: string): boolean => {
  let open = 0
  const steps = [...filter].map((character) => {
    open += character === '(' ? 1 : character === ')' ? -1 : 0
    return open
  })
  return filter.startsWith('(') && steps.indexOf(0) === filter.length - 1
}

const filterOf = (members: GivenMembers): string => {
  const filter = members.text('filter', '(uid={username})')
  if (isWhole(filter) && filter.includes('{username}')) return filter
  throw new MemberFault('needs a "filter" in parentheses, with {username} in it')
}

/** The filter for all people of the directory; null without `disable_owners`. */
const readPeopleFilter = (members: GivenMembers, filter: string): string | null => {
  if (!members.flag('disable_owners')) return null
  // A comparison with any value is a presence (RFC 4515 section 3).
  const people = filter.replace(/\(([a-z][a-z0-9.;-]*)=\{username\}\)/gi, '($1=*)')
  if (!people.includes('{username}')) return people
  throw new MemberFault(
    'needs a "filter" with {username} as a whole value, such as (uid={username}), for "disable_owners"',
  )
}

const isAttribute = (name: string): boolean => /^[a-z][a-z0-9-]*$/i.test(name)

const readAttribute = (members: GivenMembers, name: string, otherwise: string): string => {
  const attribute = members.text(`${name}_attribute`, otherwise)
  if (isAttribute(attribute)) return attribute
  throw new MemberFault(`needs the name of an attribute as "${name}_attribute"`)
}

export const readLdapUpstream = (members: GivenMembers, common: UpstreamCommon) => {
  const startTls = members.flag('start_tls')
  const filter = filterOf(members)
  return {
    ...common,
    type: 'ldap' as const,
    url: readUrl(members, startTls),
    /** Whether the connection becomes TLS by the StartTLS operation (RFC 4511 section 4.14). */
    startTls,
    /** PEM: the only authorities whose certificates count; null for those of Node. */
    ca: members.secret('ca'),
    /** The service account that searches; null for an anonymous search. */
    account: readAccount(members),
    baseDn: members.text('base_dn'),
    /** RFC 4515, with `{username}` for the escaped name. */
    filter,
    peopleFilter: readPeopleFilter(members, filter),
    attributes: {
      id: readAttribute(members, 'id', 'entryUUID'),
      username: readAttribute(members, 'username', 'uid'),
      name: readAttribute(members, 'name', 'cn'),
      email: readAttribute(members, 'email', 'mail'),
    } as const,
    groups: readUpstreamGroups(members, 'attribute', isAttribute),
  }
}

/** A directory (RFC 4511). */
export type LdapSettings = Readonly<ReturnType<typeof readLdapUpstream>>
