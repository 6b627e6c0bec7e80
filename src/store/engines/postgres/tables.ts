/** The tables of a PostgreSQL database: made, brought up to date, and never those of another program. */
import { StoreRefusal } from '../../fault.ts'
import { type FoundColumn, listMends } from '../../schema/mend.ts'
import { findSchemaFault, listMigrations, schema } from '../../schema/migrate.ts'
import { type Ask, runAsOne } from '../citus/cluster.ts'
import { findUnfit } from '../citus/migrations.ts'
import { namesSchema } from '../citus/names.ts'
import { outboxSchema, writeSchema } from '../citus/schema.ts'
import { findSqlState } from './fault.ts'

export const namesAreTaken =
  'belongs to another program: one of its tables has a name that is needed here'

export const refuseSchema = (version: number): void => {
  const fault = findSchemaFault(version)
  if (fault !== null) throw new StoreRefusal(fault)
}

/** The version of the schema; 0 where there is none yet. */
export const findVersion = async (ask: Ask): Promise<number> => {
  try {
    const [row] = await ask("select version from latchkey_schema where id = 'schema'")
    return Number(row?.version ?? 0)
  } catch (error) {
    if (findSqlState(error) !== '42P01') throw error
    return 0
  }
}

/** Refuses a database in which another program has such a table, before anything is written. */
const refuseForeign = async (ask: Ask): Promise<void> => {
  const needed = schema.statements.flatMap(
    (sql) => /^create (?:unique )?(?:table|index) (\w+)/.exec(sql)?.[1] ?? [],
  )
  const names = ['latchkey_schema', ...needed]
  const rows = await ask(
    `select relname as name from pg_catalog.pg_class where relname in (${names.map(() => '?').join(', ')})
       and relnamespace = (select oid from pg_catalog.pg_namespace where nspname = current_schema())`,
    ...names,
  )
  if (rows.length === 0 || rows.some(({ name }) => name === 'latchkey_schema')) return
  throw new StoreRefusal(namesAreTaken)
}

/** Ids are compared by their bytes, as everywhere else. */
const writeTexts = (sql: string): string => sql.replaceAll(/ text\b/g, ' text collate "C"')

const listColumns = async (ask: Ask): Promise<readonly FoundColumn[]> => {
  const rows = await ask(
    `select table_name, column_name, is_nullable from information_schema.columns
     where table_schema = current_schema()`,
  )
  return rows.map((row) => ({
    table: String(row.table_name),
    name: String(row.column_name),
    isNullable: row.is_nullable === 'YES',
  }))
}

/** What brings the tables of a checkout between two versions into form. */
export const findMends = async (ask: Ask): Promise<readonly string[]> =>
  listMends(await listColumns(ask))

/** Makes all tables of a new database, or what a newer version has beside an older one. */
export const writeTables = async (
  ask: Ask,
  found: number,
  isDistributed: boolean,
): Promise<void> => {
  const migrations = listMigrations(found)
  const unfit = isDistributed && found > 0 ? findUnfit(migrations) : null
  if (unfit !== null) throw new StoreRefusal(unfit)
  // Tables that refer to one another are changed on a worker over one connection.
  if (isDistributed) await ask("set local citus.multi_shard_modify_mode = 'sequential'")
  for (const { version, statements } of migrations) {
    for (const sql of isDistributed ? statements.flatMap(writeSchema) : statements) {
      await ask(writeTexts(sql))
    }
    await ask("update latchkey_schema set version = ? where id = 'schema'", version)
  }
  if (!isDistributed && found > 0) {
    for (const sql of await findMends(ask)) await ask(writeTexts(sql))
  }
  if (!isDistributed || found > 0) return
  for (const sql of [...namesSchema, ...outboxSchema]) await ask(writeTexts(sql))
}

/** Whether events of a distributed database may wait beside their owners. */
const hasOutbox = async (ask: Ask): Promise<boolean> =>
  (await ask("select 1 as found where to_regclass('event_outbox') is not null")).length > 0

/** Tables that were distributed before events could wait get one for these. */
export const addOutbox = async (ask: Ask): Promise<void> => {
  if (await hasOutbox(ask)) return
  await runAsOne(ask, async () => {
    await ask("select version from latchkey_schema where id = 'schema' for update")
    if (await hasOutbox(ask)) return
    for (const sql of outboxSchema) await ask(writeTexts(sql))
  })
}

/** One node at a time: whoever holds the row of the schema brings it up to date. */
export const migrate = async (ask: Ask, isDistributed: boolean): Promise<void> => {
  await refuseForeign(ask)
  await ask('begin')
  await ask(
    `create table if not exists latchkey_schema
      (id text not null primary key, version integer not null)`,
  )
  const [row] = await ask(
    `insert into latchkey_schema (id, version) values ('schema', 0)
     on conflict (id) do update set version = latchkey_schema.version returning version`,
  )
  const found = Number(row?.version)
  refuseSchema(found)
  await writeTables(ask, found, isDistributed)
  await ask('commit')
}
