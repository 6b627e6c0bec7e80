/** Resource indicators (RFC 8707): which of our protected resources a token is meant for. */
import type { Permissions, Resource } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import { permissionsNamed } from './scope.ts'

/** The address of one resource, or of all of them. */
export const resourceUri = (issuer: string, name: string): string => `${issuer}/api/${name}`

/**
 * Narrows permissions to the resources that `resource` parameters name: `{base_url}` and
 * `{base_url}/api` are all of them, `{base_url}/api/photos` is one.
 *
 * @throws Refusal `invalid_target`
 */
export const narrowToResources = (
  permissions: Permissions,
  indicators: readonly string[],
  {
    issuer,
    resources,
  }: { readonly issuer: string; readonly resources: readonly Pick<Resource, 'name'>[] },
): Permissions => {
  if (indicators.length === 0) return permissions
  const everything = [issuer, `${issuer}/`, `${issuer}/api`]
  const single = indicators.filter((uri) => !everything.includes(uri))
  const area = resourceUri(issuer, '')
  const names = single.map((uri) => (uri.startsWith(area) ? uri.slice(area.length) : ''))
  const unknown = names.some((named) => !resources.some(({ name }) => name === named))
  const narrowed =
    single.length < indicators.length ? permissions : permissionsNamed(names, permissions)
  if (unknown || (narrowed.length === 0 && permissions.length > 0)) {
    throw new Refusal(
      'invalid_target',
      'unknown_resource',
      'resource has to name this service or one of its resources that the scope reaches',
    )
  }
  return narrowed
}
