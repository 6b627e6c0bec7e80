/** Events, written in the transaction of what they tell of. */

import { getOperatorKey } from '../../../model/actor.ts'
import type { Event, EventType } from '../../../model/event.ts'
import type { AuthorizationId } from '../../../model/ids.ts'
import type { Trace } from '../../contract/trace.ts'
import { defineTable } from '../../sql/columns.ts'
import { operatorType } from '../../sql/filter.ts'
import type { Steps } from '../../sql/record.ts'
import type { Step } from '../../sql/statement.ts'
import { type About, noteEvent } from '../revocation.ts'

export const eventTable = defineTable<Event>(
  'events',
  {
    id: 'text',
    at: 'integer',
    type: 'text',
    clientId: 'text?',
    ownerId: 'text?',
    authorizationId: 'text?',
    requestId: 'text?',
    details: 'json',
    // Empty for an event of a version without actors.
    actor: "blank default ''",
    operator: { sql: "text not null default ''", from: ({ actor }) => getOperatorKey(actor) },
    // Events of earlier versions and of other databases have the place 0, and are never new.
    place: 'beside integer default 0',
  },
  {
    key: 'id',
    restored: 'all',
    isTrace: true,
    local: { place: '0' },
    indexes: [
      'events_by_owner (owner_id, id)',
      'events_by_client (client_id, id)',
      'events_by_type (type, id)',
      'events_by_place (place) where place > 0',
      // An operator acts rarely, so these indexes stay small.
      "events_of_operators (operator, id) where operator > ''",
      `events_by_operator_type ((${operatorType}), id) where operator > ''`,
      // For owners, who see a client's changes of itself.
      "own_changes (client_id, id) where type = 'client.changed_itself'",
      "deleted_owners (owner_id, id) where type = 'owner.deleted'",
    ],
  },
)

export const decodeEvent = eventTable.decode

const insert = `insert into events (${eventTable.columns.join(', ')})`

/** One event, in the order of the columns. */
export const insertGiven = `${insert} values (${eventTable.names.map(() => '?').join(', ')}, next_place())`

const insertOfAuthorization = (ownerId: string): string => `${insert}
  select ?, cast(? as bigint), ?, client_id, ${ownerId}, id, ?, ?, ?, ?, next_place() from authorizations
  where id = ?`

/** Who is shown the event of an authorization; the operator is shown all of them. */
const insertShownTo = {
  owner: insertOfAuthorization('owner_id'),
  operator: insertOfAuthorization('cast(null as text)'),
} as const

export const appendEvent: Steps['appendEvent'] = function* (event) {
  const params = eventTable.encode(event)
  yield { sql: insertGiven, params, whole: true, sendOnly: true }
}

export function* tell(
  type: EventType,
  about: About,
  details: Event['details'],
  trace: Trace,
): Step<void> {
  yield* appendEvent({
    id: trace.eventId,
    at: trace.at,
    type,
    clientId: about.clientId ?? null,
    ownerId: about.ownerId ?? null,
    authorizationId: about.authorizationId ?? null,
    requestId: trace.requestId,
    details,
    actor: trace.actor,
  })
  yield* noteEvent(type, { ...about, details }, trace)
}

/** The event of a step that knows only the authorization; client and owner are looked up. */
export function* tellOfAuthorization(
  type: EventType,
  id: AuthorizationId,
  details: Event['details'],
  trace: Trace,
  to: keyof typeof insertShownTo = 'owner',
): Step<void> {
  const { eventId, at, requestId, actor } = trace
  const told = [JSON.stringify(details), JSON.stringify(actor), getOperatorKey(actor)] as const
  const params = [eventId, at, type, requestId, ...told, id]
  yield { sql: insertShownTo[to], params, sendOnly: true }
  yield* noteEvent(type, { authorizationId: id, details }, trace)
}
