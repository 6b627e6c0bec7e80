/** What happened, for operators. */
import { describeEvent } from '../events/describe.ts'
import { type Answer, answerJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { isClientId } from '../model/client-id.ts'
import { isEventPosition } from '../model/event.ts'
import { type ClientId, isId, isOwnerId, type OwnerId } from '../model/ids.ts'
import { parseLimit } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { EndpointParts } from '../registries.ts'
import { findOperator } from './admin.ts'
import { listParameters } from './described/parameters.ts'
import { actorFilterOf, eventOrderOf, eventTypeOf, timeOf } from './filters.ts'
import { describePage, keyOf, readListQuery } from './paging.ts'

const unknownPosition = (): Refusal =>
  new Refusal(
    'invalid_request',
    'unknown_position',
    'after is a position that this database has not reached: begin again without it',
  )

const noBefore = (): Refusal =>
  new Refusal('invalid_request', 'bad_before', 'before does not go with order=committed')

export const listEvents = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'events:read', parts)
  const query = readListQuery(exchange, Object.keys(listParameters.events))
  const ownerId = keyOf<OwnerId>(query, 'owner', isOwnerId)
  const clientId = keyOf<ClientId>(query, 'client', isClientId)
  // Newest first, `after` in the list is `before` in time. Both names work.
  const order = eventOrderOf(query)
  const isCursor = order === 'as committed' ? isEventPosition : isId
  const [after, before] = [keyOf(query, 'after', isCursor), keyOf(query, 'before')]
  if (order === 'as committed' && before !== null) throw noBefore()
  if (after !== null && before !== null) {
    throw new Refusal('invalid_request', 'two_cursors', 'use one of after and before')
  }
  const [type, actor] = [eventTypeOf(query), actorFilterOf(query)]
  const [since, until] = [timeOf(query, 'since'), timeOf(query, 'until')]
  const of = {
    ...(ownerId === null ? {} : { ownerId }),
    ...(clientId === null ? {} : { clientId }),
    ...(type === undefined ? {} : { type }),
    ...(actor === undefined ? {} : { actor }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  }
  const limit = parseLimit(query)
  const page =
    order === 'as committed'
      ? await parts.store.listCommittedEvents(of, after, limit)
      : await parts.store.listEvents(of, after ?? before, limit, order)
  if (page === 'unknown_position') throw unknownPosition()
  return answerJson(describePage(page, describeEvent))
}
