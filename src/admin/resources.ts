/** The resources of the service, for operators. */
import { changeResource as change, createResource as create } from '../access/change-resource.ts'
import { findResource } from '../access/resources.ts'
import { describeResource } from '../config/resources.ts'
import { type Answer, answerJson, answerNothing } from '../http/answer.ts'
import { readJsonObject } from '../http/body.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import { traceOf } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { EndpointParts } from '../registries.ts'
import { findOperator, unknown } from './admin.ts'
import { describePage } from './paging.ts'

const nameOf = ({ params }: Exchange): string => params.name ?? ''

/** All of them are on one page: there are not many. */
export const listResources = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'resources:read', parts)
  if ([...queryOf(exchange.request).names()].length > 0) {
    throw new Refusal('invalid_request', 'unknown_parameter', 'this list takes no parameters')
  }
  const { resources } = parts
  await resources.learn()
  return answerJson(describePage({ rows: resources.list(), next: null }, describeResource))
}

export const createResource = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'resources:write', parts)
  const given = await readJsonObject(exchange.request)
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
