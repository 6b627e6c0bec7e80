/** Admission to a protected resource: a request goes on only with a token that allows it. */
import type { HttpRequest } from '../http/request.ts'
import { mixedUp } from '../protocol/kinds.ts'
import { Refusal } from '../protocol/refusal.ts'
import { type PresentedToken, readBearer } from './bearer.ts'

/** The least that has to be known of a token. */
export interface Allowed {
  /** Such as `photos:read`, each one of them in force at this moment. */
  readonly permissions: readonly string[]
}

export interface Admitted<Access extends Allowed> {
  readonly access: Access
  readonly presented: PresentedToken
}

const hasPermission = ({ permissions }: Allowed, needed: string): boolean =>
  permissions.includes(needed)

/**
 * Admits a request, or refuses it as RFC 6750 section 3.1 says.
 *
 * @param needs the one permission needed; it may depend on the form
 * @param verify is told of it as well
 * @param allows whether the token allows the need; by default, whether it has that permission
 * @throws Refusal `invalid_request`, `invalid_token`, `insufficient_scope`
 */
export const admit = async <Access extends Allowed>(
  request: HttpRequest,
  needs: string | ((presented: PresentedToken | null) => string),
  verify: (token: string, needed: string) => Promise<Access | null>,
  allows: (access: Access, needed: string) => boolean = hasPermission,
): Promise<Admitted<Access>> => {
  const presented = await readBearer(request)
  const scope = typeof needs === 'string' ? needs : needs(presented)
  if (presented === null) {
    throw new Refusal('invalid_token', 'missing_token', 'an access token is needed', { scope })
  }
  const access = await verify(presented.token, scope)
  if (access === null) {
    throw new Refusal(
      'invalid_token',
      'unknown_token',
      mixedUp(presented.token, 'lk_at_') ?? 'the access token is unknown, expired or revoked',
    )
  }
  if (!allows(access, scope)) {
    throw new Refusal(
      'insufficient_scope',
      'missing_permission',
      'the access token does not allow this',
      { scope, recorded: { granted: access.permissions } },
    )
  }
  return { access, presented }
}
