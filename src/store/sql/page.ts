/** Pages in the order of their keys. */
import type { Page } from '../contract/trace.ts'
import { text } from './row.ts'
import type { Read, Row, Rows } from './statement.ts'

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
  keyOf: (entry: Entry) => string,
  stop: string | null = null,
): Page<Entry> => {
  const entries = rows.slice(0, limit).map(decode)
  const last = entries.at(-1)
  const more = rows.length > limit && last !== undefined
  return { rows: entries, next: more ? keyOf(last) : stop }
}

/**
 * Lowers letters of ASCII alone, as the function `lower` of both engines has it. PostgreSQL would lower
 * a parameter by the language of the database, and a column by that of our tables.
 */
export const lowerAscii = (given: string): string =>
  given.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** No text that begins with the prefix sorts after this one. */
const endOf = (prefix: string): string => `${prefix}\u{10ffff}`

/** Where a page goes on: after the text of this row, and after its id among equal texts. */
const cursorOf = (row: Row): string => `${text(row.search_key)}\n${text(row.id)}`

const parseCursor = (after: string | null): readonly [string, string] => {
  const end = (after ?? '').lastIndexOf('\n')
  return [(after ?? '').slice(0, Math.max(end, 0)), (after ?? '').slice(end + 1)]
}

/**
 * Searches by the beginning of a text. The search reads one index from the cursor on, so a page takes as long
 * among a million owners as among ten.
 *
 * @param key an expression with an index
 */
export const search = async <Entry>(
  read: Read,
  table: { readonly name: string; readonly decode: (row: Row) => Entry },
  key: string,
  prefix: string,
  after: string | null,
  limit: number,
): Promise<Page<Entry>> => {
  const [afterKey, afterId] = parseCursor(after)
  const from = afterKey > prefix ? afterKey : prefix
  const rows = await read(
    `select *, ${key} as search_key from ${table.name}
     where ${key} >= ? and ${key} < ? and (${key} > ? or id > ?) and deleted_at is null
     order by ${key}, id limit ?`,
    [from, endOf(prefix), afterKey, afterId, limit + 1],
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last !== undefined ? cursorOf(last) : null
  return { rows: shown.map(table.decode), next }
}
