/** What owners approved, for operators: to be seen, narrowed and ended. */
import { formatScope, grantableNames } from '../access/permission.ts'
import { parseScope, permissionsNamed } from '../access/scope.ts'
import { limits } from '../config/limits.ts'
import { type Answer, answerJson, answerNothing } from '../http/answer.ts'
import { readJsonObject } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Authorization } from '../model/authorization.ts'
import { isClientId } from '../model/client-id.ts'
import { type AuthorizationId, type ClientId, isId, type OwnerId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import { type Parts, traceOf } from '../parts.ts'
import { parseMembers } from '../protocol/members.ts'
import { parseLimit } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { schemaOf } from '../protocol/schema.ts'
import type { EndpointParts } from '../registries.ts'
import type { ListedAuthorization } from '../store/store.ts'
import { findOperator, unknown } from './admin.ts'
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
  const query = readListQuery(exchange, ['owner', 'client'])
  const ownerId = keyOf<OwnerId>(query, 'owner')
  const clientId = keyOf<ClientId>(query, 'client', isClientId)
  const page = await parts.store.listAuthorizations(
    { ...(ownerId === null ? {} : { ownerId }), ...(clientId === null ? {} : { clientId }) },
    keyOf(query, 'after'),
    parseLimit(query),
    exchange.at,
  )
  return answerJson(describePage(page, describeListed))
}

const idOf = ({ params }: Exchange): AuthorizationId => {
  const id = params.id ?? ''
  if (!isId(id)) throw unknown('authorization')
  return id as AuthorizationId
}

const narrowing = schemaOf((z) =>
  z.strictObject({
    permissions: z
      .array(z.string().max(limits.scopeCharacters))
      .max(limits.parameters)
      .optional()
      .describe('a list of permissions such as photos:read'),
    scope: z.string().optional().describe('permissions separated by spaces'),
  }),
)

/** What is to be kept, as a list of permissions or written as a scope. */
const keptOf = (
  given: Readonly<Record<string, unknown>>,
  { resources }: Pick<Parts, 'resources'>,
): Permissions => {
  const { permissions, scope } = parseMembers(narrowing(), given, () => 'invalid_request')
  if ((permissions === undefined) === (scope === undefined)) {
    throw new Refusal(
      'invalid_request',
      'bad_narrowing',
      'the body has to hold what is to be kept, either as permissions or as scope',
    )
  }
  const known = grantableNames(resources.list())
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

export const narrowAuthorization = async (
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> => {
  await findOperator(exchange, 'authorizations:write', parts)
  const id = idOf(exchange)
  const keep = keptOf(await readJsonObject(exchange.request), parts)
  const trace = traceOf(exchange, parts)
  const found = (await parts.store.listAuthorizations({ id }, null, 1, exchange.at)).rows[0]
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
