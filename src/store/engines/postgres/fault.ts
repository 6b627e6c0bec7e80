/** The meaning of PostgreSQL's errors for a step or a connection (its appendix A). */
import { DatabaseError } from 'pg'
import { StoreFault } from '../../fault.ts'

/**
 * `race`: nothing was done because of another transaction, and doing it again succeeds once there is
 * time between the two. `conflict`: the same, as long as a row of the other one is the reason. `lost`: the connection is gone
 * and with it the transaction. `away`: the same for another machine, which this server asked. `stale`: this connection is no good any more, another one will be.
 * `unmoved`: events have to be moved first. `failed`: doing it again would fail again.
 */
export type Trouble = 'race' | 'conflict' | 'lost' | 'away' | 'stale' | 'unmoved' | 'failed'

/** How often is tried again what others prevented. */
export const mostTries = 8
/** A machine may have been started anew, which the server learns by asking it. */
export const awayTries = 2

/** Serialization failure, and deadlock. */
const races = ['40001', '40P01']

/**
 * Outside this transaction's snapshot: an inserted key, or a deleted row that this one refers to. And
 * a lock that did not come in time: each try has waited long.
 */
const conflicts = ['23505', '23503', '55P03']

/** A lost or outdated prepared statement, and a server that turned read-only. */
const stale = ['0A000', '26000', '25006']

/** PostgreSQL's code of an error, or null for an error of the connection. */
export const findSqlState = (error: unknown): string | null =>
  error instanceof DatabaseError ? (error.code ?? null) : null

/** Class 08 is the connection, class 57P an ending server, 40003 an unknown outcome. */
const losses = /^(08|57P|40003$)/
/** An internal error. Citus also answers so if a machine did not confirm its part of a commit. */
const internal = 'XX000'

/**
 * @param isDistributed whether this server asks other machines: their loss has the same codes
 * @param isLost whether the connection to this server is gone
 */
export const getTrouble = (error: unknown, isDistributed = false, isLost = false): Trouble => {
  const state = findSqlState(error)
  if (state === null) return 'lost'
  if (losses.test(state) || (isDistributed && state === internal)) {
    return isDistributed && !isLost ? 'away' : 'lost'
  }
  if (races.includes(state)) return 'race'
  if (conflicts.includes(state)) return 'conflict'
  return stale.includes(state) ? 'stale' : 'failed'
}

/** The server stopped waiting, maybe for another machine. */
export const isCancelled = (error: unknown): boolean => findSqlState(error) === '57014'

/** Another transaction did not end in time. */
export const isHeld = (error: unknown): boolean => findSqlState(error) === '55P03'

export const isFull = (error: unknown): boolean => findSqlState(error) === '53100'

/** Names the failed step and PostgreSQL's code, but never the values. */
export const failed = (name: string, error: unknown): StoreFault => {
  const state = findSqlState(error)
  const reason = isFull(error) ? ': the disk is full' : ''
  const called = state === null ? '' : ` (PostgreSQL error ${state}${reason})`
  return new StoreFault('failed', `the store failed in ${name}${called}`)
}

const messages = {
  unreachable: 'the database cannot be reached',
  indeterminate:
    'the connection to the database was lost while it committed: it is unknown whether it did',
  malformed: 'the database sent a message that is none of PostgreSQL, and its connection was ended',
  closed: 'the store is closed',
  busy: 'too many steps wait for the store',
  unmoved: 'events of other steps have to be moved first, and that takes longer',
}

const others = { malformed: 'unreachable', unmoved: 'busy' } as const

export const refuse = (reason: keyof typeof messages): StoreFault =>
  new StoreFault(
    reason === 'malformed' || reason === 'unmoved' ? others[reason] : reason,
    messages[reason],
  )

/** The fault of a lost connection, with its reason if one is known. */
export const lostBy = (error: unknown): StoreFault =>
  error instanceof StoreFault ? error : refuse('unreachable')

export const lostInCommit = (error: unknown): StoreFault =>
  error instanceof StoreFault
    ? new StoreFault('indeterminate', `${messages.indeterminate}; ${error.message}`)
    : refuse('indeterminate')
