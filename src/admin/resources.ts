/** The resources of the service, for operators. */
import { changeResource as change, createResource as create } from '../access/change-resource.ts'
import { findResource } from '../access/resources.ts'
import { describeResource } from '../config/resources.ts'
import { type Answer, answerJson, answerNothing } from '../http/answer.ts'
import { readJsonObject } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { traceOf } from '../parts.ts'
import { parseLimit } from '../protocol/parameters.ts'
import type { EndpointParts } from '../registries.ts'
import { findOperator, unknown } from './admin.ts'
import { listParameters } from './described/parameters.ts'
import { checkIntrospection } from './elevation.ts'
import { describePage, readListQuery, refusedCursor, searchIn } from './paging.ts'

const nameOf = ({ params }: Exchange): string => params.name ?? ''

/** There are not many, and a cache has all of them: no step of the store pages them. */
export const listResources = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'resources:read', parts)
  const query = readListQuery(exchange, Object.keys(listParameters.resources))
  const [after, limit] = [query.find('after'), parseLimit(query)]
  const prefix = searchIn(query) ?? ''
  const { resources } = parts
  await resources.learn()
  const all = resources.list()
  const from = after === null ? 0 : all.findIndex(({ name }) => name === after) + 1
  if (after !== null && from === 0) throw refusedCursor()
  const found = all.slice(from).filter(({ name }) => name.startsWith(prefix))
  const rows = found.slice(0, limit)
  const next = found.length > limit ? (rows.at(-1)?.name ?? null) : null
  return answerJson(describePage({ rows, next }, describeResource))
}

export const createResource = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'resources:write', parts)
  const given = await readJsonObject(exchange.request)
  await checkIntrospection(exchange, given.introspection_clients, [], parts)
  const resource = await create(given, traceOf(exchange, parts), parts)
  return answerJson(describeResource(resource), 201, {
    Location: `${parts.settings.issuer}/admin/api/resources/${resource.name}`,
  })
}

export const readResource = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'resources:read', parts)
  const resource = await findResource(nameOf(exchange), parts)
  if (resource === null) throw unknown('resource')
  return answerJson(describeResource(resource))
}

export const changeResource = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'resources:write', parts)
  const given = await readJsonObject(exchange.request)
  const { introspectionClients = [] } = (await findResource(nameOf(exchange), parts)) ?? {}
  await checkIntrospection(exchange, given.introspection_clients, introspectionClients, parts)
  const changed = await change(nameOf(exchange), given, traceOf(exchange, parts), parts)
  if (changed === null) throw unknown('resource')
  return answerJson(describeResource(changed))
}

/** Its permissions end with it: tokens lose them on the next request. */
export const deleteResource = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'resources:write', parts)
  const deleted = await parts.resources.remove(nameOf(exchange), traceOf(exchange, parts))
  if (!deleted) throw unknown('resource')
  return answerNothing()
}
