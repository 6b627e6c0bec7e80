/** What owners approved, for operators: to be seen, narrowed, paused and ended. */
import { formatScope, grantableNames } from '../access/permission.ts'
import { parseScope, permissionsNamed } from '../access/scope.ts'
import { type Answer, answerJson, answerNothing } from '../http/answer.ts'
import { readJsonObject } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Authorization } from '../model/authorization.ts'
import { isClientId } from '../model/client-id.ts'
import { type AuthorizationId, type ClientId, isId, isOwnerId, type OwnerId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import { type Parts, traceOf } from '../parts.ts'
import { parseMembers } from '../protocol/members.ts'
import { parseLimit } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { EndpointParts } from '../registries.ts'
import type { ListedAuthorization } from '../store/store.ts'
import { findOperator, unknown } from './admin.ts'
import { authorizationForm } from './authorization-form.ts'
import { listParameters } from './described/parameters.ts'
import { wordOf } from './filters.ts'
import { describePage, keyOf, readListQuery } from './paging.ts'

/** @param lastUsedAt unix seconds; null = never */
const describe = (authorization: Authorization, lastUsedAt: number | null) => ({
  id: authorization.id,
  client_id: authorization.clientId,
  owner_id: authorization.ownerId,
  permissions: authorization.permissions,
  scope: formatScope(authorization.permissions),
  duration: authorization.duration,
  created_at: authorization.createdAt,
  expires_at: authorization.expiresAt,
  last_used_at: lastUsedAt,
  paused: authorization.paused !== null,
  paused_at: authorization.paused?.at ?? null,
  paused_by: authorization.paused?.by ?? null,
})

const describeListed = (authorization: ListedAuthorization) => ({
  ...describe(authorization, authorization.lastUsedAt),
  client_name: authorization.clientName,
  username: authorization.username,
})

export const listAuthorizations = async (
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> => {
  await findOperator(exchange, 'authorizations:read', parts)
  const query = readListQuery(exchange, Object.keys(listParameters.authorizations))
  const ownerId = keyOf<OwnerId>(query, 'owner', isOwnerId)
  const clientId = keyOf<ClientId>(query, 'client', isClientId)
  const state = wordOf(query, 'state', ['live', 'paused', 'ended'])
  const order = wordOf(query, 'order', ['oldest', 'newest'])
  const page = await parts.store.listAuthorizations(
    {
      ...(ownerId === null ? {} : { ownerId }),
      ...(clientId === null ? {} : { clientId }),
      ...(state === 'paused' ? { paused: true } : {}),
      ...(state === 'ended' ? { ended: true } : {}),
    },
    keyOf(query, 'after'),
    parseLimit(query),
    exchange.at,
    order === 'oldest' ? 'oldest first' : 'newest first',
  )
  return answerJson(describePage(page, describeListed))
}

const idOf = ({ params }: Exchange): AuthorizationId => {
  const id = params.id ?? ''
  if (!isId(id)) throw unknown('authorization')
  return id as AuthorizationId
}

/** A narrowing, by the permissions or the scope to be kept, or else a pause or its end. */
const changeOf = (given: Readonly<Record<string, unknown>>) => {
  const asked = parseMembers(authorizationForm(), given, () => 'invalid_request')
  if (Object.values(asked).filter((value) => value !== undefined).length !== 1) {
    throw new Refusal(
      'invalid_request',
      'bad_narrowing',
      'the body has to hold either what is to be kept, as permissions or as scope, or paused',
    )
  }
  return asked
}

/** What is to be kept, as a list of permissions or written as a scope. */
const keptOf = (
  { permissions, scope }: ReturnType<typeof changeOf>,
  { resources }: Pick<Parts, 'resources'>,
): Permissions => {
  const known = grantableNames(resources)
  const names = permissions ?? parseScope(scope ?? '')
  if (names.length === 0 || names.some((name) => permissionsNamed([name], known).length === 0)) {
    throw new Refusal(
      'invalid_request',
      'unknown_permission',
      `${permissions === undefined ? 'scope' : 'permissions'} has to name at least one permission, and only known ones; DELETE ends the authorization`,
    )
  }
  return permissionsNamed(names, known)
}

const find = async (id: AuthorizationId, { at }: Exchange, { store }: Pick<Parts, 'store'>) =>
  (await store.listAuthorizations({ id }, null, 1, at)).rows[0]

export const readAuthorization = async (
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> => {
  await findOperator(exchange, 'authorizations:read', parts)
  const found = await find(idOf(exchange), exchange, parts)
  if (found === undefined) throw unknown('authorization')
  return answerJson(describeListed(found))
}

/** Pauses or resumes an application: every access that this owner gave to the client. */
const setPaused = async (
  paused: boolean,
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> => {
  const { store } = parts
  const id = idOf(exchange)
  const found = await find(id, exchange, parts)
  if (found === undefined) throw unknown('authorization')
  const of = { ownerId: found.ownerId, clientId: found.clientId }
  const trace = traceOf(exchange, parts)
  if (paused) await store.pauseAuthorizations(of, trace)
  else await store.resumeAuthorizations({ ...of, session: null }, trace)
  const now = await find(id, exchange, parts)
  if (now === undefined) throw unknown('authorization')
  return answerJson(describe(now, now.lastUsedAt))
}

export const changeAuthorization = async (
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> => {
  await findOperator(exchange, 'authorizations:write', parts)
  const id = idOf(exchange)
  const asked = changeOf(await readJsonObject(exchange.request))
  if (asked.paused !== undefined) return setPaused(asked.paused, exchange, parts)
  const keep = keptOf(asked, parts)
  const trace = traceOf(exchange, parts)
  const found = await find(id, exchange, parts)
  const narrowed = await parts.store.narrowAuthorization(id, null, keep, trace)
  if (narrowed === null) throw unknown('authorization')
  return answerJson(describe(narrowed, found?.lastUsedAt ?? null))
}

export const endAuthorization = async (
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> => {
  await findOperator(exchange, 'authorizations:write', parts)
  const trace = traceOf(exchange, parts)
  if (!(await parts.store.endAuthorization(idOf(exchange), null, trace))) {
    throw unknown('authorization')
  }
  return answerNothing()
}
