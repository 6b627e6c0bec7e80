/** The owner that the path of a request names, and the members of an owner in answers. */

import type { Exchange } from '../http/exchange.ts'
import { isOwnerId, type OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { Z } from '../protocol/schema.ts'
import { checkRoles } from './elevation.ts'
import { type AdminNeeds, type Operator, rightsChanged, unknown } from './operator.ts'

export const findNamed = async (
  { params }: Pick<Exchange, 'params'>,
  { store }: AdminNeeds,
): Promise<Owner> => {
  const id = params.id ?? ''
  const owner = isOwnerId(id) ? await store.findOwner(id as OwnerId, 'disabled') : null
  if (owner === null) throw unknown('owner')
  return owner
}

/** Nobody changes or takes over an owner who may do more in the console than they may here. */
export const findChangeable = async (
  exchange: Pick<Exchange, 'params'>,
  parts: AdminNeeds,
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
  { store }: AdminNeeds,
): Promise<void> => {
  const now = await store.findOwner(id, 'disabled')
  if (now === null) throw unknown('owner')
  if (now.roles.join(' ') !== roles.join(' ')) throw rightsChanged('roles')
}

/** Never the password hash. */
export const describeOwner = (owner: Owner) => ({
  id: owner.id,
  username: owner.username,
  name: owner.name,
  email: owner.email,
  email_verified: owner.emailVerified,
  claims: owner.claims,
  attributes: owner.attributes,
  roles: owner.roles,
  updated_at: owner.updatedAt,
  disabled: owner.disabled,
  created_at: owner.createdAt,
  /** Null unless the owner deleted the account and can still undo it. */
  deletion_at: owner.deletionAt,
  /** Null where it is still the first one. */
  password_changed_at: owner.passwordChangedAt === 0 ? null : owner.passwordChangedAt,
})

export const ownerMembers = (z: Z) => ({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  claims: z.record(z.string(), z.unknown()),
  attributes: z.record(z.string(), z.unknown()),
  roles: z.array(z.string()),
  updated_at: z.int().describe('unix seconds'),
  disabled: z.boolean(),
  created_at: z.int().describe('unix seconds'),
  deletion_at: z.int().nullable().describe('null unless the owner deleted the account'),
  password_changed_at: z.int().nullable(),
})
