/** Permissions as sets: canonical arrays, so that equal sets are equal texts. */
import type { Permission, Permissions, Resource } from '../model/resource.ts'
import { adminPermissions } from '../model/resource.ts'

/** Sorted, each once. */
const permissionSet = (permissions: Iterable<Permission>): Permissions =>
  [...new Set(permissions)].sort()

export const intersection = (a: Permissions, b: Permissions): Permissions =>
  a.filter((permission) => b.includes(permission))

export const difference = (a: Permissions, b: Permissions): Permissions =>
  a.filter((permission) => !b.includes(permission))

export const covers = (have: Permissions, wanted: Permissions): boolean =>
  wanted.every((permission) => have.includes(permission))

/** The wire form: separated by spaces (RFC 6749 section 3.3). */
export const formatScope = (permissions: Permissions): string => permissions.join(' ')

/** Reads what `formatScope` wrote; only for text of our own. */
export const readScope = (text: string): Permissions =>
  text === '' ? [] : (text.split(' ') as Permission[])

/** `photos` of `photos:read`. */
export const resourceOf = (permission: Permission): string =>
  permission.slice(0, permission.lastIndexOf(':'))

/** Everything that owners can grant. */
export const ownerPermissions = (resources: readonly Resource[]): Permissions =>
  permissionSet(resources.flatMap(({ name }): Permission[] => [`${name}:read`, `${name}:write`]))

/** Everything that a client can be registered for by the operator. */
export const allPermissions = (resources: readonly Resource[]): Permissions =>
  permissionSet([...ownerPermissions(resources), ...adminPermissions])
