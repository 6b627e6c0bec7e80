/** The grant types and response types of a registration: those known here, in pairs that match (RFC 7591 section 2.1). */
import { type Client, isPublic } from '../model/client.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { findResponseType, type KnownResponseType } from '../requests/response-type.ts'
import { invalidMetadata } from './invalid.ts'
import type { ClientMetadata, Registrar } from './metadata.ts'
import type { ClientMethod } from './methods/method.ts'

export interface Registrable {
  readonly clientMethods: readonly ClientMethod[]
  readonly grants: readonly {
    readonly type: string
    readonly clients: 'any' | 'confidential' | 'trusted'
  }[]
  readonly responseTypes: readonly Pick<KnownResponseType, 'type' | 'grantTypes'>[]
}

const formatAnd = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names)

export const joinOr = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)

type KnownResponseTypes = Pick<Registrable, 'responseTypes'>

/** The grant types that begin at `/authorize` (RFC 7591 section 2.1). */
export const listBeginning = ({ responseTypes }: KnownResponseTypes): readonly string[] => [
  ...new Set(responseTypes.flatMap(({ grantTypes }) => grantTypes)),
]

/** All grant types for registration. Some, such as `implicit`, are never sent to `/token`. */
export const listGrants = ({ grants, responseTypes }: Registrable): readonly string[] => [
  ...new Set([...grants.map(({ type }) => type), ...listBeginning({ responseTypes })]),
]

/** The default response type of a grant type: the first one that needs this grant type alone. */
const findImplied = (grant: string, { responseTypes }: KnownResponseTypes): string | undefined =>
  responseTypes.find(({ grantTypes }) => grantTypes.length === 1 && grantTypes[0] === grant)?.type

/** Response types as the registry spells them, each once. */
const spellTypes = (
  types: readonly string[],
  { responseTypes }: KnownResponseTypes,
): readonly string[] => [
  ...new Set(types.map((type) => findResponseType(responseTypes, type)?.type ?? type)),
]

type Types = Pick<Client, 'grantTypes' | 'responseTypes'>

/** Grant types and response types; where only one of them is given, the other follows it. */
export const deriveTypes = (
  { grant_types, response_types }: ClientMetadata,
  before: Types,
  known: KnownResponseTypes,
): Types => {
  const redirecting = listBeginning(known)
  if (response_types !== undefined) {
    const types = spellTypes(response_types, known)
    const others = before.grantTypes.filter((type) => !redirecting.includes(type))
    const following = known.responseTypes.flatMap(({ type, grantTypes }) =>
      types.includes(type) ? grantTypes : [],
    )
    return {
      grantTypes: grant_types ?? [...new Set([...following, ...others])],
      responseTypes: types,
    }
  }
  if (grant_types === undefined) {
    return { grantTypes: before.grantTypes, responseTypes: before.responseTypes }
  }
  const following = redirecting
    .filter((grant) => grant_types.includes(grant))
    .flatMap((grant) => findImplied(grant, known) ?? [])
  return { grantTypes: grant_types, responseTypes: following }
}

const nothingLeft = (member: string, known: readonly string[]): Refusal =>
  invalidMetadata(
    'nothing_known',
    `${member} holds nothing known here: it may hold ${formatAnd(known)}`,
  )

/**
 * The metadata without unknown grant types and response types, which a stranger need not know (RFC 7591
 * section 2). A grant type without a response type in the list goes, too.
 *
 * @throws Refusal `invalid_client_metadata` if a list named something, and nothing of it is left
 */
export const keepKnownTypes = (
  { grant_types: grants, response_types: responses, ...others }: ClientMetadata,
  known: Registrable,
): ClientMetadata => {
  const grantsKnown = grants?.filter((type) => listGrants(known).includes(type))
  const types = responses && spellTypes(responses, known)
  const typesKnown = types?.filter((name) => known.responseTypes.some(({ type }) => type === name))
  if (grants?.length && !grantsKnown?.length) throw nothingLeft('grant_types', listGrants(known))
  if (types?.length && !typesKnown?.length) {
    const names = known.responseTypes.map(({ type }) => type)
    throw nothingLeft('response_types', names)
  }
  const needed = known.responseTypes.flatMap(({ type, grantTypes }) =>
    typesKnown?.includes(type) ? grantTypes : [],
  )
  const beginning = listBeginning(known)
  const fitting = grantsKnown?.filter((type) => !beginning.includes(type) || needed.includes(type))
  const left = typesKnown === undefined || fitting?.length === 0 ? grantsKnown : fitting
  return {
    ...others,
    ...(left === undefined ? {} : { grant_types: left }),
    ...(typesKnown === undefined ? {} : { response_types: typesKnown }),
  }
}

export const checkTypes = (
  { grantTypes, responseTypes }: Types,
  known: KnownResponseTypes,
): void => {
  const registered = responseTypes.map((type) => {
    const found = known.responseTypes.find((one) => one.type === type)
    if (found !== undefined) return found
    const types = formatAnd(known.responseTypes.map((one) => one.type))
    throw invalidMetadata('unknown_response_type', `response_types may hold ${types}`)
  })
  for (const type of registered) {
    const missing = type.grantTypes.find((grant) => !grantTypes.includes(grant))
    if (missing === undefined) continue
    throw invalidMetadata(
      'inconsistent_types',
      `response type ${type.type} needs grant type ${missing}`,
    )
  }
  for (const grant of listBeginning(known)) {
    if (!grantTypes.includes(grant)) continue
    if (registered.some((type) => type.grantTypes.includes(grant))) continue
    const fitting = known.responseTypes.filter((type) => type.grantTypes.includes(grant))
    const needed = joinOr(fitting.map(({ type }) => type))
    throw invalidMetadata('inconsistent_types', `grant type ${grant} needs response type ${needed}`)
  }
}

export const checkGrants = (
  {
    grantTypes,
    authenticationMethod,
    trusted,
  }: Pick<Client, 'grantTypes' | 'authenticationMethod' | 'trusted'>,
  by: Registrar,
  known: Registrable,
): void => {
  const beginning = listBeginning(known)
  if (grantTypes.length === 0)
    throw invalidMetadata('no_grant_type', 'grant_types names no grant type')
  for (const type of grantTypes) {
    const grant = known.grants.find((one) => one.type === type)
    if (grant === undefined) {
      if (beginning.includes(type)) continue
      throw invalidMetadata(
        'unknown_grant_type',
        `grant_types may hold ${listGrants(known).join(', ')}`,
      )
    }
    if (grant.clients === 'any') continue
    if (grant.clients === 'trusted' && (by === 'itself' || !trusted)) {
      throw invalidMetadata(
        'grant_needs_trust',
        `grant type ${type} is for clients that an operator has set trusted`,
      )
    }
    if (isPublic({ authenticationMethod })) {
      throw invalidMetadata(
        'grant_needs_secret',
        `grant type ${type} is not for a client without a secret`,
      )
    }
  }
}
