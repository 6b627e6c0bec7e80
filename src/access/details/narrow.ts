/** Granted details, as far as they are in force, and as far as a token request names them. */

import type { Client } from '../../model/client.ts'
import { type Detail, getIdentifier, intersectDetails } from '../../model/detail.ts'
import type { Permission } from '../../model/resource.ts'
import type { Resources } from '../resources.ts'
import { invalidDetails, parseDetails } from './parse.ts'

/**
 * Details in force at this moment: approved, within the limit of the client, and about resources and
 * actions that exist. Most tokens have none, and then nobody asks.
 *
 * @param types of the client; null if nothing limits them
 */
export const keepDetailsInForce = (
  details: readonly Detail[],
  approved: readonly Detail[],
  types: readonly string[] | null,
  { latest }: Pick<Resources, 'latest'>,
): readonly Detail[] => {
  const exists = (permission: Permission): boolean => latest.names.has(permission)
  return intersectDetails(details, approved).flatMap((detail) => {
    const { type } = detail
    if (types !== null && !types.includes(type)) return []
    const actions = detail.actions.filter((action) => exists(`${type}:${action}`))
    if (actions.length === detail.actions.length) return [detail]
    return actions.length === 0 ? [] : [{ ...detail, actions }]
  })
}

/**
 * Whether details allow an action on an item. Members of the resource's own mean nothing to the built-in
 * API.
 *
 * @param item null for all items of the resource, such as a list of them
 */
export const isItemOpened = (
  details: readonly Detail[],
  permission: Permission,
  item: string | null,
): boolean =>
  details.some((detail) => {
    const only = getIdentifier(detail)
    const isIts = only === null || only === item
    return isIts && detail.actions.some((action) => `${detail.type}:${action}` === permission)
  })

/**
 * The details that the parameter of a token request names. Each of them has to lie within one that was
 * granted (RFC 9396 section 6.1).
 *
 * @throws Refusal `invalid_authorization_details`
 */
export const narrowDetails = async (
  text: string,
  granted: readonly Detail[],
  client: Client,
  resources: Resources,
): Promise<readonly Detail[]> => {
  const asked = await parseDetails(text, client, resources)
  if (intersectDetails(asked, granted).length === asked.length) return asked
  throw invalidDetails('detail_beyond_grant', 'asks for more than was granted')
}
