/** Resource indicators (RFC 8707): which of our protected resources a token is meant for. */
import type { Permissions } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import { resourceOf } from './permission.ts'

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
  issuer: string,
  known: readonly string[],
): Permissions => {
  const everything = [issuer, `${issuer}/`, `${issuer}/api`]
  const narrowed = permissions.filter(
    (permission) =>
      indicators.length === 0 ||
      indicators.some(
        (uri) => everything.includes(uri) || uri === resourceUri(issuer, resourceOf(permission)),
      ),
  )
  const unknown = indicators.some(
    (uri) => !everything.includes(uri) && !known.some((name) => uri === resourceUri(issuer, name)),
  )
  if (unknown || (narrowed.length === 0 && permissions.length > 0)) {
    throw new Refusal(
      'invalid_target',
      'unknown_resource',
      'resource has to name this service or one of its resources that the scope reaches',
    )
  }
  return narrowed
}
