/** The record of events, and their lists with the filters of operators. */

import { getFirstId, type OwnerId } from '../../../model/ids.ts'
import type { ActorFilter, EventFilter, EventSteps } from '../../contract/event.ts'
import { recordLimits } from '../../limits.ts'
import {
  examinedBy,
  examinedPerRow,
  type Filter,
  limited,
  operatorType,
  orderOf,
  rangeOf,
  type Stretch,
  stretchOf,
} from '../../sql/filter.ts'
import { pageOf } from '../../sql/page.ts'
import type { Purged, PurgeStep, Reads, StoreRecord } from '../../sql/record.ts'
import { text } from '../../sql/row.ts'
import { all, ask, listOf, type Piece, type Step, sql } from '../../sql/statement.ts'
import {
  isDeletedOwner,
  selectLastDeletion,
  shortenAddresses,
  stripFurther,
} from '../owner/forgetting.ts'
import { appendEvent, decodeEvent, eventTable } from './events.ts'
import { cutPiece, keepPlace, parsePosition, readPosition, renderPosition } from './places.ts'
import { purgeSeals } from './seals.ts'

/** Events of an owner or a client as actor: the owner or client that the event is about. */
const filterOfActor = ({ type, id }: ActorFilter): Filter => {
  if (type === 'operator' || type === 'cli') {
    if (id === null) return [[operatorType, type]]
    return [['operator', type === 'cli' ? `cli:${id}` : id]]
  }
  if (id === null || (type !== 'owner' && type !== 'client')) return []
  return [[type === 'owner' ? 'owner_id' : 'client_id', id]]
}

/** The filters that have an index. The first one leads: it has the fewest rows. */
const listFilters = ({ ownerId, clientId, type, actor }: EventFilter): readonly Filter[] =>
  [
    ownerId === undefined ? [] : [['owner_id', ownerId] as const],
    actor === undefined ? [] : filterOfActor(actor),
    clientId === undefined ? [] : [['client_id', clientId] as const],
    type === undefined ? [] : [['type', type] as const],
  ].filter((filter) => filter.length > 0)

/** By what the stored JSON of an actor begins with; the column of an operator tells it all. */
const matchActor = ({ type, id }: ActorFilter): Piece | false => {
  if (type === 'operator' || type === 'cli') return false
  const named = id !== null && (type === 'owner' || type === 'client')
  const beginning = `{"type":"${type}"${named ? `,"${type}Id":${JSON.stringify(id)}` : ''}`
  return sql`substr(actor, 1, ${beginning.length}) = ${beginning}`
}

/** The conditions without an index, and the filters behind the first one. */
const listExamined = (of: EventFilter, filters: readonly Filter[]) => {
  const { actor, requestId, types, byOperator } = of
  return [
    ...filters.flatMap(examinedBy),
    types !== undefined && sql`type || '' in ${listOf(types)}`,
    byOperator !== undefined && sql`operator || '' > ''`,
    actor !== undefined && matchActor(actor),
    requestId !== undefined && sql`request_id = ${requestId}`,
  ].filter((one) => one !== false)
}

/** An id begins with a time, and that is not before the time of its event. */
const getIdRange = ({ since, until }: EventFilter) => ({
  ...(since === undefined ? {} : { above: getFirstId(since * 1000) }),
  ...(until === undefined
    ? {}
    : { below: getFirstId((until + recordLimits.eventDelaySeconds) * 1000) }),
})

const matchTimes = ({ since, until }: EventFilter): readonly (Piece | false)[] => [
  since !== undefined && sql`at >= ${since}`,
  until !== undefined && sql`at < ${until}`,
]

/** What became visible after a position, in the order of the transactions. No filter leads. */
const listCommittedEvents: Reads['listCommittedEvents'] = async (read, of, after, limit) => {
  const now = await readPosition(read)
  if (after === null) return { rows: [], next: renderPosition(now) }
  const from = parsePosition(after)
  if (from === null || from.next > now.next) return 'unknown_position'
  const others = [
    ...listExamined(of, listFilters(of)),
    ...matchTimes(of).filter((one) => one !== false),
  ]
  const whole = cutPiece(from, now)
  const bound = whole.findEnd(limit * examinedPerRow)
  const to = others.length === 0 ? now : whole.endingAt(await ask(read, bound)).reached
  const piece = cutPiece(from, to, others)
  const { where, reached } = piece.endingAt(await ask(read, piece.findEnd(limit)))
  const rows = await ask(read, sql`select * from events where ${where} order by place, id`)
  return { rows: rows.map(decodeEvent), next: renderPosition(reached) }
}

/**
 * One event tells all owners of a client, so that no stranger can cause a row for each. The event is found by
 * the clients that an owner has approved.
 */
const ownChangesOf = (
  ownerId: OwnerId,
  after: string | null,
  { stop }: Stretch,
  limit: number,
): Piece =>
  sql`select e.* from (select client_id, min(created_at) as since from authorizations
      where owner_id = ${ownerId} group by client_id) a
    join events e on e.client_id = a.client_id and e.at >= a.since
    where e.type = 'client.changed_itself'
    and (cast(${after} as text) is null or e.id < ${after}) and e.id >= ${stop ?? ''}
  order by e.id desc limit ${limit}`

export const listEvents: Reads['listEvents'] = async (read, of, after, limit, order) => {
  const { ownChanges, ownerId: owner, types, byOperator } = of
  const isOwn = ownChanges !== undefined && owner !== undefined
  const hasChanges =
    isOwn && byOperator === undefined && types?.includes('client.changed_itself') !== false
  const [leading = [], ...others] = listFilters(of)
  const direction = order === 'oldest first' ? 'asc' : 'desc'
  const whole = stretchOf(leading, direction, after, getIdRange(of))
  const examined = listExamined(of, others)
  const stretch = examined.length === 0 ? whole : await limited(read, 'events', whole, limit)
  const where = all([
    rangeOf(stretch),
    ...examined,
    ...matchTimes(of),
    isOwn && sql`id > coalesce((${selectLastDeletion(owner)}), '')`,
  ])
  const query = sql`select * from events where ${where} ${orderOf(stretch)} limit ${limit + 1}`
  const rows = await ask(read, query)
  const changes = hasChanges ? await ask(read, ownChangesOf(owner, after, stretch, limit + 1)) : []
  const both = [...rows, ...changes]
  if (hasChanges) both.sort((a, b) => (text(a.id) < text(b.id) ? 1 : -1))
  return pageOf(both, limit, decodeEvent, (event) => event.id, stretch.stop)
}

/** Events that were kept for long enough: their ids begin with the time, so the oldest are the first. */
function* purgeEvents(step: PurgeStep): Step<Purged> {
  const { before, mostRows } = step
  yield* keepPlace(sql`at < ${before.events}`)
  const gone = yield sql`delete from events where at < ${before.events}
    and id in (select id from events order by id limit ${mostRows}) returning id`
  return { next: null, went: gone.length + (yield* purgeSeals(step)) }
}

export const eventRecord: StoreRecord<EventSteps> = {
  tables: [eventTable],
  reads: { listEvents, listCommittedEvents, isDeletedOwner },
  steps: { appendEvent },
  invalidates: { appendEvent: 'nothing' },
  purges: { events: purgeEvents, details: stripFurther, addresses: shortenAddresses },
}
