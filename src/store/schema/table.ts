/** A table as a record describes it, for whatever handles tables as a whole: backup, restore, copy. */
import { listOf, type Row, type Statement, statement, type Value } from '../sql/statement.ts'

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
export const replaceValues = (
  columns: readonly string[],
  row: Values,
  values: Readonly<Record<string, string | number>>,
): Values => row.map((value, i) => values[columns[i] ?? ''] ?? value)

export const insertRows = ({ name, columns }: Table, rows: readonly Values[]): Statement => {
  const places = Array(rows.length).fill(listOf(columns).sql).join(', ')
  return statement(`insert into ${name} (${columns.join(', ')}) values ${places}`, ...rows.flat())
}

export const deleteRows = ({ name }: Table): Statement => statement(`delete from ${name}`)

export const selectAnyRow = ({ name }: Table): Statement =>
  statement(`select 1 as found from ${name} limit 1`)
