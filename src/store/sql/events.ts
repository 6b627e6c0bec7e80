/** Events, written in the transaction of what they tell of and read newest first. */
import type { Actor } from '../../model/actor.ts'
import type { Event, EventType } from '../../model/event.ts'
import type { AuthorizationId, ClientId, EventId, OwnerId } from '../../model/ids.ts'
import type { Page, Store, Trace } from '../store.ts'
import { pageOf } from './page.ts'
import { noteEvent } from './revocations.ts'
import { integer, json, text, textOrNull } from './row.ts'
import {
  type Read,
  type Row,
  type Step,
  statement,
  type Value,
  wholeStatement,
} from './statement.ts'

type EventDetails = Event['details']

const insert = `insert into events
  (id, at, type, client_id, owner_id, authorization_id, request_id, details, actor)`

const insertGiven = `${insert} values (?, ?, ?, ?, ?, ?, ?, ?, ?)`

const insertOfAuthorization = (ownerId: string): string => `${insert}
  select ?, cast(? as bigint), ?, client_id, ${ownerId}, id, ?, ?, ? from authorizations
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

const decode = (row: Row): Event => ({
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
  yield wholeStatement(
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
  )
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
  yield statement(
    insertShownTo[to],
    trace.eventId,
    trace.at,
    type,
    trace.requestId,
    JSON.stringify(details),
    actorText(trace.actor),
    id,
  )
  yield* noteEvent(type, { authorizationId: id, details }, trace)
}

/**
 * One event tells all owners of a client, so that no stranger can cause a row for each. It is found by
 * the clients that an owner has approved.
 */
const ownChangesSql = `select e.* from events e
  where e.type = 'client.changed_itself'
    and e.client_id in (select a.client_id from authorizations a where a.owner_id = ?)
    and e.at >= (select min(a.created_at) from authorizations a
      where a.owner_id = ? and a.client_id = e.client_id)
    and (cast(? as text) is null or e.id < ?)
  order by e.id desc limit ?`

export const listEvents = async (
  read: Read,
  ...[of, before, limit]: Parameters<Store['listEvents']>
): Promise<Page<Event>> => {
  const conditions = { 'owner_id = ?': of.ownerId, 'client_id = ?': of.clientId, 'id < ?': before }
  const asked = Object.entries(conditions).filter(([, value]) => value != null)
  const where = asked.length === 0 ? '' : `where ${asked.map(([sql]) => sql).join(' and ')}`
  const own = await read(`select * from events ${where} order by id desc limit ?`, [
    ...asked.map(([, value]) => value ?? null),
    limit + 1,
  ])
  const { ownerId, ownChanges } = of
  const others =
    ownerId === undefined || ownChanges === undefined
      ? []
      : await read(ownChangesSql, [ownerId, ownerId, before, before, limit + 1])
  const rows = [...own, ...others].sort((a, b) => (text(a.id) < text(b.id) ? 1 : -1))
  return pageOf(rows, limit, decode, (event) => event.id)
}
