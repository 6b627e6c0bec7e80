/** Rows of a backup as a restore writes them, if its tokens are to end. */
import type { Table, Values } from '../schema/table.ts'

/** The row with other values in some columns. */
export const withValues = (
  columns: readonly string[],
  row: Values,
  values: Readonly<Record<string, string | number>>,
): Values => row.map((value, i) => values[columns[i] ?? ''] ?? value)

/** The rows without anything that a token could be checked with: no seal fits a new salt. */
export const withoutTokens = (
  { restored, columns }: Table,
  rows: readonly Values[],
  newSalt: () => string,
): readonly Values[] => {
  if (restored === 'all') return rows
  return restored === 'none' ? [] : restored(rows, columns, newSalt)
}
