/** A table as a record describes it, for whatever handles tables as a whole: backup, restore, copy. */
import { type Row, type Rows, type Statement, statement, type Value } from '../sql/statement.ts'

/** The values of a row, in the order of the columns. */
export type Values = readonly Value[]

/**
 * The effect of a restore that ends all tokens: it keeps the rows, drops them, or changes them.
 *
 * @param columns of each row
 */
export type RestoreRule =
  | 'all'
  | 'none'
  | ((
      rows: readonly Values[],
      columns: readonly string[],
      newSalt: () => string,
    ) => readonly Values[])

export interface Table {
  readonly name: string
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /** All columns, in the order in which a row is written. */
  readonly columns: readonly string[]
  readonly restored: RestoreRule
  /** Columns that hold for one database only. A backup and a copy have this SQL in their place. */
  readonly local: Readonly<Record<string, string>>
  /** The statements that make the table with its indexes. */
  readonly create: readonly string[]
  /** Reads a row, and throws where it cannot be read. */
  readonly decode: (row: Row) => unknown
  /** A service writes rows here before anybody is registered; a store with such rows still counts as empty. */
  readonly isTrace: boolean
}

/** A row with other values in some columns, as a restore may write it. */
export const withValues = (
  columns: readonly string[],
  row: Values,
  values: Readonly<Record<string, string | number>>,
): Values => row.map((value, i) => values[columns[i] ?? ''] ?? value)

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
