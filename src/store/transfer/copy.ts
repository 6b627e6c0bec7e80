/**
 * Copies a whole store to another engine, rows as they are. It may be interrupted at any point. The
 * next run goes on after the last copied row, and compares the copied ones.
 */
import { runningDigest } from '../../crypto/running-digest.ts'
import { StoreRefusal } from '../fault.ts'
import {
  anyRow,
  countRows,
  deleteRows,
  insertRows,
  lastKey,
  type Table,
  type Values,
  valuesOf,
} from '../schema/table.ts'
import { inTransaction, type SqlSession } from '../sql/database.ts'
import { openSession } from '../sql/open.ts'
import { tables } from '../sql/records.ts'
import { integer } from '../sql/row.ts'
import { statement } from '../sql/statement.ts'
import type { Counts, SealingKeys } from './backup-format.ts'
import { findSealingKeys, rowsOf } from './dump.ts'

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

type TellProgress = (progress: Progress) => void

/** Two sessions, and how far the work on them has got. */
interface CopyWork {
  readonly source: SqlSession
  readonly target: SqlSession
  /** @param rows so many more are done */
  readonly advance: (doing: Progress['doing'], table: Table, rows: number) => void
}

/** The row by which a store knows that it must not be opened yet; see `postgres-start.ts`. */
const mark = statement("insert into latchkey_schema (id, version) values ('migration', 0)")
const findMark = statement("select id from latchkey_schema where id = 'migration'")
const removeMark = statement("delete from latchkey_schema where id = 'migration'")

/** Takes an empty database for the migration, or one in which this was begun before. */
const claim = (target: SqlSession): Promise<void> =>
  inTransaction(target, async () => {
    if ((await target.run(findMark)).length > 0) return
    for (const table of tables) {
      if ((await target.run(anyRow(table))).length === 0) continue
      throw new StoreRefusal(
        `the database to migrate to is not empty (it has ${table.name}); give a new one, in which no service was started yet`,
      )
    }
    await target.run(mark)
  })

const count = async (session: SqlSession, table: Table): Promise<number> =>
  integer((await session.run(countRows(table)))[0]?.rows)

const findLastKey = async (session: SqlSession, table: Table): Promise<Values | null> =>
  valuesOf(await session.run(lastKey(table)), table.key)[0] ?? null

const copyRows = async (work: CopyWork, table: Table, after: Values | null): Promise<void> => {
  for await (const rows of rowsOf(work.source, table, after)) {
    await work.target.run(insertRows(table, rows))
    work.advance('copying', table, rows.length)
  }
}

const digestOf = async (
  session: SqlSession,
  table: Table,
  onRows: (rows: number) => void = () => {},
): Promise<string> => {
  const digest = runningDigest()
  for await (const rows of rowsOf(session, table)) {
    digest.add(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    onRows(rows.length)
  }
  return digest.end()
}

/** @returns the digest of the rows on both sides, or null where they differ */
const compare = async (
  { source, target, advance }: CopyWork,
  table: Table,
): Promise<string | null> => {
  const there = await digestOf(target, table, (rows) => advance('comparing', table, rows))
  return (await digestOf(source, table)) === there ? there : null
}

const copyTable = async (work: CopyWork, table: Table): Promise<string> => {
  const { target, advance } = work
  const last = await findLastKey(target, table)
  if (last !== null) advance('copying', table, await count(target, table))
  const copyAfter = async (key: Values | null): Promise<string | null> => {
    await copyRows(work, table, key)
    return compare(work, table)
  }
  let digest: string | null
  if (last === null) digest = await copyAfter(null)
  else {
    // The service may have run since the first part was copied; then that part does not fit.
    digest = await copyAfter(last).catch(() => null)
    if (digest === null) {
      await target.run(deleteRows(table))
      digest = await copyAfter(null)
    }
  }
  if (digest !== null) return digest
  throw new StoreRefusal(
    `the table ${table.name} has other rows in the new database than in the old one; does anything write to it?`,
  )
}

const copyAll = async (
  source: SqlSession,
  target: SqlSession,
  tell: TellProgress,
): Promise<Copied> => {
  const rows: Record<string, number> = {}
  for (const table of tables) rows[table.name] = await count(source, table)
  let done = 0
  // Every row is copied once and compared once.
  const steps = 2 * Object.values(rows).reduce((sum, one) => sum + one, 0)
  const advance: CopyWork['advance'] = (doing, { name: table }, more) => {
    done = Math.min(steps, done + more)
    tell({ doing, table, fraction: done / steps })
  }
  const sha256: Record<string, string> = {}
  for (const table of tables)
    sha256[table.name] = await copyTable({ source, target, advance }, table)
  return { sealingKeys: await findSealingKeys(source), rows, sha256 }
}

/**
 * Copies a store into an empty database of another engine. Until it is whole, no service can be
 * started on it; the old one stays as it is.
 *
 * @param from the URL of a store that no service runs on
 * @throws StoreRefusal, StoreFault
 */
export const copyStore = async (from: string, to: string, tell: TellProgress): Promise<Copied> => {
  const source = await openSession(from, 'source')
  try {
    const target = await openSession(to, 'target')
    try {
      await claim(target)
      const copied = await copyAll(source, target, tell)
      await target.run(removeMark)
      return copied
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
