/**
 * Partitions by month on PostgreSQL, for the tables whose keys begin with the time. The months ahead
 * are made before anything is written in them; a past month goes once it is empty.
 */
import { firstIdAt } from '../../model/ids.ts'
import { StoreFault, StoreRefusal } from '../fault.ts'
import { connectSession } from './postgres-session.ts'
import { integer, text } from './row.ts'
import { inTransaction, type SqlSession } from './session.ts'
import { statement } from './statement.ts'

interface MonthlyTable {
  readonly key: string
  /** How SQL writes the least key of a day (days since 1970). */
  readonly keyAt: (day: number) => string
}

export const monthlyTables = {
  access_log: { key: 'day', keyAt: String },
  events: { key: 'id', keyAt: (day) => `'${firstIdAt(day * 86_400_000)}'` },
} as const satisfies Readonly<Record<string, MonthlyTable>>

export type MonthlyName = keyof typeof monthlyTables

/** Months are counted from January 1970. */
export const monthOf = (seconds: number): number => {
  const date = new Date(seconds * 1000)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

const firstDayOf = (month: number): number => Date.UTC(1970, month, 1) / 86_400_000

const monthsAhead = 2

/** `events_2026_11` */
const nameOf = (table: MonthlyName, month: number): string => {
  const [year, number] = new Date(Date.UTC(1970, month, 1)).toISOString().split('-')
  return `${table}_${year}_${number}`
}

/** The partition for rows of all other months. */
export const otherOf = (table: MonthlyName): string => `${table}_other`

/** The month of a partition; null for the one of everything else. */
const monthIn = (name: string): number | null => {
  const [, year, month] = /_(\d{4})_(\d\d)$/.exec(name) ?? []
  return year === undefined ? null : (Number(year) - 1970) * 12 + Number(month) - 1
}

/** Rows of the month that came before it had a partition go into it. */
const createMonth = async (
  session: SqlSession,
  table: MonthlyName,
  month: number,
): Promise<void> => {
  const { key, keyAt } = monthlyTables[table]
  const name = nameOf(table, month)
  const [from, to] = [keyAt(firstDayOf(month)), keyAt(firstDayOf(month + 1))]
  for (const sql of [
    `create table ${name} (like ${table} including defaults including constraints)`,
    `with moved as
       (delete from ${otherOf(table)} where ${key} >= ${from} and ${key} < ${to} returning *)
     insert into ${name} select * from moved`,
    `alter table ${table} attach partition ${name} for values from (${from}) to (${to})`,
  ]) {
    await session.run(statement(sql))
  }
}

/** @param from the first month; the months ahead of `now` are the last */
export const createMonths = async (
  session: SqlSession,
  table: MonthlyName,
  from: number,
  now: number,
  known: ReadonlySet<string> = new Set(),
): Promise<void> => {
  for (let month = from; month <= monthOf(now) + monthsAhead; month++) {
    if (!known.has(nameOf(table, month))) await createMonth(session, table, month)
  }
}

const isEmpty = async (session: SqlSession, name: string): Promise<boolean> =>
  (await session.run(statement(`select 1 as found from ${name} limit 1`))).length === 0

/** Only once nothing is in it, so how long rows are kept is said in one place: the purge. */
const dropEmpty = async (session: SqlSession, table: MonthlyName, name: string): Promise<void> => {
  if (!(await isEmpty(session, name))) return
  await session.run(statement(`lock table only ${table} in access exclusive mode`))
  if (await isEmpty(session, name)) await session.run(statement(`drop table ${name}`))
}

const findPartitions = async (
  session: SqlSession,
  table: MonthlyName,
): Promise<readonly string[]> => {
  const rows = await session.run(
    statement(
      `select cast(c.relname as text) as name from pg_inherits i
         join pg_class p on p.oid = i.inhparent and p.relkind = 'p'
         join pg_class c on c.oid = i.inhrelid
       where p.relname = ? and pg_table_is_visible(p.oid)`,
      table,
    ),
  )
  return rows.map(({ name }) => text(name))
}

/** Those of the tables that are partitioned, with their partitions. */
const findPartitioned = async (session: SqlSession) => {
  const found: (readonly [MonthlyName, readonly string[]])[] = []
  for (const table of Object.keys(monthlyTables) as MonthlyName[]) {
    const partitions = await findPartitions(session, table)
    if (partitions.length > 0) found.push([table, partitions])
  }
  return found
}

const createNext = async (session: SqlSession, now: number): Promise<void> => {
  for (const [table, partitions] of await findPartitioned(session)) {
    await createMonths(session, table, monthOf(now), now, new Set(partitions))
  }
}

const dropPast = async (session: SqlSession, now: number): Promise<void> => {
  for (const [table, partitions] of await findPartitioned(session)) {
    for (const name of partitions) {
      const month = monthIn(name)
      if (month !== null && month < monthOf(now)) await dropEmpty(session, table, name)
    }
  }
}

/** Nobody waits long for a table that is being changed: the next time is soon enough. */
const lockMilliseconds = 1000

const holdSchema = "select version from latchkey_schema where id = 'schema' for update skip locked"

/** Does nothing if another node is doing the work, or if there are no partitions. */
const onPartitioned = async (
  url: string,
  work: (session: SqlSession) => Promise<void>,
): Promise<void> => {
  const session = await connectSession(url)
  try {
    if ((await findPartitioned(session)).length === 0) return
    await inTransaction(session, async () => {
      await session.run(statement(`set local lock_timeout = ${lockMilliseconds}`))
      const held = await session.run(statement(holdSchema))
      if (held.length > 0) await work(session)
    })
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error
    throw new StoreRefusal(
      `the partitions of the database cannot be changed: ${error.message}; does a backup hold the tables?`,
    )
  } finally {
    await session.close().catch(() => {})
  }
}

/**
 * Makes the partitions of this month and the next ones, by the clock of the database, before anything
 * is written.
 *
 * @throws StoreRefusal
 */
export const createNextMonths = (url: string): Promise<void> =>
  onPartitioned(url, async (session) => {
    const [row] = await session.run(
      statement('select cast(extract(epoch from now()) as bigint) as now'),
    )
    await createNext(session, integer(row?.now))
  })

/**
 * Makes the partitions of the next months, and drops those of past months that are empty.
 *
 * @param now unix seconds
 * @throws StoreRefusal
 */
export const keepMonths = (url: string, now: number): Promise<void> =>
  onPartitioned(url, async (session) => {
    await createNext(session, now)
    await dropPast(session, now)
  })
