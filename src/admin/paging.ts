/** Lists of the admin API: their query parameters and their pages. */
import { limits } from '../config/limits.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import { isId } from '../model/ids.ts'
import { type Parameters, refuseRepeated } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Page } from '../store/store.ts'

/** The parameters of a list, those beside `after` and `limit` being named. */
export const readListQuery = (exchange: Exchange, also: readonly string[] = []): Parameters => {
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

/**
 * A key in a query, or null; only keys that an answer could have held.
 *
 * @throws Refusal `invalid_request`
 */
export const keyOf = <Key extends string>(
  query: Parameters,
  name: string,
  isKey: (text: string) => boolean = isId,
): Key | null => {
  const text = query.find(name)
  if (text === null || isKey(text)) return text as Key | null
  const expected = ['after', 'before'].includes(name) ? 'a next of an earlier answer' : 'an id'
  throw new Refusal('invalid_request', `bad_${name}`, `${name} has to be ${expected}`)
}

/**
 * The text to search for. Null: list all.
 *
 * @throws Refusal `invalid_request`
 */
export const searchIn = (query: Parameters): string | null => {
  const text = query.find('search')
  if (text === null) return null
  if (text.trim() !== '' && text.length <= limits.usernameCharacters) return text.trim()
  throw new Refusal(
    'invalid_request',
    'bad_search',
    `search has to be text of 1 to ${limits.usernameCharacters} characters`,
  )
}

export const refusedCursor = (): Refusal =>
  new Refusal('invalid_request', 'bad_after', 'after has to be a next of an earlier answer')

/**
 * The cursor of a search. In URLs it is base64url.
 *
 * @throws Refusal `invalid_request`
 */
export const searchCursorOf = (query: Parameters): string | null => {
  const given = query.find('after')
  if (given === null) return null
  const cursor = Buffer.from(given, 'base64url').toString()
  if (!/\n[^\n]+$/.test(cursor) || writtenCursor(cursor) !== given) throw refusedCursor()
  return cursor
}

const writtenCursor = (cursor: string): string => Buffer.from(cursor).toString('base64url')

/** The body of a page of a search. */
export const describeFound = <Row>({ rows, next }: Page<Row>, describe: (row: Row) => object) =>
  describePage({ rows, next: next === null ? null : writtenCursor(next) }, describe)

/** The body of a list. */
export const describePage = <Row>({ rows, next }: Page<Row>, describe: (row: Row) => object) => ({
  items: rows.map(describe),
  next,
})
