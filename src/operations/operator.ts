/** The door of the admin API: a protected resource of our own, for tokens of clients only. Nobody gives, changes or takes over what may do more than they may. */

import { getAdminUri, refuseOtherAudience } from '../access/audience.ts'
import { formatScope, hasAll, intersect, subtract } from '../access/permission.ts'
import type { Resources } from '../access/resources.ts'
import { findClient } from '../clients/find.ts'
import type { Registrable } from '../clients/grant-types.ts'
import type { Logos } from '../clients/logos.ts'
import type { Sectors } from '../clients/sector.ts'
import type { Settings } from '../config/settings.ts'
import type { Passwords } from '../crypto/password.ts'
import type { Keyring } from '../crypto/seal.ts'
import type { Vault } from '../crypto/wrap.ts'
import type { RefusalKeeper } from '../events/refusal-keeper.ts'
import { featureApis } from '../features/apis.ts'
import { awaitBody } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { httpLimits } from '../http/limits.ts'
import type { Given } from '../model/ids.ts'
import type { Meter } from '../model/metric.ts'
import { type ConsoleRole, findConsoleRole } from '../model/owner.ts'
import { adminPermissions, type Permission, type Permissions } from '../model/resource.ts'
import type { Access, ClientAccess } from '../model/token.ts'
import { Refusal } from '../protocol/refusal.ts'
import { readTokenHeader } from '../resource/bearer.ts'
import type { Store } from '../store/store.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { findPersonRole } from './person.ts'

/** What operations work on. */
export type AdminNeeds = Given & {
  readonly registries: Registrable
  readonly store: Store
  readonly settings: Settings
  readonly resources: Resources
  readonly sectors: Sectors
  readonly logos: Logos
  readonly meter: Meter
  readonly keyring: Keyring
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly refusals: RefusalKeeper
  readonly vault: Vault
}

/** The rights of an operator. */
export type Operator = Pick<ClientAccess, 'permissions'>

/** Access to the control socket, or to the store, is access to everything. */
const localOperator: Operator = { permissions: adminPermissions }

/** @throws Refusal `insufficient_scope` */
export const checkPermission = ({ permissions }: Operator, needed: Permission): void => {
  if (hasAll(permissions, [needed])) return
  throw new Refusal(
    'insufficient_scope',
    'missing_permission',
    `the access token does not allow ${needed}`,
    { scope: needed, recorded: { granted: permissions } },
  )
}

/**
 * Verifies the token behind a request to an API of operators. The token comes in the `Authorization` header
 * alone, and is verified after the last byte of the body.
 *
 * @param uri the audience
 * @param mostBytes of the body
 * @throws Refusal `invalid_request`, `invalid_token`
 */
const verifyToken = async (
  exchange: Exchange,
  needed: Permission,
  uri: string,
  mostBytes: number,
  parts: Pick<AdminNeeds, 'tokens' | 'meter' | 'resources'>,
): Promise<Access> => {
  const { request, caller } = exchange
  const presented = readTokenHeader(request)
  if (presented === null) {
    throw new Refusal('invalid_token', 'missing_token', 'an access token is needed', {
      scope: needed,
    })
  }
  await awaitBody(request, mostBytes)
  const access = await parts.tokens.verifyUse({ ...exchange, ...presented })
  parts.meter.countRead(access?.clientId ?? null)
  if (access === null) {
    throw new Refusal('invalid_token', 'dead_token', 'the access token is unknown or has ended')
  }
  caller.proven = { type: 'client', clientId: access.clientId }
  refuseOtherAudience(access, uri, parts.resources.latest.site)
  return access
}

/**
 * The program behind a request to an API of operators, after checking that its token allows the action.
 * An owner's token is refused, whatever it allows: an application for an owner is not an operator.
 *
 * @param uri the audience
 * @param mostBytes of the body
 * @throws Refusal `invalid_request`, `invalid_token`, `insufficient_scope`
 */
export const verifyProgram = async (
  exchange: Exchange,
  needed: Permission,
  uri: string,
  mostBytes: number,
  parts: Pick<AdminNeeds, 'tokens' | 'meter' | 'resources'>,
): Promise<ClientAccess> => {
  const access = await verifyToken(exchange, needed, uri, mostBytes, parts)
  if (access.subject === 'owner') {
    throw new Refusal(
      'insufficient_scope',
      'owner_token',
      'this API is for tokens that a client got for itself',
      { scope: needed },
    )
  }
  checkPermission(access, needed)
  return access
}

