/** Nobody gives, changes or takes over what may do more than they may. */

import { difference, formatScope, intersection } from '../access/permission.ts'
import { findClient } from '../clients/find.ts'
import type { Exchange } from '../http/exchange.ts'
import { clientOf } from '../model/actor.ts'
import { adminPermissions, type Permissions } from '../model/resource.ts'
import { type ConsoleRole, consoleRoleOf } from '../model/role.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { AdminNeeds, Operator } from './operator.ts'

/** Owners with a role of the console may do as much as a client with these permissions. */
const worth: Readonly<Record<ConsoleRole, Permissions>> = {
  operator: adminPermissions,
  auditor: adminPermissions.filter((permission) => permission.endsWith(':read')),
}

export const permissionsOf = (role: ConsoleRole): Permissions => worth[role]

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
  const role = consoleRoleOf(owner)
  const lacking = role === null ? [] : difference(worth[role], permissions)
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
  const lacking = difference(intersection(scope, adminPermissions), permissions)
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
  const clientId = clientOf(caller)
  if (!isNew || caller.user !== undefined || clientId === null) return
  const lacking = difference(worth.operator, (await findClient(clientId, parts))?.scope ?? [])
  if (lacking.length > 0) {
    throw refuseElevation('introspection_clients is for operators to extend', lacking)
  }
}
