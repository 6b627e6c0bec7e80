/** One connection to PostgreSQL, on which statements are sent without waiting for earlier answers. */
import type { Socket } from 'node:net'
import type { Client, QueryResult } from 'pg'
import { type Row, type Rows, statement } from '../../sql/statement.ts'
import { createClient } from './client.ts'
import { askDurability, type Durability, setDurable } from './durability.ts'
import { sqlState } from './fault.ts'
import { postgresLimits } from './limits.ts'
import type { Query } from './lookups.ts'
import { prepared } from './text.ts'

const { statementMilliseconds, answerMilliseconds, lockMilliseconds } = postgresLimits

export interface Connection {
  /** Sends a statement; answers come in the order of sending. */
  query(query: Query): Promise<Rows>
  /**
   * `begin`, `commit`, `rollback`: answers with the server's tag, such as `rollback` for a failed
   * commit.
   */
  command(text: string): Promise<string>
  /** All that is sent meanwhile goes in one piece. */
  together<Result>(send: () => Result): Result
  isLost(): boolean
  /** Lets go at once: what is under way is lost. */
  destroy(): void
  end(): Promise<void>
}

const settings = {
  pipeline: true,
  statement_timeout: statementMilliseconds,
  lock_timeout: lockMilliseconds,
  // Whoever stopped in the middle of a step must not hold its locks for long.
  idle_in_transaction_session_timeout: answerMilliseconds,
  query_timeout: answerMilliseconds,
}

const wrap = (client: Client, socket: Socket): Connection => {
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
        if (error && sqlState(error) === null) lose()
        if (error) reject(error)
        else resolve(read(result))
      })
    })

  return {
    query: ({ sql, params }) => ask({ ...prepared(sql), values: [...params] }, ({ rows }) => rows),
    command: (text) => ask({ text }, ({ command }) => command.toLowerCase()),
    together: (send) => {
      socket.cork()
      try {
        return send()
      } finally {
        socket.uncork()
      }
    },
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

/** Sets the settings of the session, and reads those of the database: they may have changed. */
const makeDurable = async (connection: Connection, durability: Durability): Promise<void> => {
  const [, [row]] = await connection.together(() =>
    Promise.all([
      connection.query(statement(setDurable)),
      connection.query(statement(askDurability)),
    ]),
  )
  durability.note(row)
}

/** @throws whatever the network or PostgreSQL says */
export const connect = async (url: string, durability: Durability): Promise<Connection> => {
  const { client, socket } = createClient(url, settings)
  const connection = wrap(client, socket)
  try {
    await client.connect()
    await makeDurable(connection, durability)
    return connection
  } catch (error) {
    socket.destroy()
    throw error
  }
}
