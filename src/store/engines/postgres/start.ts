/**
 * Checks of a PostgreSQL database before the service begins: it exists, is sound, and belongs to
 * Latchkey.
 */
import { drawRandom } from '../../../crypto/digest.ts'
import type { ShardKeys } from '../../../crypto/shard-keys.ts'
import type { Random } from '../../../model/ids.ts'
import { StoreFault, StoreRefusal } from '../../fault.ts'
import { schemaVersion } from '../../schema/migrate.ts'
import type { Purpose } from '../../sql/database.ts'
import type { Row } from '../../sql/statement.ts'
import { type Ask, areDistributed, findCluster, findClusterFault } from '../citus/cluster.ts'
import { findCoordinator } from '../citus/coordinator.ts'
import { openKeysBy } from '../citus/secret.ts'
import { refuseLossyWorkers } from '../citus/workers.ts'
import { createClient, migrationMilliseconds, prepare } from './client.ts'
import { durabilityColumns, findLoss, setDurable } from './connection.ts'
import { findSqlState, getTrouble, mostTries } from './fault.ts'
import {
  addOutbox,
  findMends,
  findVersion,
  migrate,
  namesAreTaken,
  refuseSchema,
} from './tables.ts'

const leastVersion = 13

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

const explanations: Readonly<Record<string, string>> = {
  '08006': 'has a worker that its coordinator cannot reach; the log of the coordinator says why',
  '28P01': 'refuses the user name or the password',
  '28000': 'does not admit this user',
  '3D000': 'does not exist',
  '42501': 'does not let this user create tables',
  '42P07': namesAreTaken,
  '53300': 'has no connection left for this node',
  '55P03': 'is being prepared by another node, which does not come to an end',
  '57P03': 'is starting up or shutting down',
}

