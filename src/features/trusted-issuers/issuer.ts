/**
 * Issuers that the operator trusts: a JWT of one is a grant for an owner (RFC 7523 section 2.1). Here as an operator
 * writes them, in the settings and for the admin API.
 */
import { type GivenMembers, MemberFault } from '../../config/members.ts'
import { type ClientId, isClientId } from '../../model/ids.ts'
import type { ClientKey } from '../../model/key.ts'
import { keySetWords, readKeys } from '../../model/key-set.ts'
import { issuerLimits } from './limits.ts'

/** Kinds of assertions; `typ` of an assertion tells its kind. */
export const grantKinds = ['jwt-bearer', 'id-jag'] as const

/** A kind of assertion that the operator lets an issuer send. */
export type GrantKind = (typeof grantKinds)[number]

/** How the owner is named by an assertion. */
export const ownerNames = ['username', 'email', 'sub'] as const

/** An issuer whose assertions open access for owners (RFC 7523 section 3). */
export interface TrustedIssuer {
  readonly id: string
  /** The `iss` of its assertions, compared as a string. */
  readonly issuer: string
  /** What pages call it. */
  readonly title: string
  readonly keys: {
    readonly jwks?: { readonly keys: readonly ClientKey[] }
    readonly jwks_uri?: string
  }
  readonly owner: (typeof ownerNames)[number]
  readonly grants: readonly GrantKind[]
  /** The names in its scope: no assertion opens more. */
  readonly scope: readonly string[]
  /** Null: any client that has the grant type. */
  readonly clients: readonly ClientId[] | null
}

const readIssuer = (members: GivenMembers): string => {
  const issuer = members.text('issuer')
  if (issuer.length <= issuerLimits.issuerCharacters && /^[\x21-\x7e]+$/.test(issuer)) return issuer
  throw new MemberFault(
    `needs the iss of its assertions as "issuer", at most ${issuerLimits.issuerCharacters} characters without blanks`,
  )
}

const readTitle = (members: GivenMembers): string => {
  const title = members.text('title').trim()
  const { titleCharacters: most } = issuerLimits
  if (title !== '' && title.length <= most && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(title))
    return title
  throw new MemberFault(`needs a "title" of at most ${most} characters on one line`)
}

const readKeySet = (members: GivenMembers): TrustedIssuer['keys'] => {
  const [jwks, hasUri] = [members.other('jwks') ?? null, members.has('jwks_uri')]
  if ((jwks !== null) === hasUri) throw new MemberFault('needs either "jwks" or "jwks_uri"')
  if (hasUri) return { jwks_uri: members.url('jwks_uri') }
  const keys = readKeys(jwks, 'refused')
  if (keys !== null && keys.length > 0) return { jwks: { keys } }
  throw new MemberFault(`needs as "jwks" ${keySetWords}`)
}

const readOne = <Choice extends string>(
  members: GivenMembers,
  name: string,
  choices: readonly Choice[],
): Choice => {
  const choice = choices.find((one) => one === members.other(name))
  if (choice !== undefined) return choice
  throw new MemberFault(`needs one of ${choices.join(', ')} as "${name}"`)
}

const readGrants = (members: GivenMembers): readonly GrantKind[] => {
  const given = members.other('grants')
  const list: readonly unknown[] = Array.isArray(given) ? given : []
  const kinds = grantKinds.filter((kind) => list.includes(kind))
  if (kinds.length > 0 && new Set(list).size === kinds.length) return kinds
  throw new MemberFault(
    `needs a list of ${grantKinds.join(' and ')}, or of one of them, as "grants"`,
  )
}

const readScope = (members: GivenMembers): readonly string[] => {
  const given = members.text('scope')
  const isScope = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(given)
  const names = given.split(/[ ,]+/).filter((name) => name !== '')
  if (isScope && names.length > 0) return [...new Set(names)]
  throw new MemberFault('needs names separated by spaces as "scope"')
}

const readClients = (members: GivenMembers): readonly ClientId[] | null => {
  const given = members.other('clients') ?? null
  if (given === null) return null
  const { clients: most } = issuerLimits
  const isList = Array.isArray(given) && given.length > 0 && given.length <= most
  if (isList && given.every((id) => typeof id === 'string' && isClientId(id))) {
    return [...new Set(given)]
  }
  throw new MemberFault(
    `needs a list of 1 to ${most} client ids as "clients", or none for any client`,
  )
}

/** @throws MemberFault */
export const readTrustedIssuer = (members: GivenMembers): TrustedIssuer => ({
  id: members.id(issuerLimits.idCharacters),
  issuer: readIssuer(members),
  title: readTitle(members),
  keys: readKeySet(members),
  owner: readOne(members, 'owner', ownerNames),
  grants: readGrants(members),
  scope: readScope(members),
  clients: readClients(members),
})

/** An issuer as `readTrustedIssuer` takes it. */
export const describeIssuer = ({ keys, scope, clients, ...issuer }: TrustedIssuer) => {
  const { id, issuer: iss, title, owner, grants } = issuer
  const limited = clients === null ? {} : { clients }
  return { id, issuer: iss, title, ...keys, owner, grants, scope: scope.join(' '), ...limited }
}
