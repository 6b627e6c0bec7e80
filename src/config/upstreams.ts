/** The setting `upstreams`: other services that log people in. */
import type { Text } from '../model/language.ts'
import type { SettingsTable } from './settings.ts'
import { parseText, textForm } from './texts.ts'
import { upstreamLimits as limits } from './upstream-limits.ts'
import { membersOf, UpstreamMemberFault, type UpstreamMembers } from './upstream-members.ts'
import type { Parse } from './values.ts'

/** Settings of an upstream of any type. */
export interface UpstreamCommon {
  readonly id: string
  /** On the button. */
  readonly title: Text
  /** What it says of an email address counts. */
  readonly trustEmail: boolean
}

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
}

/** Settings of an upstream, by its type. */
export type UpstreamSettings = OidcSettings

type Own<Settings extends UpstreamCommon> = Omit<Settings, keyof UpstreamCommon>

const scopeOf = (members: UpstreamMembers, otherwise: string): string => {
  const scope = members.text('scope', otherwise)
  if (/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)) return scope
  throw new UpstreamMemberFault('needs names separated by single spaces as "scope"')
}

const oidc = (members: UpstreamMembers): Own<OidcSettings> => {
  const scope = scopeOf(members, 'openid profile email')
  if (!scope.split(' ').includes('openid')) {
    throw new UpstreamMemberFault('needs a "scope" with openid')
  }
  const issuer = members.url('issuer')
  if (issuer.includes('?')) throw new UpstreamMemberFault('needs an "issuer" without a query')
  return {
    type: 'oidc',
    issuer,
    clientId: members.text('client_id'),
    clientSecret: members.secret('client_secret'),
    scope,
    trustAcr: members.flag('trust_acr'),
  }
}

/** The further members of each type. */
const types: Readonly<Record<string, (members: UpstreamMembers) => Own<UpstreamSettings>>> = {
  oidc,
}

const idOf = (members: UpstreamMembers): string => {
  const id = members.text('id')
  if (id.length <= limits.idCharacters && /^[a-z][a-z0-9-]*$/.test(id)) return id
  throw new UpstreamMemberFault(
    `needs an "id" of at most ${limits.idCharacters} lower-case letters, digits and "-"`,
  )
}

const titleOf = (members: UpstreamMembers): Text => {
  const title = parseText(members.other('title'))
  const isShort = ({ length }: string): boolean => length <= limits.titleCharacters
  if (title !== null && Object.values(title).every(isShort)) return title
  throw new UpstreamMemberFault(
    `needs a "title": ${textForm}, of at most ${limits.titleCharacters} characters`,
  )
}

const upstreamOf = (given: unknown, cwd: string): UpstreamSettings => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UpstreamMemberFault('must be an object')
  }
  const members = membersOf({ ...given }, cwd)
  const [id, title] = [idOf(members), titleOf(members)]
  const type = members.text('type')
  const read = Object.hasOwn(types, type) ? types[type] : undefined
  if (read === undefined) {
    throw new UpstreamMemberFault(`needs one of ${Object.keys(types).join(', ')} as "type"`)
  }
  const upstream = { id, title, trustEmail: members.flag('trust_email'), ...read(members) }
  members.end()
  return upstream
}

/** The environment gives the list as JSON. */
const listOf = (given: unknown): readonly unknown[] | null => {
  try {
    const list: unknown = typeof given === 'string' ? JSON.parse(given) : given
    return Array.isArray(list) && list.length <= limits.upstreams ? list : null
  } catch {
    return null
  }
}

export const parseUpstreams: Parse<readonly UpstreamSettings[]> = (given, cwd) => {
  const list = listOf(given)
  const expected = `a list of at most ${limits.upstreams} upstreams`
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

export const upstreamSettings: Pick<SettingsTable, 'upstreams'> = {
  upstreams: {
    environment: 'LATCHKEY_UPSTREAMS',
    flag: null,
    parse: parseUpstreams,
    fallback: [],
    fallbackText: 'none',
    meaning:
      'Other services that log people in, as a list of objects (in the environment as JSON): see upstreams.md.',
    secret: true,
  },
}
