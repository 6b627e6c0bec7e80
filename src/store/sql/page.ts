/** Pages in the order of their keys. */
import type { Page } from '../contract/trace.ts'
import type { Row, Rows } from './statement.ts'

/**
 * One row more than asked tells whether there is a next page.
 *
 * @param rows up to `limit + 1` rows
 * @param stop where a search goes on that stopped before its end; null at its end
 */
export const pageOf = <Entry>(
  rows: Rows,
  limit: number,
  decode: (row: Row) => Entry,
  keyOf: (entry: Entry, row: Row) => string,
  stop: string | null = null,
): Page<Entry> => {
  const entries = rows.slice(0, limit).map(decode)
  const [last, row] = [entries.at(-1), rows[limit - 1]]
  const isMore = rows.length > limit && last !== undefined && row !== undefined
  return { rows: entries, next: isMore ? keyOf(last, row) : stop }
}

/**
 * Lowers letters of ASCII alone, as the function `lower` of both engines has it. PostgreSQL would lower
 * a parameter by the language of the database, and a column by that of our tables.
 */
export const lowerAscii = (given: string): string =>
  given.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** No text that begins with the prefix sorts after this one. */
export const endOf = (prefix: string): string => `${prefix}\u{10ffff}`
