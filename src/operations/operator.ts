/** The door of the admin API: a protected resource of our own, for tokens of clients only. */
import { adminUri, refuseOtherAudience } from '../access/audience.ts'
import { covers } from '../access/permission.ts'
import { limits } from '../config/limits.ts'
import { awaitBody } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import type { ClientAccess } from '../model/access.ts'
import { adminPermissions, type Permission } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import { readBearerHeader } from '../resource/bearer.ts'

/** The rights of an operator. */
export type Operator = Pick<ClientAccess, 'permissions'>

/** Access to the control socket, or to the store, is access to everything. */
const localOperator: Operator = { permissions: adminPermissions }

/**
 * The operator behind an admin request, after checking that the token allows the action. The token
 * comes in the `Authorization` header alone. An owner's token is refused, whatever it allows: an
 * application for an owner is not an operator. The token is verified after the last byte of the
 * body. A command of this machine brings no token.
 *
 * @throws Refusal `invalid_request`, `invalid_token`, `insufficient_scope`
 */
export const findOperator = async (
  { request, at, caller }: Exchange,
  needed: Permission,
  parts: ServiceParts,
): Promise<Operator> => {
  if (caller.user !== undefined) return localOperator
  const token = readBearerHeader(request)
  if (token === null) {
    throw new Refusal('invalid_token', 'missing_token', 'an access token is needed', {
      scope: needed,
    })
  }
  await awaitBody(request, limits.jsonBytes)
  const access = await parts.tokens.verifyAccess(token, at)
  parts.meter.countRead(access === null ? 'refused' : 'accepted')
  if (access === null) {
    throw new Refusal('invalid_token', 'dead_token', 'the access token is unknown or has ended')
  }
  const { clientId, tokenId } = access
  caller.proven = { type: 'client', clientId }
  refuseOtherAudience(access, adminUri(parts.settings.issuer), parts.resources.site())
  if (access.subject === 'owner') {
    throw new Refusal(
      'insufficient_scope',
      'owner_token',
      'the admin API is for tokens that a client got for itself',
      { scope: needed },
    )
  }
  if (!covers(access.permissions, [needed])) {
    throw new Refusal(
      'insufficient_scope',
      'missing_permission',
      `the access token does not allow ${needed}`,
      { scope: needed, recorded: { granted: access.permissions } },
    )
  }
  caller.proven = { type: 'operator', clientId, tokenId }
  return access
}

/** @throws Refusal `not_found` */
export const unknown = (what: 'client' | 'owner' | 'authorization' | 'resource' | 'key'): Refusal =>
  new Refusal('not_found', `unknown_${what}`, `there is no such ${what}`)

/** For a step that did nothing, since the checked roles or scope do not hold any more. */
export const rightsChanged = (what: 'roles' | 'scope'): Refusal =>
  new Refusal('conflict', 'rights_changed', `somebody else changed the ${what} at the same time`)
