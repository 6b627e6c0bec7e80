/** Statements about tables as a whole, to be copied row by row on any engine. */
import { type Rows, type Statement, statement } from '../sql/statement.ts'
import type { Table, Values } from './table.ts'

const marks = (count: number): string => Array(count).fill('?').join(', ')

/** The next rows in the order of their keys, as another database takes them. @param after a key, or null to begin */
export const pageOfRows = (
  { name, key, columns, local }: Table,
  after: Values | null,
  limit: number,
): Statement => {
  const keys = key.join(', ')
  const beyond = after === null ? '' : `where (${keys}) > (${marks(key.length)})`
  const selected = columns.map((column) =>
    local[column] === undefined ? column : `${local[column]} as ${column}`,
  )
  const sql = `select ${selected.join(', ')} from ${name} ${beyond} order by ${keys} limit ?`
  return statement(sql, ...(after ?? []), limit)
}

export const insertRows = ({ name, columns }: Table, rows: readonly Values[]): Statement => {
  const places = Array(rows.length)
    .fill(`(${marks(columns.length)})`)
    .join(', ')
  const sql = `insert into ${name} (${columns.join(', ')}) values ${places}`
  return statement(sql, ...rows.flat())
}

export const deleteRows = ({ name }: Table): Statement => statement(`delete from ${name}`)

export const countRows = ({ name }: Table): Statement =>
  statement(`select count(*) as rows from ${name}`)

export const anyRow = ({ name }: Table): Statement =>
  statement(`select 1 as found from ${name} limit 1`)

/** The key with the greatest value: where copying has got to. */
export const lastKey = ({ name, key }: Table): Statement =>
  statement(
    `select ${key.join(', ')} from ${name} order by ${key.map((one) => `${one} desc`).join(', ')} limit 1`,
  )

/** Rows as lists of values. */
export const valuesOf = (rows: Rows, columns: readonly string[]): readonly Values[] =>
  rows.map((row) => columns.map((column) => row[column] ?? null))
