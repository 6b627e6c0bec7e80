/** Owners with a role of the console may do as much as a client with these permissions. */
import { difference, formatScope } from '../access/permission.ts'
import type { ClientAccess } from '../model/access.ts'
import { adminPermissions, type Permissions } from '../model/resource.ts'
import { type ConsoleRole, consoleRoleOf } from '../model/role.ts'
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
  if (lacking.length === 0) return
  throw new Refusal(
    'insufficient_scope',
    'elevation',
    `the role ${role} allows more than the access token`,
    { scope: formatScope(lacking) },
  )
}
