/** Pages of lists: their cursors and their answers. */

import { type Exchange, queryOf } from '../http/exchange.ts'
import { isId } from '../model/ids.ts'
import { type Parameters, refuseRepeated } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Page } from '../store/contract/trace.ts'

/** The parameters of a list, those beside `after` and `limit` being named. */
export const readListQuery = (exchange: Exchange, also: readonly string[]): Parameters => {
  const query = refuseRepeated(queryOf(exchange.request))
  const known = ['after', 'limit', ...also]
  for (const name of query.names()) {
    if (known.includes(name)) continue
    throw new Refusal(
      'invalid_request',
      'unknown_parameter',
      `a parameter is not known here: this list takes ${known.join(', ')}`,
    )
  }
  return query
}

const refusedCursor = (): Refusal =>
  new Refusal('invalid_request', 'bad_after', 'after has to be a next of an earlier answer')

/**
 * The key in `after`, or null. An answer could have held every such key.
 *
 * @throws Refusal `invalid_request`
 */
export const findCursor = <Key extends string>(
  query: Parameters,
  isKey: (text: string) => boolean = isId,
): Key | null => {
  const text = query.find('after')
  if (text === null || isKey(text)) return text as Key | null
  throw refusedCursor()
}

const writeCursor = (cursor: string): string => Buffer.from(cursor).toString('base64url')

/**
 * The cursor of a search. In URLs it is base64url.
 *
 * @throws Refusal `invalid_request`
 */
export const findSearchCursor = (query: Parameters): string | null => {
  const given = query.find('after')
  if (given === null) return null
  const cursor = Buffer.from(given, 'base64url').toString()
  if (!/\n[^\n]+$/.test(cursor) || writeCursor(cursor) !== given) throw refusedCursor()
  return cursor
}

/** The body of a page of a search. */
export const describeFound = <Row>({ rows, next }: Page<Row>, describe: (row: Row) => object) =>
  describePage({ rows, next: next === null ? null : writeCursor(next) }, describe)

/** The body of a list. */
export const describePage = <Row>({ rows, next }: Page<Row>, describe: (row: Row) => object) => ({
  items: rows.map(describe),
  next,
})

/**
 * A page of a list that lies in memory as a whole. Nothing is so long that the store would page it.
 *
 * @throws Refusal `invalid_request`
 */
export const pageInMemory = <Row>(
  all: readonly Row[],
  query: Parameters,
  limit: number,
  keyOf: (row: Row) => string,
): Page<Row> => {
  const after = query.find('after')
  const from = after === null ? 0 : all.findIndex((row) => keyOf(row) === after) + 1
  if (after !== null && from === 0) throw refusedCursor()
  const rows = all.slice(from, from + limit)
  const last = rows.at(-1)
  return { rows, next: all.length > from + limit && last !== undefined ? keyOf(last) : null }
}
