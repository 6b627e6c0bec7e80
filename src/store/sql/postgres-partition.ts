/** `latchkey partition`: the tables that grow with time are partitioned by month on PostgreSQL. */
import {
  createMonths,
  type MonthlyName,
  monthlyTables,
  monthOf,
  otherOf,
} from './postgres-months.ts'
import { openPostgresSession } from './postgres-session.ts'
import { integer, integerOrNull, text } from './row.ts'
import { inTransaction, type SqlSession } from './session.ts'
import { statement } from './statement.ts'

export interface Partitioned {
  /** How many partitions each table has now. */
  readonly partitions: Readonly<Record<string, number>>
}

const run = async (session: SqlSession, ...texts: readonly string[]): Promise<void> => {
  for (const sql of texts) await session.run(statement(sql))
}

/** Indexes and constraints of a table, as SQL that makes them again under the same name. */
const findRest = async (session: SqlSession, table: string): Promise<readonly string[]> => {
  const constraints = await session.run(
    statement(
      `select cast(conname as text) as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where conrelid = cast(? as regclass) and contype in ('p', 'u', 'f')`,
      table,
    ),
  )
  const indexes = await session.run(
    statement(
      `select pg_get_indexdef(i.indexrelid) as definition from pg_index i
       where i.indrelid = cast(? as regclass)
         and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`,
      table,
    ),
  )
  return [
    ...constraints.map(
      ({ name, definition }) =>
        `alter table ${table} add constraint ${text(name)} ${text(definition)}`,
    ),
    ...indexes.map(({ definition }) => text(definition)),
  ]
}

/** While it is replaced, the table as it was has this name. */
const wholeOf = (table: MonthlyName): string => `${table}_whole`

/** When the oldest row is of, in unix seconds. */
const oldestIn = {
  events: `select min(at) as at from ${wholeOf('events')}`,
  access_log: `select min(day) * cast(86400 as bigint) as at from ${wholeOf('access_log')}`,
} as const

/** As long as anything may be kept: ten years. */
const mostMonthsBack = 120

/** The month of the oldest row; not further back than a purge could have left rows. */
const findFirstMonth = async (
  session: SqlSession,
  table: MonthlyName,
  now: number,
): Promise<number> => {
  const [row] = await session.run(statement(oldestIn[table]))
  const at = integerOrNull(row?.at ?? null)
  const thisMonth = monthOf(now)
  return at === null
    ? thisMonth
    : Math.min(thisMonth, Math.max(monthOf(at), thisMonth - mostMonthsBack))
}

const countPartitions = async (session: SqlSession, table: string): Promise<number> => {
  const [row] = await session.run(
    statement(
      'select count(*) as partitions from pg_inherits where inhparent = cast(? as regclass)',
      table,
    ),
  )
  return integer(row?.partitions)
}

/** Indexes are made once the rows are there, which is quicker. */
const partitionTable = async (session: SqlSession, table: MonthlyName, now: number) => {
  const whole = wholeOf(table)
  await run(session, `lock table ${table} in access exclusive mode`)
  const rest = await findRest(session, table)
  await run(
    session,
    `alter table ${table} rename to ${whole}`,
    `create table ${table} (like ${whole} including defaults including constraints)
     partition by range (${monthlyTables[table].key})`,
    `create table ${otherOf(table)} partition of ${table} default`,
  )
  await createMonths(session, table, await findFirstMonth(session, table, now), now)
  await run(
    session,
    `insert into ${table} select * from ${whole}`,
    `drop table ${whole}`,
    ...rest,
    `analyze ${table}`,
  )
}

/**
 * Partitions `events` and `access_log` by month, in one transaction. A table that is partitioned already stays as it is.
 *
 * @param now unix seconds
 * @throws StoreRefusal, StoreFault
 */
export const partition = async (url: string, now: number): Promise<Partitioned> => {
  const session = await openPostgresSession(url, 'empty')
  try {
    return await inTransaction(session, async () => {
      // One node at a time, as for migrations.
      await run(session, "select version from latchkey_schema where id = 'schema' for update")
      const partitions: Record<string, number> = {}
      for (const table of Object.keys(monthlyTables) as MonthlyName[]) {
        if ((await countPartitions(session, table)) === 0) {
          await partitionTable(session, table, now)
        }
        partitions[table] = await countPartitions(session, table)
      }
      return { partitions }
    })
  } finally {
    await session.close()
  }
}
