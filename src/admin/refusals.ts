/** Refused requests, explained for operators. */
import {
  explainToOperator,
  findKept,
  keptSince,
  unknownReference,
} from '../events/explain-refusal.ts'
import { type Answer, answerJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { isClientId } from '../model/client-id.ts'
import type { ClientId } from '../model/ids.ts'
import { type Parameters, parseLimit } from '../protocol/parameters.ts'
import { Refusal, statusOf } from '../protocol/refusal.ts'
import type { EndpointParts } from '../registries.ts'
import { findOperator } from './admin.ts'
import { listParameters } from './described/parameters.ts'
import { timeOf } from './filters.ts'
import { describePage, keyOf, readListQuery } from './paging.ts'

export const readRefusal = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'events:read', parts)
  const { reference = '' } = exchange.params
  const kept = await findKept(reference, exchange.at, parts)
  if (kept === null) {
    throw new Refusal('not_found', 'unknown_reference', unknownReference(reference))
  }
  return answerJson(explainToOperator(kept))
}

/** @throws Refusal `invalid_request` */
const textOf = (
  query: Parameters,
  name: 'reason' | 'network' | 'error' | 'route' | 'status',
  form: RegExp,
): string | null => {
  const text = query.find(name)
  if (text === null || form.test(text)) return text
  throw new Refusal('invalid_request', `bad_${name}`, `${name} has to be one of an earlier answer`)
}

export const listRefusals = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'events:read', parts)
  const query = readListQuery(exchange, Object.keys(listParameters.refusals))
  const clientId = keyOf<ClientId>(query, 'client', isClientId)
  const reason = textOf(query, 'reason', /^[a-z][a-z0-9_]{0,99}$/)
  const network = textOf(query, 'network', /^[0-9a-f.:*]{1,45}$/)
  const code = textOf(query, 'error', /^[a-z_]{1,60}$/)
  if (code !== null && !(code in statusOf)) {
    throw new Refusal('invalid_request', 'bad_error', 'error has to be an error code')
  }
  const route = textOf(query, 'route', /^\/[\w/:.-]{0,199}$/)
  const status = textOf(query, 'status', /^[345]\d\d$/)
  const [since, until] = [timeOf(query, 'since'), timeOf(query, 'until')]
  const limit = parseLimit(query)
  const after = keyOf(query, 'after')
  await parts.refusals.flush().catch(() => {})
  const page = await parts.store.listRefusals(
    {
      ...(clientId === null ? {} : { clientId }),
      ...(reason === null ? {} : { reason }),
      ...(network === null ? {} : { network }),
      ...(code === null ? {} : { code }),
      ...(route === null ? {} : { route }),
      ...(status === null ? {} : { status: Number(status) }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    },
    after,
    limit,
    keptSince(exchange.at),
  )
  return answerJson(describePage(page, explainToOperator))
}
