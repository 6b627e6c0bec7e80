/** One connection to PostgreSQL, on which statements are sent without waiting for earlier answers. */
import type { Socket } from 'node:net'
import type { Client, QueryResult } from 'pg'
import { StoreFault } from '../../fault.ts'
import { type Row, type Rows, statement } from '../../sql/statement.ts'
import { createClient } from './client.ts'
import type { Dialect, Query, Written } from './dialect.ts'
import { findSqlState } from './fault.ts'

/** Until an answer has come; after that the connection is given up. */
const answerMilliseconds = 7500

export interface Connection {
  /** Sends a statement; answers come in the order of sending. */
  query(query: Query | Written): Promise<Rows>
  /**
   * `begin`, `commit`, `rollback`: answers with the server's tag, such as `rollback` for a failed
   * commit.
   */
  command(text: string): Promise<string>
  /** All that is sent meanwhile goes in one piece. */
  together<Result>(send: () => Result): Result
  isLost(): boolean
  readonly isGrouped: boolean
  /** Lets go at once: what is under way is lost. */
  destroy(): void
  end(): Promise<void>
}

const settings = {
  pipeline: true,
  // One statement at the server, and the wait for one lock.
  statement_timeout: 5000,
  lock_timeout: 1000,
  // Whoever stopped in the middle of a step must not hold its locks for long.
  idle_in_transaction_session_timeout: answerMilliseconds,
  query_timeout: answerMilliseconds,
}

const wrap = (client: Client, socket: Socket, dialect: Dialect): Connection => {
  let lost = false
  const lose = (): void => {
    lost = true
  }
  client.on('error', lose)
  client.on('end', lose)

  const ask = <Answer>(
    config: { name?: string; text: string; values?: unknown[] },
    read: (result: QueryResult<Row>) => Answer,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      client.query(config, (error: Error | null, result: QueryResult<Row>) => {
        // What PostgreSQL did not say itself, such as that no answer came, is about the connection.
        if (error && findSqlState(error) === null) lose()
        if (error) reject(error)
        else resolve(read(result))
      })
    })

  return {
    query: (query) => {
      const { name, text, values } = 'text' in query ? query : dialect.write(query)
      return ask({ name, text, values: [...values] }, ({ rows }) => rows)
    },
    command: (text) => ask({ text }, ({ command }) => command.toLowerCase()),
    together: (send) => {
      socket.cork()
      try {
        return send()
      } finally {
        socket.uncork()
      }
    },
    isGrouped: dialect.isGrouped,
    isLost: () => lost,
    destroy: () => {
      lost = true
      socket.destroy()
    },
    end: async () => {
      lost = true
      await client.end()
    },
  }
}

/** With anything less (its documentation, section 20.5), an answer could be given for what a failing machine then forgets. */
const durable = {
  synchronous_commit: ['on', 'remote_write', 'remote_apply'],
  fsync: ['on'],
  full_page_writes: ['on'],
}

/**
 * Sets for this session what a session may set. A setting of the session beats those of the server,
 * the database and the role, also those that change later. A stronger setting stays.
 */
export const setDurable = `select set_config('synchronous_commit',
    case when current_setting('synchronous_commit', true) in ('remote_write', 'remote_apply')
      then current_setting('synchronous_commit', true) else 'on' end,
    false)
  where current_setting('synchronous_commit', true) is not null`

export const durabilityColumns = Object.keys(durable)
  .map((setting) => `current_setting('${setting}', true) as ${setting}`)
  .join(', ')

export const askDurability = `select ${durabilityColumns}`

/** What could be lost and why, or null. A setting that an engine does not know is null. */
export const findLoss = (row: Row): string | null => {
  for (const [setting, good] of Object.entries(durable)) {
    const value = row[setting]
    if (value != null && !good.includes(String(value))) {
      return `has ${setting} = ${value}, expected ${good[0]}: what it says it has kept, it could lose`
    }
  }
  return null
}

/** Whether the database keeps what it acknowledges, by its latest answer. Steps are refused by it. */
export class Durability {
  #loss: string | null = null

  note(row: Row | undefined): void {
    this.#loss = findLoss(row ?? {})
  }

  isKept(): boolean {
    return this.#loss === null
  }

  /** @throws StoreFault `lossy` */
  check(): void {
    if (this.#loss !== null) throw new StoreFault('lossy', `the database ${this.#loss}`)
  }
}

/** Only tables over many machines have this column. The catalog tells it of any schema, also of none. */
const askTables = `${askDurability}, cast(exists (select 1 from pg_attribute
  where attrelid = to_regclass('owners') and attname = 'shard_key' and not attisdropped) as integer)
  as is_distributed`

/**
 * A node that was cut off while the tables were distributed still takes them for those of one machine.
 *
 * @throws StoreFault `unreachable`
 */
const refuseOutdated = (row: Row | undefined, dialect: Dialect): void => {
  if (dialect.machines !== null || row?.is_distributed !== 1) return
  throw new StoreFault(
    'unreachable',
    'the database was distributed since this node started; start the node again',
  )
}

/** @throws whatever the network or PostgreSQL says */
export const connect = async (
  url: string,
  durability: Durability,
  dialect: Dialect,
): Promise<Connection> => {
  const { client, socket } = createClient(url, settings)
  const connection = wrap(client, socket, dialect)
  try {
    await client.connect()
    // The settings of the database are read anew: they may have changed.
    const ask = (sql: string) => connection.query(statement(sql))
    const [, [row]] = await connection.together(() =>
      Promise.all([ask(setDurable), ask(askTables), ...dialect.sessionSettings.map(ask)]),
    )
    refuseOutdated(row, dialect)
    durability.note(row)
    return connection
  } catch (error) {
    socket.destroy()
    throw error
  }
}
