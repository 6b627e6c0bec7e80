/** What happened, for operators: newest first. */
import { type Answer, answerJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Actor } from '../model/actor.ts'
import { isClientId } from '../model/client-id.ts'
import type { Event } from '../model/event.ts'
import type { ClientId, OwnerId } from '../model/ids.ts'
import { parseLimit } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { EndpointParts } from '../registries.ts'
import { findOperator } from './admin.ts'
import { describePage, keyOf, readListQuery } from './paging.ts'

const describeActor = (actor: Actor) => {
  switch (actor.type) {
    case 'operator':
      return {
        type: actor.type,
        client_id: actor.clientId,
        token_id: actor.tokenId,
        network: actor.network,
      }
    case 'client':
      return { type: actor.type, client_id: actor.clientId, network: actor.network }
    case 'owner':
      return { type: actor.type, owner_id: actor.ownerId, network: actor.network }
    case 'anyone':
    case 'cli':
    case 'service':
      return actor
  }
}

const describe = (event: Event) => ({
  id: event.id,
  at: event.at,
  type: event.type,
  client_id: event.clientId,
  owner_id: event.ownerId,
  authorization_id: event.authorizationId,
  request_id: event.requestId,
  actor: event.actor === null ? null : describeActor(event.actor),
  details: event.details,
})

export const listEvents = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'events:read', parts)
  const query = readListQuery(exchange, ['before', 'owner', 'client'])
  const ownerId = keyOf<OwnerId>(query, 'owner')
  const clientId = keyOf<ClientId>(query, 'client', isClientId)
  // The list is newest first, so `after` in the list is `before` in time. Both names work.
  const [after, before] = [keyOf(query, 'after'), keyOf(query, 'before')]
  if (after !== null && before !== null) {
    throw new Refusal('invalid_request', 'two_cursors', 'use one of after and before')
  }
  const page = await parts.store.listEvents(
    { ...(ownerId === null ? {} : { ownerId }), ...(clientId === null ? {} : { clientId }) },
    after ?? before,
    parseLimit(query),
  )
  return answerJson(describePage(page, describe))
}
