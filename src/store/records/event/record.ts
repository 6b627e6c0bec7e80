/** The record of events, and their lists with the filters of operators. */
import { listLimits } from '../../../config/list-limits.ts'
import { firstIdAt } from '../../../model/ids.ts'
import type { EventSteps } from '../../contract/event.ts'
import {
  type Clause,
  examinedBy,
  type Filter,
  limited,
  operatorType,
  orderOf,
  paramsOf,
  rangeOf,
  stretchOf,
  whereOf,
} from '../../sql/filter.ts'
import { pageOf } from '../../sql/page.ts'
import type { Purged, PurgeStep, Reads, StoreRecord } from '../../sql/record.ts'
import { text } from '../../sql/row.ts'
import { type Read, type Row, type Step, sql } from '../../sql/statement.ts'
import type { ActorFilter, EventFilter, EventOrder } from '../../store.ts'
import {
  isDeletedOwner,
  lastDeletion,
  shortenAddresses,
  stripFurther,
} from '../owner/forgetting.ts'
import { appendEvent, decodeEvent, eventTable } from './events.ts'
import {
  boundBetween,
  keepPlace,
  type Position,
  parsePosition,
  pieceBetween,
  readPosition,
  renderPosition,
} from './places.ts'

/** An owner and a client are found by the events about themselves. */
const filterOfActor = ({ type, id }: ActorFilter): Filter => {
  if (type === 'operator' || type === 'cli') {
    if (id === null) return [[operatorType, type]]
    return [['operator', type === 'cli' ? `cli:${id}` : id]]
  }
  if (id === null || (type !== 'owner' && type !== 'client')) return []
  return [[type === 'owner' ? 'owner_id' : 'client_id', id]]
}

/** The filters that have an index. The first one leads: it has the fewest rows. */
const filtersOf = ({ ownerId, clientId, type, actor }: EventFilter): readonly Filter[] =>
  [
    ownerId === undefined ? [] : [['owner_id', ownerId] as const],
    actor === undefined ? [] : filterOfActor(actor),
    clientId === undefined ? [] : [['client_id', clientId] as const],
    type === undefined ? [] : [['type', type] as const],
  ].filter((filter) => filter.length > 0)

/** What the stored JSON of an actor begins with; the column of an operator tells it all. */
const beginningOf = ({ type, id }: ActorFilter): string | null => {
  if (type === 'operator' || type === 'cli') return null
  const named = id !== null && (type === 'owner' || type === 'client')
  return `{"type":"${type}"${named ? `,"${type}Id":${JSON.stringify(id)}` : ''}`
}

const actedBy = (actor: ActorFilter | undefined): readonly Clause[] => {
  const beginning = actor === undefined ? null : beginningOf(actor)
  return beginning === null ? [] : [['substr(actor, 1, ?) = ?', beginning.length, beginning]]
}

const causedBy = (requestId: string | undefined): readonly Clause[] =>
  requestId === undefined ? [] : [['request_id = ?', requestId]]

/** An id begins with a time, and that is not before the time of its event. */
const idsWithin = ({ since, until }: EventFilter) => ({
  ...(since === undefined ? {} : { above: firstIdAt(since * 1000) }),
  ...(until === undefined
    ? {}
    : { below: firstIdAt((until + listLimits.eventDelaySeconds) * 1000) }),
})

const timesWithin = ({ since, until }: EventFilter): readonly Clause[] => [
  ...(since === undefined ? [] : [['at >= ?', since] as const]),
  ...(until === undefined ? [] : [['at < ?', until] as const]),
]

const ofThisLife = ({ ownerId, ownChanges }: EventFilter): readonly Clause[] =>
  ownerId === undefined || ownChanges === undefined
    ? []
    : [[`id > coalesce((${lastDeletion}), '')`, ownerId]]

const findFiltered = async (
  read: Read,
  of: EventFilter,
  after: string | null,
  limit: number,
  order: EventOrder,
) => {
  const [leading = [], ...others] = filtersOf(of)
  const direction = order === 'newest first' ? 'desc' : 'asc'
  const whole = stretchOf(leading, direction, after, idsWithin(of))
  const examined = [...others.flatMap(examinedBy), ...actedBy(of.actor), ...causedBy(of.requestId)]
  const stretch = examined.length === 0 ? whole : await limited(read, 'events', whole, limit)
  const all = [rangeOf(stretch), ...examined, ...timesWithin(of), ...ofThisLife(of)]
  const sql = `select * from events where ${whereOf(all)} ${orderOf(stretch)} limit ?`
  return { rows: await read(sql, [...paramsOf(all), limit + 1]), stop: stretch.stop }
}

const findBound = async (
  read: Read,
  ...given: Parameters<typeof boundBetween>
): Promise<Position> => {
  const bound = boundBetween(...given)
  return bound.of(await read(bound.find.sql, bound.find.params))
}

/** What became visible after a position, in the order of the transactions. No filter leads. */
export const listCommittedEvents: Reads['listCommittedEvents'] = async (read, of, after, limit) => {
  const now = await readPosition(read)
  if (after === null) return { rows: [], next: renderPosition(now) }
  const from = parsePosition(after)
  if (from === null || from.next > now.next) return 'unknown_position'
  const others = [
    ...filtersOf(of).flatMap(examinedBy),
    ...actedBy(of.actor),
    ...causedBy(of.requestId),
    ...timesWithin(of),
  ]
  const to =
    others.length === 0 ? now : await findBound(read, from, now, limit * listLimits.examinedPerRow)
  const piece = pieceBetween(from, to, others)
  const { sql, params } = piece.findEnd(limit)
  const { where, reached } = piece.endingAt(await read(sql, params))
  const [condition, ...given] = where
  const rows = await read(`select * from events where ${condition} order by place, id`, given)
  return { rows: rows.map(decodeEvent), next: renderPosition(reached) }
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

const newestFirst = (a: Row, b: Row): number => (text(a.id) < text(b.id) ? 1 : -1)

export const listEvents: Reads['listEvents'] = async (
  read,
  of,
  after,
  limit,
  order = 'newest first',
) => {
  const { rows, stop } = await findFiltered(read, of, after, limit, order)
  const { ownerId, ownChanges } = of
  const all =
    ownerId === undefined || ownChanges === undefined
      ? rows
      : [...rows, ...(await read(ownChangesSql, [ownerId, ownerId, after, after, limit + 1]))].sort(
          newestFirst,
        )
  return pageOf(all, limit, decodeEvent, (event) => event.id, stop)
}

/** Events that were kept for long enough: their ids begin with the time, so the oldest are the first. */
function* purgeEvents({ before, mostRows }: PurgeStep): Step<Purged> {
  yield* keepPlace(['at < ?', before.events])
  const gone = yield sql`delete from events where at < ${before.events}
    and id in (select id from events order by id limit ${mostRows}) returning id`
  return { next: null, went: gone.length }
}

export const eventRecord: StoreRecord<EventSteps> = {
  tables: [eventTable],
  reads: { listEvents, listCommittedEvents, isDeletedOwner },
  steps: { appendEvent },
  invalidates: { appendEvent: 'nothing' },
  purges: { events: purgeEvents, details: stripFurther, addresses: shortenAddresses },
}
