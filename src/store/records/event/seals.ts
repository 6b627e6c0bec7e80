/** The record of seals (decision 110). An event itself is written without any of this. */
import { getFirstId } from '../../../model/ids.ts'
import type { EventSeal, LastSeal, SealSteps, StoredEvent } from '../../contract/seal.ts'
import { recordLimits } from '../../limits.ts'
import { defineTable } from '../../sql/columns.ts'
import { examinedPerRow } from '../../sql/filter.ts'
import type { PurgeStep, Reads, Steps, StoreRecord } from '../../sql/record.ts'
import {
  ask,
  asWhole,
  listOf,
  type Row,
  raw,
  type Step,
  sql,
  touches,
  type Value,
} from '../../sql/statement.ts'
import { cutPiece, parsePosition, readPosition, renderPosition } from './places.ts'

const sealTable = defineTable<EventSeal>(
  'event_seals',
  {
    number: 'integer',
    until: 'text',
    late: 'small',
    statement: 'text',
    entries: 'text',
    position: 'text',
  },
  {
    key: 'number',
    restored: 'all',
    isTrace: true,
    local: { position: "''" },
    indexes: ['event_seals_by_end (until)', 'late_event_seals (number) where late > 0'],
  },
)

const stored = raw(
  'id, at, type, client_id, owner_id, authorization_id, request_id, operator, details, actor',
)

/** A row that somebody has damaged has to be found, and must not end the search. */
const readText = (value: Value | undefined): string =>
  typeof value === 'string' ? value : String(value ?? '')
const readTextOrNull = (value: Value | undefined): string | null =>
  value === null ? null : readText(value)
const readNumber = (value: Value | undefined): number =>
  typeof value === 'number' ? value : Number.NaN

const decodeStored = (row: Row): StoredEvent => ({
  id: readText(row.id),
  at: readNumber(row.at),
  type: readText(row.type),
  clientId: readTextOrNull(row.client_id),
  ownerId: readTextOrNull(row.owner_id),
  authorizationId: readTextOrNull(row.authorization_id),
  requestId: readTextOrNull(row.request_id),
  operator: readText(row.operator),
  details: readText(row.details),
  actor: readText(row.actor),
})

const decodeSeal = (row: Row): EventSeal => ({
  number: readNumber(row.number),
  until: readText(row.until),
  late: readNumber(row.late),
  statement: readText(row.statement),
  entries: readText(row.entries),
  position: readText(row.position),
})

/** On SQLite, a text of somebody sorts behind all numbers. */
const numbered = raw(`number <= ${Number.MAX_SAFE_INTEGER}`)

const findLastSeal: Reads['findLastSeal'] = async (read) => {
  const [row] = await ask(
    read,
    sql`select number, until, late, statement, position, '' as entries from event_seals
      where ${numbered} order by number desc limit 1`,
  )
  if (row === undefined) return null
  const { entries: _, ...last } = decodeSeal(row)
  return last satisfies LastSeal
}

const findSealOf: Reads['findSealOf'] = async (read, id) => {
  const [row] = await ask(
    read,
    sql`select * from event_seals where until >= ${id} order by until limit 1`,
  )
  return row === undefined ? null : decodeSeal(row)
}

const listSeals: Reads['listSeals'] = async (read, after, limit, only) => {
  const late = raw(only === 'late' ? 'and late > 0' : '')
  const rows = await ask(
    read,
    sql`select * from event_seals where number > ${after} and ${numbered} ${late} order by number limit ${limit}`,
  )
  return rows.map(decodeSeal)
}

const listStoredEvents: Reads['listStoredEvents'] = async (read, after, until, limit) => {
  const rows = await ask(
    read,
    sql`select ${stored} from events where id > ${after} ${
      until === null ? raw('') : sql`and id <= ${until}`
    } order by id limit ${limit}`,
  )
  return rows.map(decodeStored)
}

const listStoredEventsOf: Reads['listStoredEventsOf'] = async (read, ids) => {
  if (ids.length === 0) return []
  return (await ask(read, sql`select ${stored} from events where id in ${listOf(ids)}`)).map(
    decodeStored,
  )
}

/** The events of some time are read once more by their places. The piece bounds how many. */
const listLateEvents: Reads['listLateEvents'] = async (read, position, until, limit) => {
  const now = await readPosition(read)
  const from = parsePosition(position)
  if (from === null || from.next > now.next) return { rows: [], position: renderPosition(now) }
  const whole = cutPiece(from, now)
  const to = whole.endingAt(await ask(read, whole.findEnd(limit * examinedPerRow))).reached
  const piece = cutPiece(from, to, [sql`id <= ${until}`])
  const { where, reached } = piece.endingAt(await ask(read, piece.findEnd(limit)))
  const rows = await ask(read, sql`select ${stored} from events where ${where} order by id`)
  return { rows: rows.map(decodeStored), position: renderPosition(reached) }
}

/** Of nodes that seal the same segment at once, one does. */
const addSeal: Steps['addSeal'] = (seal) => {
  const { sql: words, params } = sealTable.insert(seal)
  return touches(
    asWhole({ sql: `${words} on conflict (number) do nothing returning number`, params }),
  )
}

/** Part of the purge of events. Seals go after their events. The last one stays: the next one follows on it. */
export function* purgeSeals({ before, mostRows }: PurgeStep): Step<number> {
  const end = getFirstId(Math.max(0, before.events - recordLimits.sealSeconds) * 1000)
  const gone = yield sql`delete from event_seals where until < ${end}
    and number < (select max(number) from event_seals)
    and number in (select number from event_seals order by number limit ${mostRows})
    returning number`
  return gone.length
}

export const sealRecord: StoreRecord<SealSteps> = {
  tables: [sealTable],
  reads: {
    findLastSeal,
    findSealOf,
    listSeals,
    listStoredEvents,
    listStoredEventsOf,
    listLateEvents,
  },
  steps: { addSeal },
  invalidates: 'nothing',
}
