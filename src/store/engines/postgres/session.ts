/** A session on a PostgreSQL database. */
import { StoreRefusal } from '../../fault.ts'
import type { Purpose, SqlSession } from '../../sql/database.ts'
import { integer, text } from '../../sql/row.ts'
import { type Row, type Statement, statement } from '../../sql/statement.ts'
import type { SeenWorkers } from '../../store.ts'
import { type Ask, areDistributed, findCluster } from '../citus/cluster.ts'
import { findCoordinator } from '../citus/coordinator.ts'
import { readMachine } from '../citus/machines.ts'
import { findBegin, findBegins, findNearUrl } from '../citus/near-lines.ts'
import { beginSnapshot, readWhole } from '../citus/whole.ts'
import { boundAnswers, lookAtWorkers } from '../citus/workers.ts'
import { createClient, migrationMilliseconds, prepare } from './client.ts'
import { setDurable } from './connection.ts'
import { failed, findSqlState, lostBy } from './fault.ts'
import { prepareDatabase } from './start.ts'

const snapshot = 'begin isolation level repeatable read, read only'

/**
 * A session on a database that was prepared before.
 *
 * @throws StoreFault
 */
const connectSession = async (url: string, opening?: string): Promise<SqlSession> => {
  const { client } = createClient(url, { lock_timeout: migrationMilliseconds })
  // A connection that is lost is told of by the next statement.
  client.on('error', () => {})
  const explained = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      // Without a word of PostgreSQL's own it is the connection that is gone.
      throw findSqlState(error) === null ? lostBy(error) : failed('a session', error)
    })
  try {
    await explained(client.connect())
    await explained(client.query(setDurable))
    if (opening !== undefined) await explained(client.query(opening))
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return {
    run: async ({ sql, params }: Statement) => {
      if (params.some((value) => typeof value === 'string' && value.includes('\0'))) {
        throw new StoreRefusal('a text holds the character U+0000, which PostgreSQL cannot keep')
      }
      return (await explained(client.query<Row>(prepare(sql).text, [...params]))).rows
    },
    command: async (text) => {
      await explained(client.query(text))
    },
    close: () => explained(client.end()),
  }
}

/** Of a store over many machines. */
const connectWhole = async (url: string, purpose: Purpose): Promise<SqlSession> => {
  const session = await connectSession(url)
  const ask: Ask = (sql, ...params) => session.run(statement(sql, ...params))
  try {
    if (purpose === 'snapshot') await beginSnapshot(ask, snapshot)
  } catch (error) {
    await session.close()
    throw error
  }
  return { ...session, run: ({ sql, params }) => readWhole(ask, sql, params) }
}

/** @throws StoreRefusal */
export const openPostgresSession = async (url: string, purpose: Purpose): Promise<SqlSession> => {
  const { url: place, keys } = await prepareDatabase(url, purpose)
  if (keys !== null && (purpose === 'empty' || purpose === 'target')) {
    throw new StoreRefusal(
      'the database is distributed, and takes no rows of another store: fill a new database, and run latchkey distribute on it',
    )
  }
  if (keys !== null) return connectWhole(place, purpose)
  return connectSession(place, purpose === 'snapshot' ? snapshot : undefined)
}

/** Settings of a server that an operator may have to change, for `latchkey doctor`. */
export interface PostgresConditions {
  /** How many connections this role and database may have, at most. */
  readonly connections: number
  readonly autovacuum: boolean
  /** The default of the database. Each session of the service sets `on`. */
  readonly synchronousCommit: string
  /** The address that the server sees; null over a local socket. */
  readonly address: string | null
  readonly encrypted: boolean
  /** Unix seconds, by the clock of the server. */
  readonly time: number
}

/** A limit below zero is none. */
const question = `select
  current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) as server_limit,
  (select rolconnlimit from pg_roles where rolname = current_user) as role_limit,
  (select datconnlimit from pg_database where datname = current_database()) as database_limit,
  current_setting('autovacuum') as autovacuum,
  (select reset_val from pg_settings where name = 'synchronous_commit') as synchronous_commit,
  host(inet_client_addr()) as address,
  coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false)::int as encrypted,
  floor(extract(epoch from clock_timestamp()))::bigint as time`

/** Where the service goes: of a worker, to its coordinator. */
const findPlace = async (url: string): Promise<{ url: string; isDistributed: boolean }> => {
  const session = await connectSession(url)
  try {
    const ask: Ask = (sql, ...params) => session.run(statement(sql, ...params))
    const cluster = await findCluster(ask)
    const isDistributed = cluster !== null && (cluster.isWorker || (await areDistributed(ask)))
    return { url: findCoordinator(url, cluster) ?? url, isDistributed }
  } finally {
    await session.close()
  }
}

/** The machines of a database. */
export interface DoctoredWorkers extends SeenWorkers {
  /** Names of those that only the coordinator reaches. */
  readonly far: readonly string[]
}

/** Whether the service reaches a worker without the coordinator: the one that began then. */
const isNear = async (url: string, name: string, begun: string | undefined): Promise<boolean> => {
  const there = findNearUrl(url, readMachine(name))
  if (there === null) return false
  try {
    const session = await connectSession(there)
    const here: Ask = (sql, ...params) => session.run(statement(sql, ...params))
    return (await findBegin(here).finally(session.close)) === begun
  } catch {
    return false
  }
}

const lookAtMachines = async (url: string, ask: Ask): Promise<DoctoredWorkers> => {
  const seen = await lookAtWorkers(ask)
  const begins = await findBegins(ask, seen)
  const far: string[] = []
  for (const { name, isReachable } of seen.workers) {
    if (isReachable && !(await isNear(url, name, begins.get(name)))) far.push(name)
  }
  return { ...seen, far }
}

/** @returns also which machines of the database are reached; null on one machine. @throws StoreFault */
export const findConditions = async (
  named: string,
): Promise<PostgresConditions & { readonly machines: DoctoredWorkers | null }> => {
  const { url, isDistributed } = await findPlace(named)
  const session = await connectSession(url, isDistributed ? boundAnswers : undefined)
  try {
    const ask: Ask = (sql, ...params) => session.run(statement(sql, ...params))
    const machines = isDistributed ? await lookAtMachines(url, ask) : null
    const [row = {}] = await session.run(statement(question))
    const limits = [row.server_limit, row.role_limit, row.database_limit].map(integer)
    return {
      machines,
      connections: Math.min(...limits.filter((limit) => limit >= 0)),
      autovacuum: row.autovacuum === 'on',
      synchronousCommit: text(row.synchronous_commit),
      address: row.address === null ? null : text(row.address),
      encrypted: integer(row.encrypted) === 1,
      time: integer(row.time),
    }
  } finally {
    await session.close()
  }
}
