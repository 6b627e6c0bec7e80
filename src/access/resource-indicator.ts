/** Resource indicators (RFC 8707): which of our protected resources a token is meant for. */
import { adminPermissions, type Permissions, type Resource } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import { difference, intersection, resourceOf } from './permission.ts'
import { permissionsNamed } from './scope.ts'

/** The address of one resource, or of all of them. */
export const resourceUri = (issuer: string, name: string): string => `${issuer}/api/${name}`

/** The admin API is one audience, whichever of its permissions a token has. */
export const adminUri = (issuer: string): string => `${issuer}/admin/api`

/** The audiences of a token with these permissions: `aud` (RFC 7662 section 2.2). */
export const audiencesOf = (permissions: Permissions, issuer: string): readonly string[] => [
  ...new Set(
    permissions.map((one) =>
      adminPermissions.includes(one) ? adminUri(issuer) : resourceUri(issuer, resourceOf(one)),
    ),
  ),
]

interface Site {
  readonly issuer: string
  readonly resources: readonly Pick<Resource, 'name'>[]
}

/** What one indicator leaves of the permissions; null where it names nothing here. */
const reachedBy = (
  uri: string,
  permissions: Permissions,
  { issuer, resources }: Site,
): Permissions | null => {
  if (uri === issuer || uri === `${issuer}/`) return permissions
  if (uri === `${issuer}/api`) return difference(permissions, adminPermissions)
  if (uri === adminUri(issuer)) return intersection(permissions, adminPermissions)
  const named = resources.find(({ name }) => uri === resourceUri(issuer, name))
  return named === undefined ? null : permissionsNamed([named.name], permissions)
}

/**
 * Narrows permissions to the resources that `resource` parameters name: `{base_url}` is everything,
 * `{base_url}/api` all resources of owners, `{base_url}/api/photos` one of them, and
 * `{base_url}/admin/api` the admin API.
 *
 * @throws Refusal `invalid_target`
 */
export const narrowToResources = (
  permissions: Permissions,
  indicators: readonly string[],
  site: Site,
): Permissions => {
  if (indicators.length === 0) return permissions
  const reached = indicators.map((uri) => reachedBy(uri, permissions, site))
  const narrowed = permissions.filter((one) => reached.some((some) => some?.includes(one)))
  if (reached.includes(null) || (narrowed.length === 0 && permissions.length > 0)) {
    throw new Refusal(
      'invalid_target',
      'unknown_resource',
      'resource has to name this service or one of its resources that the scope reaches',
    )
  }
  return narrowed
}
