/** Events, written in the transaction of what they tell of. */
import { type Actor, operatorKey } from '../../../model/actor.ts'
import type { Event, EventType } from '../../../model/event.ts'
import type { AuthorizationId, ClientId, OwnerId } from '../../../model/ids.ts'
import { defineColumns } from '../../sql/columns.ts'
import { json, text } from '../../sql/row.ts'
import { type Step, sendOnly } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { noteEvent } from '../revocation/record.ts'

type EventDetails = Event['details']

const actorText = (actor: Actor | null): string => (actor === null ? '' : JSON.stringify(actor))

const columns = defineColumns<Event>('events', {
  id: 'text',
  at: 'integer',
  type: 'text',
  clientId: 'text?',
  ownerId: 'text?',
  authorizationId: 'text?',
  requestId: 'text?',
  details: 'json',
  // Empty for an event of a version without actors.
  actor: {
    decode: (value) => (text(value) === '' ? null : (json(value) as Actor)),
    encode: actorText,
  },
})

export const decodeEvent = columns.decode

export const eventColumns: readonly string[] = [...columns.names, 'operator', 'place']

const insert = `insert into events (${eventColumns.join(', ')})`

const insertGiven = `${insert} values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, next_place())`

const insertOfAuthorization = (ownerId: string): string => `${insert}
  select ?, cast(? as bigint), ?, client_id, ${ownerId}, id, ?, ?, ?, ?, next_place() from authorizations
  where id = ?`

/** Who is shown the event of an authorization; the operator is shown all of them. */
const insertShownTo = {
  owner: insertOfAuthorization('owner_id'),
  operator: insertOfAuthorization('cast(null as text)'),
} as const

export function* appendEvent(event: Event): Step<void> {
  const params = [...columns.encode(event), operatorKey(event.actor)]
  yield { sql: insertGiven, params, whole: true, sendOnly: true }
}

/** Whom an event of a step is about. */
export interface About {
  readonly clientId?: ClientId
  readonly ownerId?: OwnerId
  readonly authorizationId?: AuthorizationId
}

/** The event of a step. */
export function* tell(
  type: EventType,
  about: About,
  details: EventDetails,
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
  details: EventDetails,
  trace: Trace,
  to: keyof typeof insertShownTo = 'owner',
): Step<void> {
  yield sendOnly(
    insertShownTo[to],
    trace.eventId,
    trace.at,
    type,
    trace.requestId,
    JSON.stringify(details),
    actorText(trace.actor),
    operatorKey(trace.actor),
    id,
  )
  yield* noteEvent(type, { authorizationId: id, details }, trace)
}
