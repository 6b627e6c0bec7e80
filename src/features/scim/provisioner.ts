/** The client behind a SCIM request: a program of the operator, with a token of its own for this API. */
import { getApiUri } from '../../access/audience.ts'
import { parseCondition } from '../../http/conditions.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { ClientId } from '../../model/ids.ts'
import { verifyProgram } from '../../operations/operator.ts'
import { Refusal, refuseForNow } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { scimApi } from './api.ts'
import type { ScimHindered } from './contract.ts'
import { badValue, taken, tooMany, unknownResource } from './errors.ts'
import { scimLimits } from './limits.ts'

/** @throws Refusal `invalid_token`, `insufficient_scope` */
export const findProvisioner = async (
  exchange: Exchange,
  parts: ServiceParts,
): Promise<ClientId> => {
  const { permission } = scimApi
  const uri = getApiUri(scimApi, parts.settings.issuer)
  const most = scimLimits.bodyBytes
  const { clientId, tokenId } = await verifyProgram(exchange, permission, uri, most, parts)
  exchange.caller.proven = { type: 'operator', clientId, tokenId, door: 'scim' }
  return clientId
}

/** The entity tags of SCIM are weak, and compared so (RFC 7644 section 3.14). */
export const checkMatch = (exchange: Exchange, version: string): void => {
  const { ifMatch = '*' } = parseCondition(exchange.request, 'weak')
  if (ifMatch === '*' || ifMatch.includes(version)) return
  throw new Refusal(
    'precondition_failed',
    'scim_other_version',
    'If-Match names another version of the resource: read it again',
  )
}

/** Whether the sender changes what it has read, and nothing newer. */
export const hasMatch = ({ request }: Exchange): boolean => {
  const { ifMatch = '*' } = parseCondition(request, 'weak')
  return ifMatch !== '*'
}

export const isUnchanged = (exchange: Exchange, version: string): boolean => {
  const { ifNoneMatch } = parseCondition(exchange.request, 'weak')
  return ifNoneMatch === '*' || ifNoneMatch?.includes(version) === true
}

/** A step that did nothing, as a refusal. */
export const explainHindered = (why: Exclude<ScimHindered, 'changed_meanwhile'>): Refusal => {
  switch (why) {
    case 'lost':
      return new Refusal(
        'invalid_token',
        'dead_token',
        'the client of the access token may not any more',
      )
    case 'gone':
      return unknownResource()
    case 'protected':
      return new Refusal(
        'insufficient_scope',
        'scim_protected',
        'it concerns a user with a role of the console, or whom an operator disabled: only operators do it',
      )
    case 'name_taken':
      return taken('another user or group has this name, or another user this address')
    case 'name_in_use':
      return taken(
        'an application or an upstream names a group like this: let an operator rename it',
      )
    case 'external_taken':
      return taken('another resource of the client has this externalId')
    case 'unknown_member':
      return badValue('members has an id that is of no user of the client')
    case 'too_many':
      return tooMany('there are more groups, groups of one user, or members at once than may be')
  }
}

/** Tries a change again while others change the same resource. Each try computes it from the stored state. */
export const retryChange = async <Changed>(
  attempt: () => Promise<Changed | 'changed_meanwhile'>,
): Promise<Changed> => {
  for (let tries = 0; tries < scimLimits.tries; tries++) {
    const changed = await attempt()
    if (changed !== 'changed_meanwhile') return changed
  }
  throw refuseForNow('scim_busy', 'others change the same resource all the time', 1)
}
