/** The owner that the path of a request names. */
import type { Exchange } from '../http/exchange.ts'
import { isOwnerId, type OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { Parts } from '../parts.ts'
import { checkRoles } from './elevation.ts'
import { type Operator, rightsChanged, unknown } from './operator.ts'

export const findNamed = async (
  { params }: Pick<Exchange, 'params'>,
  { store }: Pick<Parts, 'store'>,
): Promise<Owner> => {
  const id = params.id ?? ''
  const owner = isOwnerId(id) ? await store.findOwner(id as OwnerId, 'disabled') : null
  if (owner === null) throw unknown('owner')
  return owner
}

/** Nobody changes or takes over an owner who may do more in the console than they may here. */
export const findChangeable = async (
  exchange: Pick<Exchange, 'params'>,
  parts: Pick<Parts, 'store'>,
  operator: Operator,
): Promise<Owner> => {
  const owner = await findNamed(exchange, parts)
  checkRoles(operator, owner)
  return owner
}

/**
 * After a step that did nothing: the owner is gone, or the checked roles do not hold any more.
 *
 * @throws Refusal `conflict`, or `not_found` for an owner who is gone
 */
export const checkSameRoles = async (
  { id, roles }: Owner,
  { store }: Pick<Parts, 'store'>,
): Promise<void> => {
  const now = await store.findOwner(id, 'disabled')
  if (now === null) throw unknown('owner')
  if (now.roles.join(' ') !== roles.join(' ')) throw rightsChanged('roles')
}
