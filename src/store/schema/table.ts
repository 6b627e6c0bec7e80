/** A table as a record describes it, for whatever handles tables as a whole: backup, restore, copy. */
import type { Value } from '../sql/statement.ts'

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
  /** A service writes rows here before anybody is registered; a store with such rows still counts as empty. */
  readonly isTrace: boolean
}

/** @param columns in the order in which a row is written; those of the key come first */
export const table = (
  name: string,
  key: readonly string[],
  columns: readonly string[],
  restored: RestoreRule,
  local: Table['local'] = {},
): Table => ({
  name,
  key,
  columns: [...new Set([...key, ...columns])],
  restored,
  local,
  isTrace: false,
})

export const traceTable = (...args: Parameters<typeof table>): Table => ({
  ...table(...args),
  isTrace: true,
})
