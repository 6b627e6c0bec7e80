/** Tables as whole things. The events are those at the coordinator and those beside their owners. */
import { StoreRefusal } from '../../fault.ts'
import { integer } from '../../sql/row.ts'
import type { Row, Rows, Value } from '../../sql/statement.ts'
import type { Ask } from './cluster.ts'

/** Shared by moves; held alone while a snapshot begins. */
export const movesLock = 0x1a7c_0b0e

/** A machine may hang, or this program may stand still, and moves wait meanwhile. */
const beginMilliseconds = 5000
const timeouts = [
  'statement_timeout',
  'idle_session_timeout',
  'idle_in_transaction_session_timeout',
]

/**
 * Begins to read one state between two moves, so that each event is in one of the two tables. A machine that is asked
 * over one connection keeps its state.
 *
 * @throws StoreRefusal where a machine does not answer in time
 */
export const beginSnapshot = async (ask: Ask, begin: string): Promise<void> => {
  await ask("select set_config('citus.max_adaptive_executor_pool_size', '1', false)")
  // PostgreSQL 13 has no timeout of a session.
  await ask(
    `select set_config(name, ?, false) from pg_settings where name in ('${timeouts.join("', '")}')`,
    String(beginMilliseconds),
  )
  try {
    await ask('select pg_advisory_lock(?)', movesLock)
    await ask(begin)
    // Of no row, at every machine.
    await ask('select id from event_outbox where shard_key < 0')
    await ask('select pg_advisory_unlock(?)', movesLock)
  } catch (error) {
    // Whoever closes the session frees the lock.
    const why = error instanceof Error ? error.message : ''
    throw new StoreRefusal(
      `no snapshot of all machines begins: one of them, or a move of events, did not answer in time (${why}); try again once all answer`,
    )
  }
  await ask(
    `select set_config(name, reset_val, false) from pg_settings where name in ('${timeouts.join("', '")}')`,
  )
}

const getId = (row: Row): string => String(row.id)

/** Answers a read of a session, which takes the number of the rows of a table or some of them by their key. */
export const readWhole = async (ask: Ask, sql: string, params: readonly Value[]): Promise<Rows> => {
  if (!/ from events\b/.test(sql)) return ask(sql, ...params)
  // One that is moved in between is found twice, and never missed.
  const waiting = await ask(sql.replace(/ from events\b/, ' from event_outbox'), ...params)
  const rows = await ask(sql, ...params)
  const [first] = rows
  if (first?.id === undefined && first?.rows !== undefined) {
    return [{ rows: integer(first.rows) + integer(waiting[0]?.rows) }]
  }
  const all = new Map([...waiting, ...rows].map((row) => [getId(row), row]))
  const inOrder = [...all.values()].sort((one, other) => (getId(one) < getId(other) ? -1 : 1))
  return inOrder.slice(0, Number(params.at(-1)))
}
