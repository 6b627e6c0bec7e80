/**
 * Copies a whole store to another engine, rows as they are. The copy may be interrupted at any point. The
 * next run goes on after the last copied row, and compares the copied ones.
 */
import { startDigest } from '../../crypto/digest.ts'
import { StoreRefusal } from '../fault.ts'
import { deleteRows, insertRows, selectAnyRow, type Table, type Values } from '../schema/table.ts'
import { runInTransaction, type SqlSession } from '../sql/database.ts'
import { tables } from '../sql/records.ts'
import { integer } from '../sql/row.ts'
import { statement } from '../sql/statement.ts'
import type { Counts, SealingKeys } from './backup-file.ts'
import { findSealingKeys, listValues, readRows, runWithSession } from './dump.ts'

export interface Progress {
  readonly doing: 'copying' | 'comparing'
  readonly table: string
  /** How much of all is done, from 0 to 1. */
  readonly fraction: number
}

export interface Copied {
  readonly sealingKeys: SealingKeys
  readonly rows: Counts
  /** SHA-256 of the rows of each table, the same on both sides. */
  readonly sha256: Readonly<Record<string, string>>
}

/** The row by which a store knows that it must not be opened yet; see `prepareDatabase`. */
const mark = statement("insert into latchkey_schema (id, version) values ('migration', 0)")
const findMark = statement("select id from latchkey_schema where id = 'migration'")
const removeMark = statement("delete from latchkey_schema where id = 'migration'")

/** Takes an empty database for the migration, or one in which this was begun before. */
const claim = (target: SqlSession): Promise<void> =>
  runInTransaction(target, async () => {
    if ((await target.run(findMark)).length > 0) return
    for (const table of tables) {
      if ((await target.run(selectAnyRow(table))).length === 0) continue
      throw new StoreRefusal(
        `the database to migrate to is not empty (it has ${table.name}); give a new one, in which no service was started yet`,
      )
    }
    await target.run(mark)
  })

const count = async (session: SqlSession, { name }: Table): Promise<number> =>
  integer((await session.run(statement(`select count(*) as rows from ${name}`)))[0]?.rows)

/** The key with the greatest value: where copying has got to. */
const findLastKey = async (session: SqlSession, { name, key }: Table): Promise<Values | null> => {
  const order = key.map((one) => `${one} desc`).join(', ')
  const last = statement(`select ${key.join(', ')} from ${name} order by ${order} limit 1`)
  return listValues(await session.run(last), key)[0] ?? null
}

const hashRows = async (
  session: SqlSession,
  table: Table,
  onRows: (rows: number) => void = () => {},
): Promise<string> => {
  const digest = startDigest()
  for await (const rows of readRows(session, table)) {
    digest.add(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    onRows(rows.length)
  }
  return digest.end()
}

const copyAll = async (
  source: SqlSession,
  target: SqlSession,
  tell: (progress: Progress) => void,
): Promise<Copied> => {
  const rows: Record<string, number> = {}
  for (const table of tables) rows[table.name] = await count(source, table)
  let done = 0
  // Every row is copied once and compared once.
  const steps = 2 * Object.values(rows).reduce((sum, one) => sum + one, 0)
  const advance = (doing: Progress['doing'], { name: table }: Table, more: number): void => {
    done = Math.min(steps, done + more)
    tell({ doing, table, fraction: done / steps })
  }
  /** @returns the digest of the rows on both sides, or null where they differ */
  const copyAfter = async (table: Table, key: Values | null): Promise<string | null> => {
    for await (const some of readRows(source, table, key)) {
      await target.run(insertRows(table, some))
      advance('copying', table, some.length)
    }
    const there = await hashRows(target, table, (some) => advance('comparing', table, some))
    return (await hashRows(source, table)) === there ? there : null
  }
  const copyTable = async (table: Table): Promise<string> => {
    const last = await findLastKey(target, table)
    if (last !== null) advance('copying', table, await count(target, table))
    // The service may have run since the first part was copied; then that part does not fit.
    const resumed = last === null ? null : await copyAfter(table, last).catch(() => null)
    if (resumed !== null) return resumed
    if (last !== null) await target.run(deleteRows(table))
    const digest = await copyAfter(table, null)
    if (digest !== null) return digest
    throw new StoreRefusal(
      `the table ${table.name} has other rows in the new database than in the old one; does anything write to it?`,
    )
  }
  const sha256: Record<string, string> = {}
  for (const table of tables) sha256[table.name] = await copyTable(table)
  return { sealingKeys: await findSealingKeys(source), rows, sha256 }
}

/**
 * Copies a store into an empty database of another engine. Until it is whole, no service can be
 * started on it; the old one stays as it is.
 *
 * @param from the URL of a store that no service runs on
 * @throws StoreRefusal, StoreFault
 */
export const copyStore = (
  from: string,
  to: string,
  tell: (progress: Progress) => void,
): Promise<Copied> =>
  runWithSession(from, 'source', (source) =>
    runWithSession(to, 'target', async (target) => {
      await claim(target)
      const copied = await copyAll(source, target, tell)
      await target.run(removeMark)
      return copied
    }),
  )
