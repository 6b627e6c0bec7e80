/** A backup becomes a store again: all of it or nothing, and by default without the tokens it knew. */

import type { OwnerId } from '../../model/ids.ts'
import type { Trace } from '../contract/trace.ts'
import { StoreRefusal } from '../fault.ts'
import { decodeClient } from '../records/client/clients.ts'
import { tell } from '../records/event/events.ts'
import { endUsedIds } from '../records/used.ts'
import { schemaVersion } from '../schema/migrate.ts'
import { deleteRows, insertRows, selectAnyRow, type Table, type Values } from '../schema/table.ts'
import { runInTransaction, type SqlSession } from '../sql/database.ts'
import { tables } from '../sql/records.ts'
import { integer, text } from '../sql/row.ts'
import type { Row, Step } from '../sql/statement.ts'
import { type BackupHeader, type Counts, openBackup, type Part } from './backup-file.ts'
import { runWithSession } from './dump.ts'

/** Throws where a list or a record is missing among details. */
const readClient = (row: Row): unknown => {
  const { redirectUris, grantTypes, responseTypes, requiredScope, setByOperator, display } =
    decodeClient(row)
  const lists = [redirectUris, grantTypes, responseTypes, requiredScope, setByOperator]
  return [...lists.map((list) => list.join()), Object.keys(display)]
}

const requireTable = (path: string, part: Part): Table => {
  const table = tables.find(({ name }) => name === part.table)
  if (table === undefined || table.columns.join() !== part.columns.join()) {
    throw new StoreRefusal(`the backup ${path} has a table ${part.table} that is not known here`)
  }
  return table
}

/** Refuses a row that no service could read, so that a whole list would fail later. */
const checkRows = (path: string, { name, key, columns, decode }: Table, { rows }: Part): void => {
  for (const values of rows) {
    try {
      const row = Object.fromEntries(columns.map((column, i) => [column, values[i] ?? null]))
      decode(row)
      if (name === 'clients') readClient(row)
    } catch {
      const id = values.slice(0, key.length).join(' ')
      throw new StoreRefusal(`the backup ${path} has a row of ${name} that cannot be read: ${id}`)
    }
  }
}

/** Reads the backup to its end, so that a damaged one is refused before anything is touched. */
const verifyBackup = async (path: string): Promise<BackupHeader> => {
  const { header, parts } = await openBackup(path)
  const { schema } = header
  if (schema !== schemaVersion) {
    const age = schema > schemaVersion ? 'a newer' : 'an older'
    throw new StoreRefusal(
      `the backup ${path} was made by ${age} version of this program (its schema is ${schema}, ` +
        `this one knows ${schemaVersion}); restore it with that version`,
    )
  }
  for await (const part of parts) checkRows(path, requireTable(path, part), part)
  return header
}

/** The rows of the backup that a restore ends. */
export interface Ended {
  readonly sessions: number
  readonly recoveryCodes: number
  /** Whose they were; each is told by an event. */
  readonly recoveryCodeOwners: number
}

export interface Restored extends BackupHeader {
  /** The rows that the store has now. */
  readonly rows: Counts
  /** Null where the tokens are kept. */
  readonly ended: Ended | null
  /** The latest event in the backup, in unix seconds; null without one. */
  readonly lastEventAt: number | null
}

/**
 * Whether what was issued before the backup is honoured again. The restore must not be where anything was
 * revoked since: the backup does not know of that.
 */
export type Restoring =
  | { readonly tokens: 'keep' }
  | { readonly tokens: 'end'; readonly newSalt: () => string; readonly trace: () => Trace }

/** The rows without anything that a token could be checked with: no seal fits a new salt. */
const restoreRows = (
  { restored, columns }: Table,
  rows: readonly Values[],
  restoring: Restoring,
): readonly Values[] => {
  if (restoring.tokens === 'keep' || restored === 'all') return rows
  return restored === 'none' ? [] : restored(rows, columns, restoring.newSalt)
}

const perform = async <Outcome>(session: SqlSession, step: Step<Outcome>): Promise<Outcome> => {
  let next = step.next()
  while (!next.done) next = step.next(await session.run(next.value))
  return next.value
}

/** Tells each owner of recovery codes that they have ended. Codes come in the order of their owners. */
const createEnder = (session: SqlSession, trace: () => Trace) => {
  const ended = { sessions: 0, recoveryCodes: 0, recoveryCodeOwners: 0 }
  let told: string | null = null
  const end = async (table: Table, rows: readonly Values[]): Promise<void> => {
    if (table.name === 'sessions') ended.sessions += rows.length
    if (table.name !== 'recovery_codes') return
    ended.recoveryCodes += rows.length
    for (const [owner = null] of rows) {
      if (owner === told) continue
      told = text(owner)
      ended.recoveryCodeOwners++
      const details = { factor: 'recovery codes' }
      await perform(session, tell('factor.removed', { ownerId: told as OwnerId }, details, trace()))
    }
  }
  return { ended, end }
}

const load = async (
  session: SqlSession,
  path: string,
  restoring: Restoring,
): Promise<Omit<Restored, keyof BackupHeader>> => {
  const counts: Record<string, number> = Object.fromEntries(tables.map(({ name }) => [name, 0]))
  let lastEventAt: number | null = null
  for (const table of tables.toReversed()) await session.run(deleteRows(table))
  const ender = restoring.tokens === 'end' ? createEnder(session, restoring.trace) : null
  const { parts } = await openBackup(path)
  for await (const part of parts) {
    const table = requireTable(path, part)
    const rows = restoreRows(table, part.rows, restoring)
    if (rows.length > 0) await session.run(insertRows(table, rows))
    await ender?.end(table, part.rows)
    counts[table.name] = (counts[table.name] ?? 0) + rows.length
    if (table.name !== 'events') continue
    const at = table.columns.indexOf('at')
    for (const row of rows) lastEventAt = Math.max(lastEventAt ?? 0, integer(row[at]))
  }
  if (restoring.tokens === 'keep' || ender === null) {
    return { rows: counts, ended: null, lastEventAt }
  }
  const facts = (counts.facts ?? 0) + (await perform(session, endUsedIds(restoring.trace().at)))
  // Beside those of the backup: one for each owner, and one for all.
  const events = (counts.events ?? 0) + ender.ended.recoveryCodeOwners + 1
  return { rows: { ...counts, events, facts }, ended: ender.ended, lastEventAt }
}

/**
 * Fills an empty store from a backup.
 *
 * @throws StoreRefusal, and then nothing has changed
 */
export const restore = async (
  url: string,
  path: string,
  restoring: Restoring,
): Promise<Restored> => {
  const header = await verifyBackup(path)
  const loaded = await runWithSession(url, 'empty', (session) =>
    runInTransaction(session, async () => {
      for (const table of tables) {
        if (table.isTrace || (await session.run(selectAnyRow(table))).length === 0) continue
        throw new StoreRefusal(
          `the store is not empty (it has ${table.name}): a backup is restored into a new one only`,
        )
      }
      const done = await load(session, path, restoring)
      if (restoring.tokens === 'end') {
        const details = { takenAt: header.takenAt }
        await perform(session, tell('store.restored', {}, details, restoring.trace()))
      }
      return done
    }),
  )
  return { ...header, ...loaded }
}
