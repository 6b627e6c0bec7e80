/** `latchkey partition`: the tables that grow without end are partitioned on PostgreSQL. */
import { limits } from '../../config/limits.ts'
import {
  createMonths,
  type MonthlyName,
  monthlyTables,
  monthOf,
  otherOf,
} from './postgres-months.ts'
import { openPostgresSession } from './postgres-session.ts'
import { integer, integerOrNull, text } from './row.ts'
import { inTransaction, type Session } from './session.ts'
import { type Statement, statement } from './statement.ts'

export interface Partitioned {
  /** How many partitions each table has now. */
  readonly partitions: Readonly<Record<string, number>>
}

const run = async (session: Session, ...texts: readonly string[]): Promise<void> => {
  for (const sql of texts) await session.run(statement(sql))
}

/** What a table has beside its columns, as SQL that makes it again under the same name. */
const findRest = async (session: Session, table: string): Promise<readonly string[]> => {
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

/** The month of the oldest row; not further back than a purge could have left rows. */
const findFirstMonth = async (
  session: Session,
  oldest: Statement,
  now: number,
): Promise<number> => {
  const [row] = await session.run(oldest)
  const at = integerOrNull(row?.at ?? null)
  const thisMonth = monthOf(now)
  return at === null
    ? thisMonth
    : Math.min(thisMonth, Math.max(monthOf(at), thisMonth - limits.partitions.monthsBack))
}

interface Plan {
  /** The end of `create table`. */
  readonly by: string
  readonly create: (session: Session, now: number) => Promise<void>
}

const byMonth = (table: MonthlyName, oldest: string): Plan => ({
  by: `range (${monthlyTables[table].key})`,
  async create(session, now) {
    await run(session, `create table ${otherOf(table)} partition of ${table} default`)
    const first = await findFirstMonth(session, statement(oldest), now)
    await createMonths(session, table, first, now)
  },
})

const byHash = (table: string): Plan => ({
  by: 'hash (id)',
  async create(session) {
    const { hashed } = limits.partitions
    for (let i = 0; i < hashed; i++) {
      await run(
        session,
        `create table ${table}_${i} partition of ${table}
         for values with (modulus ${hashed}, remainder ${i})`,
      )
    }
  },
})

/** While it is replaced, the table as it was has this name. */
const wholeOf = (table: string): string => `${table}_whole`

const plans: Readonly<Record<string, Plan>> = {
  families: byHash('families'),
  events: byMonth('events', `select min(at) as at from ${wholeOf('events')}`),
  access_log: byMonth(
    'access_log',
    `select min(day) * cast(86400 as bigint) as at from ${wholeOf('access_log')}`,
  ),
}

const countPartitions = async (session: Session, table: string): Promise<number> => {
  const [row] = await session.run(
    statement(
      'select count(*) as partitions from pg_inherits where inhparent = cast(? as regclass)',
      table,
    ),
  )
  return integer(row?.partitions)
}

/** Indexes are made once the rows are there, which is quicker. */
const partitionTable = async (session: Session, table: string, plan: Plan, now: number) => {
  const whole = wholeOf(table)
  await run(session, `lock table ${table} in access exclusive mode`)
  const rest = await findRest(session, table)
  await run(
    session,
    `alter table ${table} rename to ${whole}`,
    `create table ${table} (like ${whole} including defaults including constraints)
     partition by ${plan.by}`,
  )
  await plan.create(session, now)
  await run(
    session,
    `insert into ${table} select * from ${whole}`,
    `drop table ${whole}`,
    ...rest,
    `analyze ${table}`,
  )
}

/**
 * Partitions `families` by the hash of the id, `events` and `access_log` by month, in one
 * transaction. A table that is partitioned already stays as it is.
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
      for (const [table, plan] of Object.entries(plans)) {
        if ((await countPartitions(session, table)) === 0) {
          await partitionTable(session, table, plan, now)
        }
        partitions[table] = await countPartitions(session, table)
      }
      return { partitions }
    })
  } finally {
    await session.close()
  }
}
