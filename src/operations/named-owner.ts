/** The owner that the path of a request names, and the members of an owner in answers. */
import type { Exchange } from '../http/exchange.ts'
import { isOwnerId, type OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Z } from '../protocol/schema.ts'
import { allowNull, flag, mapAnswer, seconds, text, texts, whole } from './operation.ts'
import { type AdminNeeds, checkRoles, type Operator, rightsChanged, unknown } from './operator.ts'

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
 * So that no operator locks everybody out by mistake, as in the console. Programs have no account.
 *
 * @throws Refusal `conflict`
 */
export const refuseOneself = ({ caller }: Pick<Exchange, 'caller'>, { id }: Owner): void => {
  if (caller.proven.type !== 'operator' || !('ownerId' in caller.proven)) return
  if (caller.proven.ownerId !== id) return
  const said = 'nobody disables or deletes their own account, or changes its roles'
  throw new Refusal('conflict', 'own_account', said)
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

/** Why a step did nothing that always does something: see `checkSameRoles`. */
export const explainUnchanged = async (owner: Owner, parts: AdminNeeds): Promise<Refusal> => {
  await checkSameRoles(owner, parts)
  return unknown('owner')
}

const allowAnything = (z: Z) => z.record(z.string(), z.unknown())

/** Never the password hash. */
export const ownerAnswer = mapAnswer<Owner>({
  id: [text, 'id'],
  username: [text, 'username'],
  name: [text, 'name'],
  email: [text, 'email'],
  email_verified: [flag, 'emailVerified'],
  claims: [allowAnything, 'claims'],
  attributes: [allowAnything, 'attributes'],
  roles: [texts, 'roles'],
  updated_at: [seconds, 'updatedAt'],
  disabled: [flag, 'disabled'],
  created_at: [seconds, 'createdAt'],
  deletion_at: [
    (z) => z.int().nullable().describe('null unless the owner deleted the account'),
    'deletionAt',
  ],
  // Null where it is still the first one.
  password_changed_at: [allowNull(whole), ({ passwordChangedAt: at }) => (at === 0 ? null : at)],
})

export const describeOwner = ownerAnswer.describe
