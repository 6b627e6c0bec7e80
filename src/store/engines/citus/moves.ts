/** Moves of events that wait beside their owners to the coordinator. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreFault } from '../../fault.ts'
import { runInTransaction } from '../../sql/database.ts'
import { type Piece, type Row, type Rows, sql, statement } from '../../sql/statement.ts'
import type { SeenWorkers } from '../../store.ts'
import type { Connection } from '../postgres/connection.ts'
import type { Query } from '../postgres/dialect.ts'
import {
  findSqlState,
  getTrouble,
  isCancelled,
  isHeld,
  lostBy,
  refuse,
  type Trouble,
} from '../postgres/fault.ts'
import type { Line } from '../postgres/line.ts'
import { type Ask, runBy } from './cluster.ts'
import { type Machines, writeMachine } from './machines.ts'
import {
  askNewest,
  askWaiting,
  matchKey,
  movedTogether,
  movePiece,
  type WaitingPiece,
} from './outbox.ts'
import { movesLock } from './whole.ts'

const conflictMilliseconds = 10
/** Rows that cannot be moved. After more of them, the reason is another one. */
const mostBad = 3
/** A look is an index scan, so a machine that needs longer hangs. One from the oldest on passes dead rows. */
const lookMilliseconds = { usual: 1000, patient: 5000 }
const moveMilliseconds = 5000

/** Of a move of all beside that of another node: it comes after the other, or leaves all to the other. */
export type Turn = 'wait' | 'leave'

/** Held by moves of all, one node after the other. */
const turnLock = movesLock + 1

/** Moves of a shard key take no turns, so none of them waits for a machine that hangs. */
const locks = {
  wait: statement(
    'select pg_advisory_xact_lock(?), pg_advisory_xact_lock_shared(?)',
    turnLock,
    movesLock,
  ),
  leave: statement(
    `select cast(pg_try_advisory_xact_lock(?) as integer) as is_ours,
      pg_advisory_xact_lock_shared(?)`,
    turnLock,
    movesLock,
  ),
  key: statement('select pg_advisory_xact_lock_shared(?)', movesLock),
}

/** The turn of another node may take longer than that of a row. */
const begin = `select set_config('statement_timeout', '${moveMilliseconds}', true),
  set_config('lock_timeout', '4500', true), set_config('citus.propagate_set_commands', 'local', true)`
/** Also at the machines: a transaction that lost its coordinator holds its rows there until somebody ends it. */
const bound = statement("set local lock_timeout = '1000'")

const ofOthers = refuse('unmoved')

/** @returns how many it found; null where it is the turn of another node */
const moveOn = (
  connection: Connection,
  piece: WaitingPiece,
  lock: keyof typeof locks,
): Promise<number | null> => {
  const command = async (text: string): Promise<void> => {
    if ((await connection.command(text)) !== text) throw refuse('unreachable')
  }
  return runInTransaction({ command }, async () => {
    const ask: Ask = (text, ...params) => connection.query({ sql: text, params })
    await ask(begin)
    const [locked] = await connection.query(locks[lock]).catch((error: unknown) => {
      throw isHeld(error) ? ofOthers : error
    })
    if (locked?.is_ours === 0) throw ofOthers
    await connection.query(bound)
    return await runBy(ask, movePiece(piece))
  }).catch((error: unknown) => {
    if (error === ofOthers) return null
    throw error
  })
}

/** Where several machines were asked, the next try asks each alone. */
const mostTries: Partial<Record<Trouble, number>> = { failed: 1, away: 1, conflict: 1 }

/** @throws DatabaseError of a statement; StoreFault without an answer of the coordinator */
const tryOn = async <Answer>(
  take: () => Promise<Connection>,
  work: (connection: Connection) => Promise<Answer>,
  tries = 1,
): Promise<Answer> => {
  const connection = await take()
  try {
    return await work(connection)
  } catch (error) {
    if (error instanceof StoreFault) throw error
    const trouble = getTrouble(error, true, connection.isLost())
    if (trouble === 'lost' || trouble === 'stale') connection.destroy()
    if (tries >= (mostTries[trouble] ?? 3)) throw trouble === 'lost' ? lostBy(error) : error
    await pause(conflictMilliseconds)
    return tryOn(take, work, tries + 1)
  }
}

/** Of a machine that is lost, or hangs, or has a row in doubt. */
const isAway = (error: unknown): boolean =>
  getTrouble(error, true) === 'away' || isHeld(error) || isCancelled(error)

/** Also of one that takes no writes, or has no room: a fault of one machine stops no move of the others. */
const isOfMachine = (error: unknown): boolean =>
  isAway(error) ||
  (!(error instanceof StoreFault) && !['race', 'conflict'].includes(getTrouble(error, true)))

/**
 * Codes of a row, such as those of a limit or a trigger. Others tell of the connection, another transaction, the
 * statement, room, or the operator.
 */
const isOfRow = (error: unknown): boolean => {
  const state = findSqlState(error)
  return state !== null && !isAway(error) && !/^(08|40|42|53|57|0A000|25006|26000)/.test(state)
}

const getId = (row: Row | undefined): string => String(row?.id ?? '')

/** What is moved, and how. */
interface Move {
  readonly where: Piece | null
  readonly after: string
  readonly lock: keyof typeof locks
  readonly look: keyof typeof lookMilliseconds
}

