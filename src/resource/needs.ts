/** What a route needs of a token: permissions, and how long ago its owner logged in (RFC 9470). */

/**
 * One permission, a list of permissions that are all needed, or an object with one of them as
 * `scope`. `maxAge`: the owner logged in at most so many seconds ago. An empty list takes any token
 * for this resource.
 */
export type Needs =
  | string
  | readonly string[]
  | { readonly scope: string | readonly string[]; readonly maxAge?: number }

/** Needs that were checked. */
export interface Needed {
  readonly permissions: readonly string[]
  /** Seconds; null = whenever the owner logged in. */
  readonly maxAge: number | null
}

/** RFC 6749 section 3.3. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

export const isPermissionName = (name: unknown): boolean =>
  typeof name === 'string' && scopeToken.test(name)

/** @throws TypeError for what no token could have: a mistake of the program */
export const parseNeeds = (needs: Needs): Needed => {
  const { scope, maxAge = null } =
    typeof needs === 'object' && 'scope' in needs ? needs : { scope: needs }
  const permissions = typeof scope === 'string' ? [scope] : scope
  for (const permission of permissions) {
    if (isPermissionName(permission)) continue
    throw new TypeError(`latchkey/resource: "${permission}" is no permission such as photos:read`)
  }
  if (maxAge !== null && !(Number.isSafeInteger(maxAge) && maxAge > 0)) {
    throw new TypeError('latchkey/resource: maxAge has to be a whole number of seconds, at least 1')
  }
  return { permissions, maxAge }
}