/**
 * The operator behind an admin request, after checking that the token allows the action. An owner's token is
 * refused, whatever it allows, unless it is of `latchkey login`: no other application is an operator. A
 * command of this machine brings no token.
 *
 * @throws Refusal `invalid_request`, `invalid_token`, `insufficient_scope`, `insufficient_user_authentication`
 */
export const findOperator = async (
  exchange: Exchange,
  needed: Permission,
  parts: AdminNeeds,
): Promise<Operator> => {
  const { caller } = exchange
  if (caller.user !== undefined) return localOperator
  const uri = getAdminUri(parts.settings.issuer)
  const access = await verifyToken(exchange, needed, uri, httpLimits.jsonBytes, parts)
  const { clientId, tokenId } = access
  if (access.subject === 'owner') {
    const role = await findPersonRole(access, needed, exchange.at, parts)
    const person: Operator = { permissions: getPermissions(role) }
    checkPermission(person, needed)
    caller.proven = { type: 'operator', ownerId: access.ownerId, clientId, tokenId }
    return person
  }
  checkPermission(access, needed)
  caller.proven = { type: 'operator', clientId, tokenId }
  return access
}

/** @throws Refusal `not_found` */
export const unknown = (
  what: 'client' | 'owner' | 'authorization' | 'group' | 'resource' | 'issuer' | 'key' | 'stream',
): Refusal => new Refusal('not_found', `unknown_${what}`, `there is no such ${what}`)

/** For a step that did nothing, since the checked roles or scope do not hold any more. */
export const rightsChanged = (what: 'roles' | 'scope'): Refusal =>
  new Refusal('conflict', 'rights_changed', `somebody else changed the ${what} at the same time`)

/** Owners with a role of the console may do as much as a client with these permissions. */
const worth: Readonly<Record<ConsoleRole, Permissions>> = {
  operator: adminPermissions,
  auditor: adminPermissions.filter((permission) => permission.endsWith(':read')),
}

export const getPermissions = (role: ConsoleRole): Permissions => worth[role]

const refuseElevation = (description: string, lacking: Permissions): Refusal =>
  new Refusal('insufficient_scope', 'elevation', description, { scope: formatScope(lacking) })

/**
 * Otherwise `owners:write` alone would be as good as everything.
 *
 * @throws Refusal `insufficient_scope`
 */
export const checkRoles = (
  { permissions }: Operator,
  owner: { readonly roles: readonly string[] },
): void => {
  const role = findConsoleRole(owner)
  const lacking = role === null ? [] : subtract(worth[role], permissions)
  if (lacking.length > 0) {
    throw refuseElevation(`the role ${role} allows more than the access token`, lacking)
  }
}

/**
 * Otherwise `clients:write` alone would be as good as everything.
 *
 * @throws Refusal `insufficient_scope`
 */
export const checkScope = ({ permissions }: Operator, scope: Permissions): void => {
  const apis = featureApis.filter(({ permission }) => scope.includes(permission))
  const needed = [...intersect(scope, adminPermissions), ...apis.flatMap(({ worth }) => worth)]
  const lacking = subtract(needed, permissions)
  if (lacking.length > 0) {
    throw refuseElevation('this client may administer what the access token may not', lacking)
  }
}

/**
 * Whoever may introspect learns of all owners of an API. So only a client that may ask for all that an
 * operator does lets one do it: `resources:write` alone could name itself.
 *
 * @param before those who may introspect already
 * @throws Refusal `insufficient_scope`
 */
export const checkIntrospection = async (
  { caller }: Pick<Exchange, 'caller'>,
  given: unknown,
  before: readonly string[],
  parts: AdminNeeds,
): Promise<void> => {
  const isNew = Array.isArray(given) && given.some((id) => !before.includes(id))
  const { clientId = null } = caller.proven
  const isPerson = caller.user !== undefined || 'ownerId' in caller.proven
  if (!isNew || isPerson || clientId === null) return
  const lacking = subtract(worth.operator, (await findClient(clientId, parts))?.scope ?? [])
  if (lacking.length > 0) {
    throw refuseElevation('introspection_clients is for operators to extend', lacking)
  }
}