const openPieces = (line: Line) => {
  const look = (asked: Query, how: Move['look']): Promise<Rows> =>
    tryOn(line.take, async (connection) => {
      const bounded = `select set_config('statement_timeout', '${lookMilliseconds[how]}', false)`
      const [, rows] = await connection.together(() =>
        Promise.all([connection.query({ sql: bounded, params: [] }), connection.query(asked)]),
      )
      return rows
    })

  /**
   * Moves what waits now: later events do not keep a reader waiting.
   *
   * @returns how many stay; null where it is the turn of another node
   * @throws as `tryOn`
   */
  return async ({ where, after, lock, look: how }: Move): Promise<number | null> => {
    let piece: WaitingPiece = { where, after, most: movedTogether }
    let newest: string | null = null
    for (let bad = 0; ; ) {
      const current = piece
      const rows = await look(askWaiting(current), how)
      const first = getId(rows.at(0))
      if (first === '' || (newest !== null && first > newest)) return bad
      const isPart = rows.length === current.most
      newest ??= getId(isPart ? (await look(askNewest(current), how)).at(0) : rows.at(-1))
      try {
        const found = await tryOn(line.takeDurable, (connection) =>
          moveOn(connection, current, lock),
        )
        if (found === null) return null
        if (found < current.most) return bad
        piece = { ...piece, most: movedTogether }
      } catch (error) {
        if (!isOfRow(error) || bad === mostBad) throw error
        if (rows.length > 1) piece = { ...piece, most: Math.ceil(rows.length / 8) }
        else {
          bad++
          piece = { where, after: first, most: movedTogether }
        }
      }
    }
  }
}

/** Machines that failed a move: nobody waits for them, until somebody has tried them again. */
const openResting = (machines: Machines) => {
  /** Why a machine rests, by its name. */
  const resting = new Map<string, string>()
  let lost = new Set<string>()
  return {
    nameOf(machine: number): string {
      const address = machines.addressOf(machine)
      return address === null ? '' : writeMachine(address)
    },
    isNone: () => resting.size === 0,
    has: (name: string) => resting.has(name),
    isLost: (name: string) => lost.has(name),
    /**
     * @param isFull a slow look at the oldest says nothing about a machine
     * @throws what is not about the machine
     */
    async move(name: string, isFull: boolean, work: () => Promise<number | null>) {
      try {
        const left = await work()
        resting.delete(name)
        return left
      } catch (error) {
        if (!isOfMachine(error) || (isFull && isCancelled(error))) throw error
        resting.set(name, isAway(error) ? '' : ` (PostgreSQL error ${findSqlState(error)})`)
        return 0
      }
    },
    list: (): readonly string[] => [...resting].map(([name, why]) => name + why),
    /** @returns whether one that rests is worth a try */
    note({ workers }: SeenWorkers): boolean {
      lost = new Set(workers.filter(({ isReachable }) => !isReachable).map(({ name }) => name))
      for (const name of resting.keys())
        if (!workers.some((one) => one.name === name)) resting.delete(name)
      for (const name of lost) resting.set(name, '')
      return resting.size > lost.size
    },
  }
}

interface MoveOfAll {
  readonly after: string
  readonly turn: Turn
  /** Whether machines are asked that rest. */
  readonly isTrying: boolean
  readonly isPatient: boolean
}

/**
 * Moves what the machines give.
 *
 * @param lines one for all, and one for single shard keys
 */
export const openMoves = (machines: Machines, [ofAll, ofKeys]: readonly [Line, Line]) => {
  const [moveSome, moveOfKey] = [openPieces(ofAll), openPieces(ofKeys)]
  const resting = openResting(machines)
  return {
    /**
     * @returns how many are refused; null where it is the turn of another node
     * @throws DatabaseError, StoreFault
     */
    async moveAll(wanted: MoveOfAll): Promise<number | null> {
      const { after, turn, isTrying, isPatient } = wanted
      const look = isPatient ? 'patient' : 'usual'
      const isFull = after === ''
      const move = (where: Piece | null) => moveSome({ where, after, lock: turn, look })
      if (resting.isNone()) {
        try {
          return await move(null)
        } catch (error) {
          if (!isOfMachine(error) || (isFull && isCancelled(error))) throw error
        }
      }
      let all = 0
      let slow: unknown = null
      for (let machine = 1; machine <= machines.count(); machine++) {
        const name = resting.nameOf(machine)
        if (resting.has(name) && (!isTrying || resting.isLost(name))) continue
        const keys = `{${machines.keysOf(machine).join(',')}}`
        try {
          const left = await resting.move(name, isFull, () =>
            move(sql`shard_key = any(cast(${keys} as integer[]))`),
          )
          if (left === null) return null
          all += left
        } catch (error) {
          if (!isFull || !isCancelled(error)) throw error
          slow = error
        }
      }
      if (slow !== null) throw slow
      return all
    },
    /** Of a machine that rests, none. @returns whether it came to its end @throws as above */
    async moveKey(key: number): Promise<boolean> {
      const name = resting.nameOf(machines.find(key)?.machine ?? 0)
      if (resting.has(name)) return false
      const wanted = { where: matchKey(key), after: '', lock: 'key', look: 'usual' } as const
      return (await resting.move(name, false, () => moveOfKey(wanted))) !== null
    },
    /** Names of machines for which nobody waits. */
    listResting: resting.list,
    /** @returns whether one that rests is worth a try */
    note: resting.note,
  }
}

export type Moves = ReturnType<typeof openMoves>
