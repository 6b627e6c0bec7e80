/** Resource indicators (RFC 8707): which of our protected resources a token is meant for. */
import {
  adminPermissions,
  type Permission,
  type Permissions,
  type Resource,
  type ScopeName,
} from '../model/resource.ts'
import { allowsNothing, isScopeWord } from '../model/scope-word.ts'
import type { KnownResources, Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import { intersection, permissionsIn, resourceOf } from './permission.ts'

const isAdmin = (permission: Permission): boolean => adminPermissions.includes(permission)

/** The address of one resource, or of all of them. */
export const resourceUri = (issuer: string, name: string): string => `${issuer}/api/${name}`

/** The admin API is one audience, whichever of its permissions a token has. */
export const adminUri = (issuer: string): string => `${issuer}/admin/api`

/** Where the owner's claims are told. */
const userinfoUri = (issuer: string): string => `${issuer}/userinfo`

const audienceOf = (name: ScopeName, issuer: string): readonly string[] => {
  if (name === 'offline_access') return []
  if (isScopeWord(name)) return [userinfoUri(issuer)]
  return [isAdmin(name) ? adminUri(issuer) : resourceUri(issuer, resourceOf(name))]
}

/** The audiences of a token with these permissions: `aud` (RFC 7662 section 2.2). */
export const audiencesOf = (permissions: Permissions, issuer: string): readonly string[] => [
  ...new Set(permissions.flatMap((name) => audienceOf(name, issuer))),
]

interface Site {
  readonly issuer: string
  readonly resources: readonly Pick<Resource, 'name'>[]
}

/** What indicators are compared with. */
export const siteOf = ({
  settings,
  resources,
}: Pick<Parts, 'settings'> & { readonly resources: KnownResources }): Site => ({
  issuer: settings.issuer,
  resources: resources.list(),
})

/** What one indicator leaves of the permissions; null where it names nothing here. */
const reachedBy = (
  uri: string,
  permissions: Permissions,
  { issuer, resources }: Site,
): Permissions | null => {
  if (uri === issuer || uri === `${issuer}/`) return permissions
  if (uri === `${issuer}/api`) return permissionsIn(permissions).filter((one) => !isAdmin(one))
  if (uri === adminUri(issuer)) return intersection(permissions, adminPermissions)
  const named = resources.find(({ name }) => uri === resourceUri(issuer, name))
  return named === undefined
    ? null
    : permissionsIn(permissions).filter((one) => resourceOf(one) === named.name)
}

/**
 * Narrows permissions to the resources that `resource` parameters name: `{base_url}` is everything,
 * `{base_url}/api` all resources of owners, `{base_url}/api/photos` one of them, and
 * `{base_url}/admin/api` the admin API. Words are for `/userinfo`, so only `{base_url}` keeps them.
 * `offline_access` stays: it is about the refresh token, which no `resource` narrows.
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
  const narrowed = permissions.filter(
    (one) => one === 'offline_access' || reached.some((some) => some?.includes(one)),
  )
  if (reached.includes(null) || (allowsNothing(narrowed) && permissions.length > 0)) {
    throw new Refusal(
      'invalid_target',
      'unknown_resource',
      'resource has to name this service or one of its resources that the scope reaches',
    )
  }
  return narrowed
}
