/**
 * The order in which events became visible (decision 0074). An id tells when an event was made; its
 * place tells when it was written. On PostgreSQL the place is the id of the transaction, on SQLite a
 * number that counts.
 */
import { isEventPosition } from '../../../model/event.ts'
import {
  all,
  listOf,
  type Piece,
  type Read,
  type Row,
  type Rows,
  raw,
  type Statement,
  type Step,
  sql,
  statement,
} from '../../sql/statement.ts'

/** The fact that keeps the next place while the newest events are deleted. */
const factId = 'next place'

const nextOnSqlite = `(select max(
  coalesce((select max(place) from events where place > 0), 0) + 1,
  coalesce((select cast(value as integer) from facts where id = '${factId}'), 0)))`

/** Words of statements that each engine writes in its own way. */
export const placeWords = {
  sqlite: {
    'next_place()': nextOnSqlite,
    'current_places()': `('0:' || ${nextOnSqlite} || ':')`,
    'is_last_place()': 'place > 0 and place = (select max(place) from events where place > 0)',
  },
  postgres: {
    'next_place()': 'cast(cast(pg_current_xact_id() as text) as bigint)',
    'current_places()': 'cast(pg_current_snapshot() as text)',
    // No transaction gets the id of another, so nothing has to be kept. An index knows that none fits.
    'is_last_place()': 'place > 0 and place = -1',
  },
} as const

export const fillPlaces = (sql: string, engine: keyof typeof placeWords): string =>
  Object.entries(placeWords[engine]).reduce((text, [word, by]) => text.replaceAll(word, by), sql)

/**
 * Comes before events are deleted. If the newest is among them, its place stays used: readers have gone
 * beyond it, and would miss an event that gets it again.
 *
 * @param doomed which events are deleted
 */
export function* keepPlace(doomed: Piece): Step<void> {
  yield sql`insert into facts (id, value) select '${raw(factId)}', cast(next_place() as text) from events
    where is_last_place() and ${doomed}
    on conflict (id) do update set value = excluded.value`
}

/** A reader at a position has seen every place before `next`, but for those in `open`. */
export interface Position {
  readonly next: number
  /** Places of transactions that were not committed yet, ascending. */
  readonly open: readonly number[]
}

/** `1042.3.17`: the next place, and how far each open one lies before it. */
export const renderPosition = ({ next, open }: Position): string =>
  [next, ...open.map((place) => next - place)].join('.')

/** Null for any other text. */
export const parsePosition = (text: string): Position | null => {
  if (!isEventPosition(text)) return null
  const [next = 0, ...before] = text.split('.').map(Number)
  const open = before.map((distance) => next - distance)
  return open.every((place) => place > 0 && place < next) ? { next, open } : null
}

const askPosition = 'select current_places() as places'

const decodePosition = ([row]: readonly (Row | undefined)[]): Position => {
  const [, next, open = ''] = String(row?.places).split(':')
  return { next: Number(next), open: open === '' ? [] : open.split(',').map(Number) }
}

/** All that is committed now. */
export function* getPosition(): Step<Position> {
  return decodePosition(yield statement(askPosition))
}

export const readPosition = async (read: Read): Promise<Position> =>
  decodePosition(await read(askPosition, []))

/** A list of a length that is a power of two, so that there are few texts of statements. */
const listFilled = (places: readonly number[]): Piece => {
  const length = 2 ** Math.ceil(Math.log2(places.length))
  return listOf(Array.from({ length }, (_, i) => places[i] ?? places[0] ?? 0))
}

/** The events that became visible between two positions. */
const matchBetween = (from: Position, to: Position): Piece => {
  const range = sql`place >= ${from.next} and place < ${to.next}`
  return all([
    raw('place > 0'),
    from.open.length === 0 ? range : sql`((${range}) or place in ${listFilled(from.open)})`,
    to.open.length > 0 && sql`place not in ${listFilled(to.open)}`,
  ])
}

/** The position of a reader that has gone from one position towards another, up to a place. */
const movePosition = (place: number, from: Position, to: Position): Position =>
  place < from.next
    ? { next: from.next, open: from.open.filter((one) => one > place || to.open.includes(one)) }
    : { next: place + 1, open: to.open.filter((one) => one <= place) }

/**
 * Where a piece of so many events ends. A piece ends behind a transaction, so it may have some more.
 *
 * A reader with filters first finds where to stop looking, by the end of a piece of any kind of events.
 * Otherwise a rare filter would read all that was ever written, and fail again and again.
 */
export const cutPiece = (from: Position, to: Position, others: readonly Piece[] = []) => {
  const where = all([matchBetween(from, to), ...others])
  return {
    findEnd: (most: number): Statement =>
      sql`select place from events where ${where} order by place limit 1 offset ${most - 1}`,
    /** @param rows of `findEnd` */
    endingAt([row]: Rows): { readonly where: Piece; readonly reached: Position } {
      if (row === undefined) return { where, reached: to }
      const place = Number(row.place)
      return { where: sql`${where} and place <= ${place}`, reached: movePosition(place, from, to) }
    },
  }
}
