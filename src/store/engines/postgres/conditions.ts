/** Settings of a PostgreSQL server that an operator may have to change, for `latchkey doctor`. */

import { integer, text } from '../../sql/row.ts'
import { statement } from '../../sql/statement.ts'
import { connectSession } from './session.ts'

export interface PostgresConditions {
  /** How many connections this role and database may have, at most. */
  readonly connections: number
  readonly autovacuum: boolean
  /** The default of a session; those of the service set it on. */
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

/** @throws StoreFault */
export const findConditions = async (url: string): Promise<PostgresConditions> => {
  const session = await connectSession(url)
  try {
    const [row = {}] = await session.run(statement(question))
    const limits = [row.server_limit, row.role_limit, row.database_limit].map(integer)
    return {
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
