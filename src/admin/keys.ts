/** The keys of the service, for operators: never anything secret of them. */
import { type Answer, answerJson } from '../http/answer.ts'
import { readOptionalJson } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { traceOf } from '../parts.ts'
import { parseMembers } from '../protocol/members.ts'
import { parseLimit } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { EndpointParts } from '../registries.ts'
import { describeKey, describeRotated, withdrawSigningKey } from '../tokens/operate-keys.ts'
import { rotateStoredKeys, usesNamed } from '../tokens/rotate-keys.ts'
import { findOperator, unknown } from './admin.ts'
import { listParameters } from './described/parameters.ts'
import { wordOf } from './filters.ts'
import { rotationForm } from './key-form.ts'
import { describePage, readListQuery, refusedCursor } from './paging.ts'

/** There are a few of each kind: no step of the store pages them. */
export const listKeys = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'keys:read', parts)
  const query = readListQuery(exchange, Object.keys(listParameters.keys))
  const use = wordOf(query, 'use', ['both', 'sealing', 'signing'])
  const [after, limit] = [query.find('after'), parseLimit(query)]
  const stored = await parts.store.listKeys()
  const found = stored.filter((key) => usesNamed(use).includes(key.use))
  const from = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1
  if (after !== null && from === 0) throw refusedCursor()
  const rows = found.slice(from, from + limit)
  const next = found.length > from + limit ? (rows.at(-1)?.id ?? null) : null
  return answerJson(describePage({ rows, next }, (key) => describeKey(key, stored, exchange.at)))
}

/** A token of the caller ends as well, where all of them do. The answer is sent before. */
export const rotateKeys = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'keys:write', parts)
  const given = await readOptionalJson(exchange.request)
  const asked = parseMembers(rotationForm(), given, () => 'invalid_request')
  const { use = 'both', now = false, end_tokens: isEnd = false } = asked
  const rotation = { uses: usesNamed(use), isNow: now, isEnd, makesFirst: use !== 'both' }
  const trace = () => traceOf(exchange, parts)
  const added = await rotateStoredKeys(rotation, exchange.at, trace, parts)
  return answerJson(describeRotated(added, isEnd), 201)
}

export const withdrawKey = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'keys:write', parts)
  const { id = '' } = exchange.params
  const trace = () => traceOf(exchange, parts)
  const stored = await parts.store.listKeys()
  const withdrawal = await withdrawSigningKey(id, stored, exchange.at, trace, parts)
  if (withdrawal.is === 'unknown') throw unknown('key')
  if (withdrawal.is === 'withdrawn') {
    return answerJson({ withdrawn: id, successor: withdrawal.successor })
  }
  throw new Refusal(
    'conflict',
    'sealing_key',
    'only signing keys can be withdrawn: rotate with use=sealing and end_tokens=true instead',
  )
}
