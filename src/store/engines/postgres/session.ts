/** A session on a PostgreSQL database. */

import { type StoreFault, StoreRefusal } from '../../fault.ts'
import type { Purpose, SqlSession } from '../../sql/database.ts'
import type { Row, Statement } from '../../sql/statement.ts'
import { createClient } from './client.ts'
import { setDurable } from './durability.ts'
import { failed, lostBy, sqlState } from './fault.ts'
import { postgresLimits } from './limits.ts'
import { type OpenFor, prepareDatabase } from './start.ts'
import { prepared } from './text.ts'

const snapshot = 'begin isolation level repeatable read, read only'

const uses: Readonly<Record<Purpose, OpenFor>> = {
  snapshot: 'reading',
  source: 'reading',
  empty: 'store',
  target: 'target',
}

/** Without a word of PostgreSQL's own it is the connection that is gone. */
const explain = (error: unknown): StoreFault =>
  sqlState(error) === null ? lostBy(error) : failed('a session', error)

/**
 * A session on a database that was prepared before.
 *
 * @throws StoreFault
 */
export const connectSession = async (url: string, opening?: string): Promise<SqlSession> => {
  const { client } = createClient(url, { lock_timeout: postgresLimits.migrationMilliseconds })
  // A connection that is lost is told of by the next statement.
  client.on('error', () => {})
  const explained = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw explain(error)
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
    run: async (statement: Statement) => {
      if (statement.params.some((value) => typeof value === 'string' && value.includes('\0'))) {
        throw new StoreRefusal('a text holds the character U+0000, which PostgreSQL cannot keep')
      }
      const text = prepared(statement.sql).text
      return (await explained(client.query<Row>(text, [...statement.params]))).rows
    },
    command: async (text) => {
      await explained(client.query(text))
    },
    close: () => explained(client.end()),
  }
}

/** @throws StoreRefusal */
export const openPostgresSession = async (url: string, purpose: Purpose): Promise<SqlSession> => {
  await prepareDatabase(url, uses[purpose])
  return connectSession(url, purpose === 'snapshot' ? snapshot : undefined)
}
