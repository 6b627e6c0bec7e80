/** Owners with a role of the console may do as much as a client with these permissions. */
import { difference, formatScope } from '../access/permission.ts'
import { findClient } from '../clients/find.ts'
import type { Exchange } from '../http/exchange.ts'
import type { ClientAccess } from '../model/access.ts'
import { clientOf } from '../model/actor.ts'
import { adminPermissions, type Permissions } from '../model/resource.ts'
import { type ConsoleRole, consoleRoleOf } from '../model/role.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'

const worth: Readonly<Record<ConsoleRole, Permissions>> = {
  operator: adminPermissions,
  auditor: adminPermissions.filter((permission) => permission.endsWith(':read')),
}

/**
 * Nobody gives a role that may do more than they may, or changes or takes over an owner with it.
 * Otherwise `owners:write` alone would be as good as everything.
 *
 * @throws Refusal `insufficient_scope`
 */
export const checkRoles = (
  { permissions }: Pick<ClientAccess, 'permissions'>,
  owner: { readonly roles: readonly string[] },
): void => {
  const role = consoleRoleOf(owner)
  const lacking = role === null ? [] : difference(worth[role], permissions)
  if (lacking.length > 0) {
    throw refuseElevation(`the role ${role} allows more than the access token`, lacking)
  }
}

const refuseElevation = (description: string, lacking: Permissions): Refusal =>
  new Refusal('insufficient_scope', 'elevation', description, { scope: formatScope(lacking) })

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
  parts: Pick<Parts, 'store'>,
): Promise<void> => {
  const isNew = Array.isArray(given) && given.some((id) => !before.includes(id))
  const clientId = clientOf(caller)
  if (!isNew || caller.user !== undefined || clientId === null) return
  const lacking = difference(worth.operator, (await findClient(clientId, parts))?.scope ?? [])
  if (lacking.length > 0) {
    throw refuseElevation('introspection_clients is for operators to extend', lacking)
  }
}
