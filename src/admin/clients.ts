/** The clients of the service, for operators. */
import { difference, formatScope, intersection } from '../access/permission.ts'
import {
  endClientTokens,
  parseKeepOldSeconds,
  revokeRegistration,
  rotateClientSecret,
} from '../clients/credentials.ts'
import { describeForOperator, describeSecret } from '../clients/describe.ts'
import { findClient } from '../clients/find.ts'
import { changeByOperator, createByOperator } from '../clients/operate.ts'
import { type Answer, answerJson, answerNothing } from '../http/answer.ts'
import { readJsonObject, readOptionalJson } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Client } from '../model/client.ts'
import { isClientId } from '../model/client-id.ts'
import { adminPermissions, type Permissions } from '../model/resource.ts'
import { type Parts, traceOf } from '../parts.ts'
import { parseLimit } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { EndpointParts } from '../registries.ts'
import { findOperator, type Operator, rightsChanged, unknown } from './admin.ts'
import { listParameters } from './described/parameters.ts'
import { wordOf } from './filters.ts'
import {
  describeFound,
  describePage,
  keyOf,
  readListQuery,
  searchCursorOf,
  searchIn,
} from './paging.ts'

export const listClients = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'clients:read', parts)
  const query = readListQuery(exchange, Object.keys(listParameters.clients))
  const limit = parseLimit(query)
  const prefix = searchIn(query)
  const by = wordOf(query, 'by', ['name', 'client_id'])
  if (prefix !== null) {
    const found = await parts.store.listClientsBy({ by, prefix }, searchCursorOf(query), limit)
    return answerJson(describeFound(found, describeForOperator))
  }
  const page = await parts.store.listClients(keyOf(query, 'after', isClientId), limit)
  return answerJson(describePage(page, describeForOperator))
}

const findNamed = async ({ params }: Exchange, parts: Pick<Parts, 'store'>): Promise<Client> => {
  const client = await findClient(params.client_id ?? '', parts, 'disabled')
  if (client === null) throw unknown('client')
  return client
}

/**
 * Nobody makes, changes or takes over a client that may administer more than they may: otherwise
 * `clients:write` alone would be as good as everything.
 */
const refuseElevation = (access: Operator, scope: Permissions): void => {
  const lacking = difference(intersection(scope, adminPermissions), access.permissions)
  if (lacking.length === 0) return
  throw new Refusal(
    'insufficient_scope',
    'elevation',
    'this client may administer what the access token may not',
    { scope: formatScope(lacking) },
  )
}

export const createClient = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const access = await findOperator(exchange, 'clients:write', parts)
  const metadata = await readJsonObject(exchange.request)
  const check = (scope: Permissions) => refuseElevation(access, scope)
  const { client, secret } = await createByOperator(metadata, check, exchange, parts)
  return answerJson({ ...describeForOperator(client), ...describeSecret(secret) }, 201, {
    Location: `${parts.settings.issuer}/admin/api/clients/${encodeURIComponent(client.id)}`,
  })
}

export const readClient = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'clients:read', parts)
  return answerJson(describeForOperator(await findNamed(exchange, parts)))
}

export const changeClient = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const access = await findOperator(exchange, 'clients:write', parts)
  const client = await findNamed(exchange, parts)
  const metadata = await readJsonObject(exchange.request)
  const check = (scope: Permissions) => refuseElevation(access, scope)
  const changed = await changeByOperator(client, metadata, check, exchange, parts)
  if (changed === null) throw await refusedFor(client, parts)
  return answerJson({ ...describeForOperator(changed.client), ...describeSecret(changed.secret) })
}

/** After a step that did nothing: the client is gone, or the checked scope does not hold any more. */
const refusedFor = async ({ id }: Client, parts: Pick<Parts, 'store'>): Promise<Refusal> =>
  (await findClient(id, parts, 'disabled')) === null ? unknown('client') : rightsChanged('scope')

/** The named client, of an operator who may administer all that it may. */
const findChangeable = async (exchange: Exchange, parts: EndpointParts): Promise<Client> => {
  const access = await findOperator(exchange, 'clients:write', parts)
  const client = await findNamed(exchange, parts)
  refuseElevation(access, client.scope)
  return client
}

export const deleteClient = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const client = await findChangeable(exchange, parts)
  const deleted = await parts.store.deleteClient(client.id, traceOf(exchange, parts), client.scope)
  if (!deleted) throw await refusedFor(client, parts)
  return answerNothing()
}

/** `POST .../rotate-secret`: tokens that the client got for itself with the old secret end with it. */
export const rotateSecret = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const client = await findChangeable(exchange, parts)
  const keepSeconds = parseKeepOldSeconds(await readOptionalJson(exchange.request))
  const trace = traceOf(exchange, parts)
  const rotated = await rotateClientSecret(client, keepSeconds, trace, parts)
  if (rotated === null) throw await refusedFor(client, parts)
  return answerJson({ ...describeForOperator(rotated.client), ...describeSecret(rotated.secret) })
}

/** `POST .../revoke-registration`: from then on only operators change the client. */
export const endRegistration = async (
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> => {
  const client = await findChangeable(exchange, parts)
  const changed = await revokeRegistration(client, traceOf(exchange, parts), parts)
  if (changed === null) throw await refusedFor(client, parts)
  return answerJson(describeForOperator(changed))
}

/** `POST .../end-tokens`: what owners approved stays, so they are not asked again. */
export const endTokens = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const client = await findChangeable(exchange, parts)
  const changed = await endClientTokens(client, traceOf(exchange, parts), parts)
  if (changed === null) throw await refusedFor(client, parts)
  return answerJson(describeForOperator(changed))
}