export const explain = (error: unknown): string => {
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

/** What a database is opened for: a service, or a session. */
type OpenFor = 'service' | 'distribution' | Purpose

const unfinished: Readonly<Record<string, string>> = {
  migration:
    'holds a part of another store: a migration into it is not finished; run latchkey migrate again: it goes on where it stopped',
  distribution:
    'is being distributed, and that is not finished; run latchkey distribute again: it goes on where it stopped',
}

/** A database that holds a part of a store must not be taken for a whole one. */
const checkFinished = async (ask: Ask, use: OpenFor): Promise<void> => {
  const marks = await ask(
    "select id from latchkey_schema where id in ('migration', 'distribution') order by id",
  )
  const own = { target: 'migration', distribution: 'distribution' }
  const [mark] = marks.filter(({ id }) => !(use in own) || own[use as keyof typeof own] !== id)
  if (mark !== undefined) throw new StoreRefusal(unfinished[String(mark.id)] ?? '')
}

/** What a database was found to be. */
interface FoundDatabase {
  readonly isDistributed: boolean
  /** Of a worker: the URL of its coordinator. */
  readonly elsewhere: string | null
  readonly note: string | null
}

const note =
  'the database has Citus, and the tables are on one machine: latchkey distribute distributes them'

/** Brings the tables up to date. @param found the version of the schema */
const bringUp = async (ask: Ask, use: OpenFor, found: number): Promise<FoundDatabase> => {
  const cluster = await findCluster(ask)
  const isOn = async () => cluster !== null && (await areDistributed(ask))
  // Rows that come as a whole, from a backup or another store, come into tables on one machine.
  const isNew = found === 0 && use === 'service' && cluster !== null
  const fault = isNew ? findClusterFault(cluster) : null
  if (fault !== null) throw new StoreRefusal(fault)
  const willBe = isNew || (await isOn())
  if (willBe && use === 'service') await refuseLossyWorkers(ask)
  const isUnfit = use === 'service' && !willBe && (await findMends(ask)).length > 0
  if (found !== schemaVersion || isUnfit) await migrate(ask, willBe)
  const isDistributed = await isOn()
  if (isDistributed) await addOutbox(ask)
  return {
    isDistributed,
    elsewhere: null,
    note: cluster !== null && !isDistributed ? note : null,
  }
}

const check = async (ask: Ask, use: OpenFor, url: string): Promise<FoundDatabase> => {
  await ask(setDurable)
  const [conditions] = await ask(askConditions)
  const condition = findCondition(conditions ?? {})
  if (condition !== null) throw new StoreRefusal(condition)
  const coordinator = findCoordinator(url, await findCluster(ask))
  if (coordinator !== null) return { isDistributed: true, elsewhere: coordinator, note: null }
  const found = await findVersion(ask)
  refuseSchema(found)
  if (found > 0) await checkFinished(ask, use)
  const isFilled = use === 'service' || use === 'empty' || use === 'target'
  if (!isFilled && found === 0) throw new StoreRefusal('holds no store')
  if (!isFilled && found !== schemaVersion) {
    throw new StoreRefusal(
      'was written by an older version of this program; start the service once, which brings it up to date',
    )
  }
  return bringUp(ask, use, found)
}

/** Two nodes that begin at once may get in each other's way: then one of them looks again. */
const checkAgain = async (
  ask: Ask,
  use: OpenFor,
  url: string,
  tries = 1,
): Promise<FoundDatabase> => {
  try {
    return await check(ask, use, url)
  } catch (error) {
    const state = findSqlState(error) ?? ''
    // 42710, 42P07: the other one has just created what this one was about to create.
    const isNamedAlready = state === '42710' || state === '42P07'
    const isOvertaken = ['race', 'conflict'].includes(getTrouble(error)) && state !== '55P03'
    if (!(isNamedAlready || isOvertaken) || tries >= mostTries) throw error
    await ask('rollback')
    return checkAgain(ask, use, url, tries + 1)
  }
}

/**
 * Transactions have smaller ids in a new cluster that was filled from a dump. Events of the old one
 * would become new once the ids have grown so far, so they lose their places (decision 0074).
 */
const forgetPlacesAhead = `update events set place = 0 where place > 0
  and place >= cast(cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as bigint)`

/** How a database is spoken of: never with its user or password. */
export const formatName = (url: string): string => {
  const { hostname, port, pathname } = new URL(url)
  const host = hostname === '' ? '' : ` at ${hostname}${port === '' ? '' : `:${port}`}`
  return `the database ${decodeURIComponent(pathname.slice(1)) || '(no name)'}${host}`
}

/** A database that is ready. */
export interface ReadyDatabase {
  /** Where it is: of a worker, its coordinator. */
  readonly url: string
  /** Of a store over many machines; null of any other. */
  readonly keys: ShardKeys | null
  /** What an operator should know. */
  readonly notes: readonly string[]
}

interface Opening {
  readonly use: OpenFor
  readonly random: Random
}

/** @returns what is ready, or the URL of the coordinator to go to */
const prepareAt = async (
  url: string,
  { use, random }: Opening,
): Promise<ReadyDatabase | string> => {
  const { client } = createClient(url, { lock_timeout: migrationMilliseconds })
  client.on('error', () => {})
  const ask: Ask = async (sql, ...params) =>
    (await client.query<Row>(prepare(sql).text, [...params])).rows
  try {
    await client.connect()
    const { isDistributed, elsewhere, note } = await checkAgain(ask, use, url)
    if (elsewhere !== null) return elsewhere
    if (use === 'service' || use === 'empty') await ask(forgetPlacesAhead)
    // Before the first row of an owner. In the middle of a distribution, the facts are still to come.
    const keys = isDistributed && use !== 'distribution' ? await openKeysBy(ask, random) : null
    return { url, keys, notes: note === null ? [] : [note] }
  } catch (error) {
    const why = error instanceof StoreRefusal ? error.message : explain(error)
    throw new StoreRefusal(`${formatName(url)} ${why}`)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Brings the database up to date, or refuses it.
 *
 * @throws StoreRefusal
 */
export const prepareDatabase = async (
  url: string,
  use: OpenFor = 'service',
  random: Random = drawRandom,
): Promise<ReadyDatabase> => {
  const first = await prepareAt(url, { use, random })
  if (typeof first !== 'string') return first
  const second = await prepareAt(first, { use, random })
  if (typeof second === 'string') {
    throw new StoreRefusal(
      `${formatName(first)} is a worker, and ${formatName(url)} takes it for the coordinator`,
    )
  }
  const moved = `${formatName(url)} is a worker of Citus: the coordinator serves, ${formatName(first)}`
  return { ...second, notes: [moved, ...second.notes] }
}
