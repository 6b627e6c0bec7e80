/** A whole store as rows, table by table in the order of their keys, and as a backup. */
import { schemaVersion } from '../schema/migrate.ts'
import type { Table, Values } from '../schema/table.ts'
import type { Purpose, SqlSession } from '../sql/database.ts'
import { openSession } from '../sql/open.ts'
import { tables } from '../sql/records.ts'
import { text } from '../sql/row.ts'
import { listOf, type Rows, raw, sql, statement } from '../sql/statement.ts'
import {
  type BackupHeader,
  type Part,
  rowsTogether,
  type SealingKeys,
  type WrittenBackup,
  writeBackup,
} from './backup-file.ts'

export const runWithSession = async <Result>(
  url: string,
  purpose: Purpose,
  work: (session: SqlSession) => Promise<Result>,
): Promise<Result> => {
  const session = await openSession(url, purpose)
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

/** Rows as lists of values. */
export const listValues = (rows: Rows, columns: readonly string[]): readonly Values[] =>
  rows.map((row) => columns.map((column) => row[column] ?? null))

/**
 * The rows of a table in the order of their keys, as another database takes them, some at a time. None of
 * them stays in memory.
 *
 * @param after a key, or null to begin
 */
export async function* readRows(
  session: SqlSession,
  { name, key, columns, local }: Table,
  after: Values | null = null,
): AsyncGenerator<readonly Values[]> {
  const keys = raw(key.join(', '))
  const selected = raw(
    columns.map((one) => (one in local ? `${local[one]} as ${one}` : one)).join(),
  )
  for (let last = after; ; ) {
    const beyond = last === null ? raw('') : sql`where (${keys}) > ${listOf(last)}`
    const found = await session.run(
      sql`select ${selected} from ${raw(name)} ${beyond} order by ${keys} limit ${rowsTogether}`,
    )
    const rows = listValues(found, columns)
    if (rows.length > 0) yield rows
    if (rows.length < rowsTogether) return
    last = rows.at(-1)?.slice(0, key.length) ?? null
  }
}

async function* readParts(session: SqlSession): AsyncGenerator<Part> {
  for (const table of tables) {
    const { name, columns } = table
    yield { table: name, columns, rows: [] }
    for await (const rows of readRows(session, table)) yield { table: name, columns, rows }
  }
}

export const findSealingKeys = async (session: SqlSession): Promise<SealingKeys> => {
  const keys = await session.run(statement('select wrapped from keys'))
  if (keys.length === 0) return 'none'
  return keys.some((key) => text(key.wrapped).startsWith('plain.')) ? 'plain' : 'wrapped'
}

export type BackedUp = BackupHeader & WrittenBackup

/**
 * Writes what the store holds at this moment into one file, also while services write.
 *
 * @param takenAt unix seconds
 * @throws StoreRefusal
 */
export const backUp = (url: string, path: string, takenAt: number): Promise<BackedUp> =>
  runWithSession(url, 'snapshot', async (session) => {
    const sealingKeys = await findSealingKeys(session)
    const header = { schema: schemaVersion, takenAt, sealingKeys }
    return { ...header, ...(await writeBackup(path, header, readParts(session))) }
  })
