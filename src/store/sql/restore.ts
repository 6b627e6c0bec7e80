/** A backup becomes a store again: all of it or nothing, and by default without the tokens it knew. */
import type { BackupHeader, Counts, Part } from '../backup-format.ts'
import { openBackup } from '../backup-reader.ts'
import { StoreRefusal } from '../fault.ts'
import type { FactId } from '../store.ts'
import { endedVisit } from './authorization-row.ts'
import { schemaVersion } from './migrate.ts'
import { inTransaction, openSession, type Session } from './session.ts'
import { anyRow, deleteRows, insertRows, type Table, tables, type Values } from './tables.ts'

/**
 * Whether what was issued before the backup is honoured again. It must not be where anything was
 * revoked since: the backup does not know of that.
 */
export type Tokens = 'end' | 'keep'

/** What a service leaves in a store before anybody is registered. */
const traces = ['attempts', 'sealing_keys', 'sealing_turns', 'facts', 'events']

/** Without tokens there is nothing left that these are about. */
const aboutTokens = [
  'sessions',
  'families',
  'endings',
  'finished_ceremonies',
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
const withoutTokens = (
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

const tableOf = (path: string, part: Part): Table => {
  const table = tables.find(({ name }) => name === part.table)
  if (table === undefined || table.columns.join() !== part.columns.join()) {
    throw new StoreRefusal(`the backup ${path} has a table ${part.table} that is not known here`)
  }
  return table
}

const checkSchema = (path: string, { schema }: BackupHeader): void => {
  if (schema === schemaVersion) return
  const age = schema > schemaVersion ? 'a newer' : 'an older'
  throw new StoreRefusal(
    `the backup ${path} was made by ${age} version of this program (its schema is ${schema}, ` +
      `this one knows ${schemaVersion}); restore it with that version`,
  )
}

/** Reads the backup to its end, so that a damaged one is refused before anything is touched. */
const verifyBackup = async (path: string): Promise<BackupHeader> => {
  const { header, parts } = await openBackup(path)
  checkSchema(path, header)
  for await (const part of parts) tableOf(path, part)
  return header
}

const checkEmpty = async (session: Session): Promise<void> => {
  for (const table of tables) {
    if (traces.includes(table.name) || (await session.run(anyRow(table))).length === 0) continue
    throw new StoreRefusal(
      `the store is not empty (it has ${table.name}): a backup is restored into a new one only`,
    )
  }
}

const load = async (
  session: Session,
  path: string,
  prepare: (table: Table, rows: readonly Values[]) => readonly Values[],
): Promise<Counts> => {
  const counts: Record<string, number> = Object.fromEntries(tables.map(({ name }) => [name, 0]))
  for (const table of tables.toReversed()) await session.run(deleteRows(table))
  const { parts } = await openBackup(path)
  for await (const part of parts) {
    const table = tableOf(path, part)
    const rows = prepare(table, part.rows)
    if (rows.length > 0) await session.run(insertRows(table, rows))
    counts[table.name] = (counts[table.name] ?? 0) + rows.length
  }
  return counts
}

export interface Restored extends BackupHeader {
  /** The rows that the store has now. */
  readonly rows: Counts
}

/**
 * Fills an empty store from a backup.
 *
 * @throws StoreRefusal, and then nothing has changed
 */
export const restore = async (
  url: string,
  path: string,
  { tokens, newSalt }: { readonly tokens: Tokens; readonly newSalt: () => string },
): Promise<Restored> => {
  const header = await verifyBackup(path)
  const session = await openSession(url, 'empty')
  try {
    const rows = await inTransaction(session, async () => {
      await checkEmpty(session)
      return load(session, path, (table, some) =>
        tokens === 'keep' ? some : withoutTokens(table, some, newSalt),
      )
    })
    return { ...header, rows }
  } finally {
    await session.close()
  }
}
