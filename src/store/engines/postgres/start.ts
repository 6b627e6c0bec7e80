/**
 * Checks of a PostgreSQL database before the service begins: it exists, is sound, and belongs to
 * Latchkey.
 */
import { StoreFault, StoreRefusal } from '../../fault.ts'
import { findSchemaFault, listMigrations, schema, schemaVersion } from '../../schema/migrate.ts'
import type { Purpose } from '../../sql/database.ts'
import type { Row, Rows, Value } from '../../sql/statement.ts'
import { createClient, migrationMilliseconds, prepare } from './client.ts'
import { durabilityColumns, findLoss, setDurable } from './connection.ts'
import { findSqlState, getTrouble, mostTries } from './fault.ts'

const leastVersion = 13

type Ask = (sql: string, ...params: readonly Value[]) => Promise<Rows>

const askConditions = `select version() as version,
  current_setting('server_version_num', true) as number,
  current_setting('server_encoding', true) as encoding,
  ${durabilityColumns},
  current_setting('transaction_read_only', true) as read_only`

/**
 * How relatives of PostgreSQL call themselves: YugabyteDB `PostgreSQL 15.2-YB-2.25.0.0-b0`. Each of them
 * commits every statement of a migration by itself, so one that is interrupted could never be finished.
 */
const relatives = { CockroachDB: /^CockroachDB/, YugabyteDB: /-YB-/ }

/** Why a database does not serve, or null. A setting that an engine does not know is null. */
export const findCondition = (row: Row): string | null => {
  const isOf = ([, pattern]: [string, RegExp]) => pattern.test(String(row.version))
  const [relative] = Object.entries(relatives).find(isOf) ?? []
  if (relative !== undefined) return `is ${relative}, which is not supported; expected PostgreSQL`
  const version = Number(row.number ?? Number.POSITIVE_INFINITY)
  if (version < leastVersion * 10_000) {
    return `is PostgreSQL ${Math.floor(version / 10_000)}, expected ${leastVersion} or later`
  }
  if (row.encoding != null && row.encoding !== 'UTF8') {
    return `is encoded in ${row.encoding}, expected UTF8`
  }
  const loss = findLoss(row)
  if (loss !== null) return loss
  return row.read_only === 'on' ? 'takes no writes: it is a standby or set to read-only' : null
}

const namesAreTaken = 'belongs to another program: one of its tables has a name that is needed here'

const explanations: Readonly<Record<string, string>> = {
  '28P01': 'refuses the user name or the password',
  '28000': 'does not admit this user',
  '3D000': 'does not exist',
  '42501': 'does not let this user create tables',
  '42P07': namesAreTaken,
  '53300': 'has no connection left for this node',
  '55P03': 'is being prepared by another node, which does not come to an end',
  '57P03': 'is starting up or shutting down',
}

const explain = (error: unknown): string => {
  // The client gives no code to this fault.
  if (error instanceof Error && error.message.includes('client password must be')) {
    return 'asks for a password: put it into PGPASSWORD, or into the URL in LATCHKEY_STORE'
  }
  const state = findSqlState(error)
  if (state !== null) return explanations[state] ?? `cannot be prepared (PostgreSQL error ${state})`
  if (error instanceof StoreFault) return `cannot be used: ${error.message}`
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return `cannot be reached${code}`
}

const refuseSchema = (version: number): void => {
  const fault = findSchemaFault(version)
  if (fault !== null) throw new StoreRefusal(fault)
}

/** The version of the schema; 0 where there is none yet. */
const findVersion = async (ask: Ask): Promise<number> => {
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

/** One node at a time: whoever holds the row of the schema brings it up to date. */
const migrate = async (ask: Ask): Promise<void> => {
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
  for (const migration of listMigrations(found)) {
    for (const sql of migration.statements) {
      // Ids are compared by their bytes, as everywhere else.
      await ask(sql.replaceAll(/ text\b/g, ' text collate "C"'))
    }
    await ask("update latchkey_schema set version = ? where id = 'schema'", migration.version)
  }
  await ask('commit')
}

/** What a database is opened for: a service, or a session. */
type OpenFor = 'service' | Purpose

const check = async (ask: Ask, use: OpenFor): Promise<void> => {
  await ask(setDurable)
  const [conditions] = await ask(askConditions)
  const condition = findCondition(conditions ?? {})
  if (condition !== null) throw new StoreRefusal(condition)
  const found = await findVersion(ask)
  refuseSchema(found)
  if (found === schemaVersion) return
  const isRead = use === 'snapshot' || use === 'source'
  if (isRead && found === 0) throw new StoreRefusal('holds no store')
  if (isRead) {
    throw new StoreRefusal(
      'was written by an older version of this program; start the service once, which brings it up to date',
    )
  }
  await migrate(ask)
}

/** Two nodes that begin at once may get in each other's way: then one of them looks again. */
const checkAgain = async (ask: Ask, use: OpenFor, tries = 1): Promise<void> => {
  try {
    await check(ask, use)
  } catch (error) {
    const state = findSqlState(error) ?? ''
    // 42710, 42P07: the other one has just created what this one was about to create.
    const isNamedAlready = state === '42710' || state === '42P07'
    const isOvertaken = ['race', 'conflict'].includes(getTrouble(error)) && state !== '55P03'
    if (!(isNamedAlready || isOvertaken) || tries >= mostTries) throw error
    await ask('rollback')
    await checkAgain(ask, use, tries + 1)
  }
}

/**
 * Transactions have smaller ids in a new cluster that was filled from a dump. Events of the old one
 * would become new once the ids have grown so far, so they lose their places (decision 0074).
 */
const forgetPlacesAhead = `update events set place = 0 where place > 0
  and place >= cast(cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as bigint)`

/** A database that holds a part of another store must not be taken for a whole one. */
const checkFinished = async (ask: Ask): Promise<void> => {
  const found = await ask("select id from latchkey_schema where id = 'migration'")
  if (found.length === 0) return
  throw new StoreRefusal(
    'holds a part of another store: a migration into it is not finished; run latchkey migrate again: it goes on where it stopped',
  )
}

/** How a database is spoken of: never with its user or password. */
const formatName = (url: string): string => {
  const { hostname, port, pathname } = new URL(url)
  const host = hostname === '' ? '' : ` at ${hostname}${port === '' ? '' : `:${port}`}`
  return `the database ${decodeURIComponent(pathname.slice(1)) || '(no name)'}${host}`
}

/**
 * Brings the database up to date, or refuses it.
 *
 * @throws StoreRefusal
 */
export const prepareDatabase = async (url: string, use: OpenFor = 'service'): Promise<void> => {
  const { client } = createClient(url, { lock_timeout: migrationMilliseconds })
  client.on('error', () => {})
  const ask: Ask = async (sql, ...params) =>
    (await client.query<Row>(prepare(sql).text, [...params])).rows
  try {
    await client.connect()
    await checkAgain(ask, use)
    if (use !== 'target') await checkFinished(ask)
    if (use === 'service' || use === 'empty') await ask(forgetPlacesAhead)
  } catch (error) {
    const why = error instanceof StoreRefusal ? error.message : explain(error)
    throw new StoreRefusal(`${formatName(url)} ${why}`)
  } finally {
    await client.end().catch(() => {})
  }
}
