/** What the members of a client's registration have to be to one another (RFC 7591 sections 2 and 2.1). */
import { allPermissions, covers, ownerPermissions } from '../access/permission.ts'
import { parseScope, permissionsNamed } from '../access/scope.ts'
import type { Client } from '../model/client.ts'
import type { Permissions, Resource } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import { redirectUriFault, redirectUriFaults } from '../requests/redirect-uri.ts'
import type { ClientMetadata, Registrar } from './metadata.ts'

/** What has to be known here of a grant. */
export interface OfferedGrant {
  readonly type: string
  readonly clients: 'any' | 'confidential' | 'trusted'
}

/** What a registration settles: everything of a client but its identity and its secrets. */
export type Registration = Pick<
  Client,
  | 'name'
  | 'authenticationMethod'
  | 'redirectUris'
  | 'grantTypes'
  | 'responseTypes'
  | 'scope'
  | 'requiredScope'
  | 'accessTokenSeconds'
  | 'refreshTokenSeconds'
  | 'trusted'
  | 'mayIntrospect'
  | 'disabled'
  | 'display'
>

const invalid = (reason: string, description: string): Refusal =>
  new Refusal('invalid_client_metadata', reason, description)

/** RFC 7591 section 2.1: each of these response types goes with its grant type. */
const grantOf: ReadonlyMap<string, string> = new Map([
  ['code', 'authorization_code'],
  ['token', 'implicit'],
])
const redirecting = [...grantOf.values()]

type Types = Pick<Client, 'grantTypes' | 'responseTypes'>

/** Grant types and response types; where only one of them is given, the other follows it. */
export const typesOf = ({ grant_types, response_types }: ClientMetadata, before: Types): Types => {
  if (response_types !== undefined) {
    const others = before.grantTypes.filter((type) => !redirecting.includes(type))
    const following = response_types.flatMap((type) => grantOf.get(type) ?? [])
    return { grantTypes: grant_types ?? [...following, ...others], responseTypes: response_types }
  }
  if (grant_types === undefined) {
    return { grantTypes: before.grantTypes, responseTypes: before.responseTypes }
  }
  const following = [...grantOf].filter(([, grant]) => grant_types.includes(grant))
  return { grantTypes: grant_types, responseTypes: following.map(([type]) => type) }
}

/** What may be registered for: the operator's own resources by an operator only. */
const registrable = (by: Registrar, resources: readonly Resource[]): Permissions =>
  by === 'operator' ? allPermissions(resources) : ownerPermissions(resources)

const namesOf = (member: string, text: string): readonly string[] => {
  try {
    return parseScope(text)
  } catch (fault) {
    throw fault instanceof Refusal
      ? invalid(fault.reason, `${member}: ${fault.description}`)
      : fault
  }
}

export const scopeOf = (
  text: string,
  by: Registrar,
  resources: readonly Resource[],
): Permissions => {
  const scope = permissionsNamed(namesOf('scope', text), registrable(by, resources))
  if (scope.length === 0) {
    throw invalid('unknown_scope', 'scope names no permission that can be registered for')
  }
  return scope
}

/** Unlike in `scope`, a name that is not known is no small thing here: an owner could untick it. */
export const requiredScopeOf = (text: string, scope: Permissions): Permissions => {
  const names = text === '' ? [] : namesOf('required_scope', text)
  if (names.some((name) => permissionsNamed([name], scope).length === 0)) {
    throw invalid('required_scope_outside', 'required_scope has to lie within scope')
  }
  return permissionsNamed(names, scope)
}

const checkTypes = ({ grantTypes, responseTypes }: Registration): void => {
  for (const type of responseTypes) {
    const grant = grantOf.get(type)
    if (grant === undefined) {
      throw invalid('unknown_response_type', 'response_types may hold code and token')
    }
    if (!grantTypes.includes(grant)) {
      throw invalid('inconsistent_types', `response type ${type} needs grant type ${grant}`)
    }
  }
  for (const [type, grant] of grantOf) {
    if (grantTypes.includes(grant) && !responseTypes.includes(type)) {
      throw invalid('inconsistent_types', `grant type ${grant} needs response type ${type}`)
    }
  }
}

const checkGrants = (
  { grantTypes, authenticationMethod, trusted }: Registration,
  by: Registrar,
  offered: readonly OfferedGrant[],
): void => {
  if (grantTypes.length === 0) throw invalid('no_grant_type', 'grant_types names no grant type')
  for (const type of grantTypes) {
    if (type === 'implicit') continue
    const grant = offered.find((known) => known.type === type)
    if (grant === undefined) {
      const known = [...offered.map((one) => one.type), 'implicit'].join(', ')
      throw invalid('unknown_grant_type', `grant_types may hold ${known}`)
    }
    if (grant.clients === 'any') continue
    if (grant.clients === 'trusted' && (by === 'itself' || !trusted)) {
      throw invalid(
        'grant_needs_trust',
        `grant type ${type} is for clients that an operator has set trusted`,
      )
    }
    if (authenticationMethod === 'none') {
      throw invalid('grant_needs_secret', `grant type ${type} is not for a client without a secret`)
    }
  }
}

/** @param member that names them @throws Refusal `invalid_redirect_uri` */
export const checkUris = (uris: readonly string[], member: string): void => {
  for (const [index, uri] of uris.entries()) {
    const fault = redirectUriFault(uri)
    if (fault === null) continue
    const told = `${member}[${index}] ${redirectUriFaults[fault]}`
    throw new Refusal('invalid_redirect_uri', 'bad_redirect_uri', told)
  }
}

const checkRedirectUris = ({ grantTypes, redirectUris }: Registration): void => {
  checkUris(redirectUris, 'redirect_uris')
  const needing = redirecting.find((grant) => grantTypes.includes(grant))
  if (needing !== undefined && redirectUris.length === 0) {
    throw new Refusal(
      'invalid_redirect_uri',
      'missing_redirect_uri',
      `redirect_uris has to name at least one URI for grant type ${needing}`,
    )
  }
}

/**
 * Checks a registration as it would be in force, so that no chain of allowed changes leads to what
 * could not have been registered at once.
 *
 * @throws Refusal `invalid_redirect_uri`, `invalid_client_metadata`
 */
export const checkRegistration = (
  registration: Registration,
  by: Registrar,
  offered: readonly OfferedGrant[],
): Registration => {
  checkTypes(registration)
  checkGrants(registration, by, offered)
  checkRedirectUris(registration)
  if (!covers(registration.scope, registration.requiredScope)) {
    throw invalid('required_scope_outside', 'required_scope has to lie within scope')
  }
  return registration
}
