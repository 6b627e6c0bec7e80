/** What an error of PostgreSQL means for the step or the connection that met it (its appendix A). */
import { DatabaseError } from 'pg'
import { StoreFault } from '../fault.ts'

/**
 * `conflict`: nothing was done, and doing it again may well succeed. `lost`: the connection is gone
 * and with it the transaction. `stale`: this connection is no good any more, another one will be.
 * `failed`: doing it again would fail again.
 */
export type Trouble = 'conflict' | 'lost' | 'stale' | 'failed'

/**
 * Serialization failure, deadlock, a lock not given in time, a key that somebody else inserted where
 * the snapshot of this transaction could not see it, and a referenced row that somebody else deleted.
 */
const conflicts = ['40001', '40P01', '55P03', '23505', '23503']

/** A prepared statement that is gone or outlived its table, and a server that turned read-only. */
const stale = ['0A000', '26000', '25006']

/** What PostgreSQL calls an error, or null where the error is not its own but the connection's. */
export const sqlState = (error: unknown): string | null =>
  error instanceof DatabaseError ? (error.code ?? null) : null

/** Class 08 is the connection, class 57P a server that ends it, 40003 a fate that it cannot tell. */
const isLoss = (state: string): boolean =>
  state.startsWith('08') || state.startsWith('57P') || state === '40003'

export const troubleOf = (error: unknown): Trouble => {
  const state = sqlState(error)
  if (state === null || isLoss(state)) return 'lost'
  if (conflicts.includes(state)) return 'conflict'
  return stale.includes(state) ? 'stale' : 'failed'
}

/** Tells which step failed and how PostgreSQL calls it, but never with which values. */
export const failed = (name: string, error: unknown): StoreFault => {
  const state = sqlState(error)
  const called = state === null ? '' : ` (PostgreSQL error ${state})`
  return new StoreFault('failed', `the store failed in ${name}${called}`)
}

const messages = {
  unreachable: 'the database cannot be reached',
  indeterminate:
    'the connection to the database was lost while it committed: it is unknown whether it did',
  closed: 'the store is closed',
  busy: 'too many steps wait for the store',
}

export const refuse = (reason: keyof typeof messages): StoreFault =>
  new StoreFault(reason, messages[reason])
