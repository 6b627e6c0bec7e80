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
const endOf = (prefix: string): string => `${prefix}\u{10ffff}`

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
  // A page goes on after the text of a row, and after its id among equal texts.
  const [, afterKey = '', afterId = ''] = /^(?:(.*)\n)?(.*)$/s.exec(after ?? '') ?? []
  const from = afterKey > prefix ? afterKey : prefix
  const rows = await read(
    `select *, ${key} as search_key from ${table.name}
     where ${key} >= ? and ${key} < ? and (${key} > ? or id > ?) and deleted_at is null
     order by ${key}, id limit ?`,
    [from, endOf(prefix), afterKey, afterId, limit + 1],
  )
  const cursorOf = (_: Entry, row: Row): string => `${text(row.search_key)}\n${text(row.id)}`
  return pageOf(rows, limit, table.decode, cursorOf)
}
