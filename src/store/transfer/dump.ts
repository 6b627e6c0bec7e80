/** A whole store as rows, table by table in the order of their keys, and as a backup. */

import { schemaVersion } from '../schema/migrate.ts'
import { pageOfRows, type Table, type Values, valuesOf } from '../schema/table.ts'
import type { SqlSession } from '../sql/database.ts'
import { openSession } from '../sql/open.ts'
import { tables } from '../sql/records.ts'
import { text } from '../sql/row.ts'
import { statement } from '../sql/statement.ts'
import type { BackupHeader, Part, SealingKeys } from './backup-format.ts'
import { type WrittenBackup, writeBackup } from './backup-writer.ts'
import { copyLimits } from './limits.ts'

/** The rows of a table after a key, or all, some at a time; none of them stays in memory. */
export async function* rowsOf(
  session: SqlSession,
  table: Table,
  after: Values | null = null,
): AsyncGenerator<readonly Values[]> {
  let last = after
  for (;;) {
    const found = await session.run(pageOfRows(table, last, copyLimits.rows))
    const rows = valuesOf(found, table.columns)
    if (rows.length > 0) yield rows
    if (rows.length < copyLimits.rows) return
    last = rows.at(-1)?.slice(0, table.key.length) ?? null
  }
}

async function* partsOf(session: SqlSession): AsyncGenerator<Part> {
  for (const table of tables) {
    const { name, columns } = table
    yield { table: name, columns, rows: [] }
    for await (const rows of rowsOf(session, table)) yield { table: name, columns, rows }
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
export const backUp = async (url: string, path: string, takenAt: number): Promise<BackedUp> => {
  const session = await openSession(url, 'snapshot')
  try {
    const sealingKeys = await findSealingKeys(session)
    const header = { schema: schemaVersion, takenAt, sealingKeys }
    return { ...header, ...(await writeBackup(path, header, partsOf(session))) }
  } finally {
    await session.close()
  }
}
