/** The resource owners of the service, for operators. */
import { type Answer, answerJson, answerNothing } from '../http/answer.ts'
import { readJsonObject } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { isOwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import { isRaised, isRole } from '../model/role.ts'
import { handOver, sendOver } from '../owners/hand-over.ts'
import { addHashKind } from '../owners/hash-kinds.ts'
import {
  addressTaken,
  changedOwner,
  changedPassword,
  giveRoles,
  keptWays,
  newOwner,
  ownerTaken,
  parseWantedLink,
} from '../owners/registration.ts'
import { waysOfFormerPassword } from '../owners/ways-in.ts'
import { traceOf } from '../parts.ts'
import { type Parameters, parseLimit } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { EndpointParts } from '../registries.ts'
import { findOperator, unknown } from './admin.ts'
import { listParameters } from './described/parameters.ts'
import { checkRoles } from './elevation.ts'
import { wordOf } from './filters.ts'
import { checkSameRoles, findChangeable, findNamed } from './named-owner.ts'
import {
  describeFound,
  describePage,
  keyOf,
  readListQuery,
  searchCursorOf,
  searchIn,
} from './paging.ts'

/** Never the password hash. */
const describe = (owner: Owner) => ({
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

/** Null: whatever roles they have. `any`: whoever has one. */
const roleIn = (query: Parameters): string | null => {
  const role = query.find('role')
  if (role === null) return null
  if (isRole(role) && query.find('search') === null) return role
  throw new Refusal(
    'invalid_request',
    'bad_role',
    'role has to be a role or any, and stands without search',
  )
}

export const listOwners = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:read', parts)
  const query = readListQuery(exchange, Object.keys(listParameters.owners))
  const limit = parseLimit(query)
  const role = roleIn(query)
  if (role !== null) {
    const named = role === 'any' ? null : role
    const after = keyOf(query, 'after', isOwnerId)
    return answerJson(
      describePage(await parts.store.listOwnersWithRole(named, after, limit), describe),
    )
  }
  const prefix = searchIn(query)
  const by = wordOf(query, 'by', ['username', 'email', 'name'])
  if (prefix !== null) {
    const found = await parts.store.listOwnersBy({ by, prefix }, searchCursorOf(query), limit)
    return answerJson(describeFound(found, describe))
  }
  const page = await parts.store.listOwners(keyOf(query, 'after', isOwnerId), limit)
  return answerJson(describePage(page, describe))
}

export const createOwner = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const access = await findOperator(exchange, 'owners:write', parts)
  const owner = await newOwner(await readJsonObject(exchange.request), parts)
  checkRoles(access, owner)
  await addHashKind(owner, new Set(await parts.store.listPasswordKinds()), parts)
  if ((await parts.store.createOwner(owner, traceOf(exchange, parts))) === 'taken') {
    throw await ownerTaken(owner, parts)
  }
  return answerJson(describe(owner), 201, {
    Location: `${parts.settings.issuer}/admin/api/owners/${encodeURIComponent(owner.id)}`,
  })
}

export const readOwner = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:read', parts)
  return answerJson(describe(await findNamed(exchange, parts)))
}

export const changeOwner = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const access = await findOperator(exchange, 'owners:write', parts)
  const owner = await findNamed(exchange, parts)
  const given = await readJsonObject(exchange.request)
  const change = changedOwner(given)
  const { roles } = change
  checkRoles(access, owner)
  checkRoles(access, { roles: roles ?? [] })
  if (roles !== undefined && isRaised(owner, { roles })) {
    const trace = traceOf(exchange, parts)
    const raised = await giveRoles(owner.id, { ...change, roles }, keptWays(given), trace, parts)
    if (raised === null) throw unknown('owner')
    return answerJson(describe(raised))
  }
  const changed =
    Object.keys(change).length === 0
      ? owner
      : await parts.store.changeOwner(owner.id, change, traceOf(exchange, parts), owner.roles)
  if (changed === 'address_taken') throw addressTaken()
  if (changed === null) {
    await checkSameRoles(owner, parts)
    throw unknown('owner')
  }
  return answerJson(describe(changed))
}

/** No session is kept: it is not the owner who asks. */
export const setPassword = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const owner = await findChangeable(exchange, parts)
  const password = await changedPassword(await readJsonObject(exchange.request), owner, parts)
  const changed = await parts.store.changePassword(
    owner.id,
    password,
    null,
    traceOf(exchange, parts),
    owner.roles,
  )
  if (changed === null) {
    await checkSameRoles(owner, parts)
    throw unknown('owner')
  }
  const { passkeys, links } = await waysOfFormerPassword(owner.id, parts)
  return answerJson({
    ...describe(changed),
    passkeys_of_former_password: passkeys.map(({ name, createdAt }) => ({
      name,
      created_at: createdAt,
    })),
    upstreams_of_former_password: links.map(({ upstream, label, createdAt }) => ({
      upstream,
      label,
      created_at: createdAt,
    })),
  })
}

/** A link that the operator passes on, shown this once. Or a mail brings it. */
export const createLink = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const owner = await findChangeable(exchange, parts)
  const { purpose, send } = parseWantedLink(await readJsonObject(exchange.request))
  const trace = traceOf(exchange, parts)
  if (send) {
    return answerJson({ purpose, sent_to: await sendOver(purpose, owner, trace, parts) }, 202)
  }
  const key = parts.keyring.current()
  const made = await handOver(purpose, owner, trace, { ...parts, key })
  return answerJson({ purpose, link: made.link, expires_at: made.expiresAt }, 201)
}

/**
 * For an owner without any factor left: the password alone logs in again, and new factors can be
 * set up.
 */
export const resetFactors = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const owner = await findChangeable(exchange, parts)
  const reset = await parts.store.resetFactors(owner.id, traceOf(exchange, parts), owner.roles)
  if (!reset) await checkSameRoles(owner, parts)
  return answerNothing()
}

export const deleteOwner = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const owner = await findChangeable(exchange, parts)
  const deleted = await parts.store.deleteOwner(owner.id, traceOf(exchange, parts), owner.roles)
  if (!deleted) {
    await checkSameRoles(owner, parts)
    throw unknown('owner')
  }
  return answerNothing()
}
