/**
 * The refresh token grant (RFC 6749 section 6): a token is rotated at each use, and the whole family ended when
 * an old one returns (RFC 9700 section 4.14).
 */

import { keepDetailsInForce, narrowDetails } from '../access/details/narrow.ts'
import { intersect, limitScope } from '../access/permission.ts'
import { narrowToResources } from '../access/resource-indicator.ts'
import { parseScope, selectNamed, tellNames } from '../access/scope.ts'
import type { Family } from '../model/authorization.ts'
import { getDetailTypes, getScopeLimit } from '../model/client.ts'
import type { Permissions } from '../model/resource.ts'
import { isOnlyOffline } from '../model/scope-word.ts'
import { findMixUp } from '../protocol/kinds.ts'
import { Refusal } from '../protocol/refusal.ts'
import { type EarnedFamily, getFamilyEnd } from '../tokens/issue.ts'
import { pausedRefusal } from '../tokens/paused.ts'
import { requireSameKey } from '../tokens/proofs/index.ts'
import type { Grant, GrantParts, GrantRequest } from './grant.ts'

const invalidGrant = (reason: string, description?: string | null): Refusal =>
  new Refusal(
    'invalid_grant',
    reason,
    description ?? 'the refresh token is unknown, expired, revoked, used, or of another client',
  )

/** The permissions of the new access token. All that is asked must have been granted originally. */
const narrowScope = (
  scope: string | null,
  originally: Permissions,
  left: Permissions,
): Permissions => {
  if (scope === null) return left
  const names = parseScope(scope)
  const asked = selectNamed(names, left)
  const beyond = names.filter((name) => selectNamed([name], originally).length === 0)
  if (beyond.length > 0 || isOnlyOffline(asked)) {
    throw new Refusal(
      'invalid_scope',
      'scope_beyond_grant',
      `scope asks for more than the refresh token was granted${tellNames(beyond)}`,
    )
  }
  return asked
}

/**
 * Rotates a refresh token. The request is checked before the current token is used up. An old token is
 * looked at first: whatever it asks for, its return may be a theft.
 *
 * @throws Refusal `invalid_grant`, `invalid_scope`, `temporarily_unavailable`
 */
const rotateRefreshToken = async (
  { client, parameters, key, trace }: GrantRequest,
  { settings, store, resources, tokens }: GrantParts,
): Promise<EarnedFamily> => {
  const text = parameters.require('refresh_token')
  const verified = await tokens.verifyRefresh(text, trace.at, 'paused')
  if (verified === null) throw invalidGrant('unknown_refresh_token', findMixUp(text, 'lk_rt_'))
  const { says, standing } = verified
  const { authorization } = standing
  if (authorization.clientId !== client.id) throw invalidGrant('refresh_token_of_other_client')
  // Without the key nobody can end anything, even with an old token.
  const { confirmation } = says.terms
  if (confirmation !== null) requireSameKey(confirmation, key?.confirmation)
  await key?.claim()
  const rotate = async (): Promise<Family> => {
    const rotated = await store.rotateRefreshToken(
      {
        familyId: says.familyId,
        salt: authorization.salt,
        generation: says.generation,
        expiresAt: getFamilyEnd(client, trace.at),
        retrySeconds: settings.limits.refreshRetrySeconds,
      },
      trace,
    )
    if ('family' in rotated) return rotated.family
    if (rotated.outcome === 'paused') throw pausedRefusal()
    throw invalidGrant(
      rotated.outcome === 'reused' ? 'refresh_token_reused' : 'refresh_token_of_ended_family',
    )
  }
  const repeated = says.generation < standing.family.generation ? await rotate() : null
  // A permission that the owner took back stays out of later tokens, even if it is approved again.
  const originally = [...says.terms.permissions, ...says.takenBack]
  const granted = intersect(says.terms.permissions, authorization.permissions)
  const left = await resources.keepKnown(limitScope(granted, getScopeLimit(client)))
  const grantedDetails =
    says.terms.details.length === 0
      ? says.terms.details
      : keepDetailsInForce(
          says.terms.details,
          authorization.details,
          getDetailTypes(client),
          resources,
        )
  if (isOnlyOffline(left) && grantedDetails.length === 0) {
    throw invalidGrant('nothing_left_of_grant')
  }
  const { audience } = says.terms
  const permissions = narrowScope(parameters.find('scope'), originally, left)
  const asked = parameters.find('authorization_details')
  const details =
    asked === null ? grantedDetails : await narrowDetails(asked, grantedDetails, client, resources)
  // `resource` narrows what is left of the grant.
  const given = { permissions, details, audience }
  const reach = narrowToResources(given, parameters.all('resource'), resources.latest.site)
  const family = repeated ?? (await rotate())
  const terms = { ...says.terms, ...reach }
  const told = permissions
  const grant = { granted, grantedDetails, audience, originally }
  return { for: 'family', family, authorization, terms, told, ...grant }
}

export const refreshToken: Grant = {
  type: 'refresh_token',
  clients: 'any',
  takesDetails: true,
  open: (parts) => (request) => rotateRefreshToken(request, parts),
}
