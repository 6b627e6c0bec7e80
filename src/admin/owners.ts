/** The resource owners of the service, for operators. */
import { type Answer, answerJson, answerNothing } from '../http/answer.ts'
import { readJsonObject } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { passkeysOfFormerPassword } from '../model/factor.ts'
import { isId, type OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import { handOver } from '../owners/hand-over.ts'
import {
  changedOwner,
  changedPassword,
  checkHashKind,
  newOwner,
  parseLinkPurpose,
} from '../owners/registration.ts'
import { type Parts, traceOf } from '../parts.ts'
import { parseLimit } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { EndpointParts } from '../registries.ts'
import { findOperator, unknown } from './admin.ts'
import { describePage, keyOf, readListQuery } from './paging.ts'

/** Never the password hash. */
const describe = (owner: Owner) => ({
  id: owner.id,
  username: owner.username,
  name: owner.name,
  email: owner.email,
  email_verified: owner.emailVerified,
  claims: owner.claims,
  attributes: owner.attributes,
  updated_at: owner.updatedAt,
  disabled: owner.disabled,
  created_at: owner.createdAt,
  /** Null unless the owner deleted the account and can still undo it. */
  deletion_at: owner.deletionAt,
  /** Null where it is still the first one. */
  password_changed_at: owner.passwordChangedAt === 0 ? null : owner.passwordChangedAt,
})

export const listOwners = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:read', parts)
  const query = readListQuery(exchange)
  const page = await parts.store.listOwners(keyOf(query, 'after'), parseLimit(query))
  return answerJson(describePage(page, describe))
}

const findNamed = async ({ params }: Exchange, { store }: Pick<Parts, 'store'>): Promise<Owner> => {
  const id = params.id ?? ''
  const owner = isId(id) ? await store.findOwner(id as OwnerId, 'disabled') : null
  if (owner === null) throw unknown('owner')
  return owner
}

export const createOwner = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:write', parts)
  const owner = await newOwner(await readJsonObject(exchange.request), parts)
  checkHashKind(owner, new Set(await parts.store.listPasswordKinds()))
  if ((await parts.store.createOwner(owner, traceOf(exchange, parts))) === 'taken') {
    throw new Refusal('conflict', 'username_taken', 'there is an owner with this username')
  }
  return answerJson(describe(owner), 201, {
    Location: `${parts.settings.issuer}/admin/api/owners/${owner.id}`,
  })
}

export const readOwner = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:read', parts)
  return answerJson(describe(await findNamed(exchange, parts)))
}

export const changeOwner = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:write', parts)
  const owner = await findNamed(exchange, parts)
  const change = changedOwner(await readJsonObject(exchange.request))
  const changed =
    Object.keys(change).length === 0
      ? owner
      : await parts.store.changeOwner(owner.id, change, traceOf(exchange, parts))
  if (changed === null) throw unknown('owner')
  return answerJson(describe(changed))
}

/** No session is kept: it is not the owner who asks. */
export const setPassword = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:write', parts)
  const owner = await findNamed(exchange, parts)
  const password = await changedPassword(await readJsonObject(exchange.request), owner, parts)
  const changed = await parts.store.changePassword(
    owner.id,
    password,
    null,
    traceOf(exchange, parts),
  )
  if (changed === null) throw unknown('owner')
  const added = passkeysOfFormerPassword(await parts.store.findFactors(owner.id))
  // A stranger with the former password may have added a passkey, and the new password does not end
  // it.
  const passkeys = added.map(({ name, createdAt }) => ({ name, created_at: createdAt }))
  return answerJson({ ...describe(changed), passkeys_of_former_password: passkeys })
}

/** A link that the operator passes on. It is shown this once. */
export const createLink = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:write', parts)
  const owner = await findNamed(exchange, parts)
  const purpose = parseLinkPurpose(await readJsonObject(exchange.request))
  const key = parts.keyring.current()
  const made = await handOver(purpose, owner, traceOf(exchange, parts), { ...parts, key })
  return answerJson({ purpose, link: made.link, expires_at: made.expiresAt }, 201)
}

/**
 * For an owner without any factor left: the password alone logs in again, and new factors can be
 * set up.
 */
export const resetFactors = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:write', parts)
  const { id } = await findNamed(exchange, parts)
  await parts.store.resetFactors(id, traceOf(exchange, parts))
  return answerNothing()
}

export const deleteOwner = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:write', parts)
  const { id } = await findNamed(exchange, parts)
  if (!(await parts.store.deleteOwner(id, traceOf(exchange, parts)))) throw unknown('owner')
  return answerNothing()
}
