/** Events, written in the transaction of what they tell of. */
import { type Actor, operatorKey } from '../../../model/actor.ts'
import type { Event, EventType } from '../../../model/event.ts'
import type { AuthorizationId, ClientId, EventId, OwnerId } from '../../../model/ids.ts'
import { integer, json, text, textOrNull } from '../../sql/row.ts'
import { type Row, type Step, sendOnly, statement, type Value } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { noteEvent } from '../revocation/record.ts'

type EventDetails = Event['details']

const insert = `insert into events
  (id, at, type, client_id, owner_id, authorization_id, request_id, details, actor, operator, place)`

const insertGiven = `${insert} values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, next_place())`

const insertOfAuthorization = (ownerId: string): string => `${insert}
  select ?, cast(? as bigint), ?, client_id, ${ownerId}, id, ?, ?, ?, ?, next_place() from authorizations
  where id = ?`

/** Who is shown the event of an authorization; the operator is shown all of them. */
const insertShownTo = {
  owner: insertOfAuthorization('owner_id'),
  operator: insertOfAuthorization('cast(null as text)'),
} as const

/** Empty for an event of a version without actors. */
const decodeActor = (value: Value | undefined): Actor | null =>
  text(value) === '' ? null : (json(value) as Actor)

const actorText = (actor: Actor | null): string => (actor === null ? '' : JSON.stringify(actor))

export const decodeEvent = (row: Row): Event => ({
  id: text(row.id) as EventId,
  at: integer(row.at),
  type: text(row.type) as EventType,
  clientId: textOrNull(row.client_id) as ClientId | null,
  ownerId: textOrNull(row.owner_id) as OwnerId | null,
  authorizationId: textOrNull(row.authorization_id) as AuthorizationId | null,
  requestId: textOrNull(row.request_id),
  details: json(row.details) as EventDetails,
  actor: decodeActor(row.actor),
})

export function* appendEvent(event: Event): Step<void> {
  const { sql, params } = statement(
    insertGiven,
    event.id,
    event.at,
    event.type,
    event.clientId,
    event.ownerId,
    event.authorizationId,
    event.requestId,
    JSON.stringify(event.details),
    actorText(event.actor),
    operatorKey(event.actor),
  )
  yield { sql, params, whole: true, sendOnly: true }
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
