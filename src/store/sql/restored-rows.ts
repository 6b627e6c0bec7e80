/** What of a backup becomes a row again where its tokens are to end. */
import type { FactId } from '../store.ts'
import { endedVisit } from './authorization-row.ts'
import type { Table, Values } from './tables.ts'

/** Without tokens there is nothing left that these are about. A recovery code may have been used since. */
const aboutTokens = [
  'sessions',
  'families',
  'endings',
  'finished_ceremonies',
  'recovery_codes',
  'sealing_keys',
  'sealing_turns',
]

/** @param changes by column; @returns the row with these values instead */
const changed = (
  { columns }: Table,
  row: Values,
  changes: Readonly<Record<string, string | number>>,
): Values => row.map((value, i) => changes[columns[i] ?? ''] ?? value)

/**
 * The rows without anything that a token could be checked with: no seal fits a new salt. Who may do
 * what stays, but for one visit, which ends with its session, and so does what has ended.
 */
export const withoutTokens = (
  table: Table,
  rows: readonly Values[],
  newSalt: () => string,
): readonly Values[] => {
  if (aboutTokens.includes(table.name)) return []
  if (table.name === 'clients') {
    return rows.map((row) => changed(table, row, { salt: newSalt(), has_endings: 0 }))
  }
  // Another root secret may follow. That it was a demo stays true.
  if (table.name === 'facts') return rows.filter(([id]) => id === ('demo' satisfies FactId))
  if (table.name !== 'authorizations') return rows
  const visit = table.columns.indexOf('session_id')
  return rows
    .filter((row) => row[visit] === '' || row[visit] === endedVisit)
    .map((row) => changed(table, row, { salt: newSalt() }))
}
