/** Pages in the order of their keys: one row more than asked tells whether there is a next page. */
import type { Page } from '../store.ts'
import type { Row, Rows } from './statement.ts'

/**
 * @param rows up to `limit + 1` rows
 * @param stop where a search goes on that stopped before its end; null at its end
 */
export const pageOf = <Entry>(
  rows: Rows,
  limit: number,
  decode: (row: Row) => Entry,
  keyOf: (entry: Entry) => string,
  stop: string | null = null,
): Page<Entry> => {
  const entries = rows.slice(0, limit).map(decode)
  const last = entries.at(-1)
  const more = rows.length > limit && last !== undefined
  return { rows: entries, next: more ? keyOf(last) : stop }
}
