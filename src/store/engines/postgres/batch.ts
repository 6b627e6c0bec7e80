/**
 * Steps that travel together: in one transaction on one connection, in lockstep. The statements of
 * a round are sent back to back, so that many steps take about as many round trips as the longest.
 */
import { StoreFault } from '../../fault.ts'
import { addNote } from '../../records/event/changes.ts'
import type { Rows, Statement, Step } from '../../sql/statement.ts'
import type { Call } from '../../sql/steps.ts'
import type { Connection } from './connection.ts'
import { type Dialect, type NearWork, type StepOpening, Unmoved } from './dialect.ts'
import { findSqlState, getTrouble, isCancelled, lostInCommit, type Trouble } from './fault.ts'

export type StepResult =
  | { readonly outcome: unknown }
  | { readonly fault: StoreFault; readonly isFull?: boolean }

/** What became of a batch: answers (null for steps still to be done), or none was done and why. */
export type Ran =
  | { readonly answers: readonly (StepResult | null)[] }
  | { readonly trouble: Trouble; readonly error: unknown }

interface Running {
  readonly step: Step<unknown>
  next: IteratorResult<Statement, unknown>
}

interface Asking {
  readonly one: Running
  readonly statement: Statement
}

const listAsking = (running: readonly Running[]): readonly Asking[] =>
  running.flatMap((one) => (one.next.done ? [] : [{ one, statement: one.next.value }]))

const listStatements = (round: readonly Asking[]): readonly Statement[] =>
  round.map(({ statement }) => statement)

const joinKeys = ({ statement }: Asking): string =>
  statement.params.filter((value) => typeof value === 'string').join('\n')

const compareKeys = (a: Asking, b: Asking): number => {
  const [first, second] = [joinKeys(a), joinKeys(b)]
  return first === second ? 0 : first < second ? -1 : 1
}

/**
 * Statements alike, in the order of their keys: two batches that lock the same rows then wait for
 * one another less often in a circle.
 */
const sortAlike = (round: readonly Asking[]): readonly Asking[] => {
  const alike = Map.groupBy(round, ({ statement }) => statement.sql)
  for (const asking of alike.values()) asking.sort(compareKeys).reverse()
  return round.map((asking) => alike.get(asking.statement.sql)?.pop() ?? asking)
}

interface Commit {
  isSent: boolean
  /** The error of a statement before it: the server then took the transaction back. */
  takenBackBy: unknown
}

/** A connection, and how a transaction is written for it. */
interface SentBy {
  readonly connection: Connection
  readonly opening: StepOpening
  readonly write: (statement: Statement) => Parameters<Connection['query']>[0]
}

const guardErrors = new WeakSet<object>()

/** Whether a guard found that the shards are not there, or did not get its lock in time. */
export const isOfGuard = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && guardErrors.has(error)

/** Waits for the guards first: errors of later statements follow from theirs. */
const awaitGuards = async (guards: readonly Promise<Rows>[]): Promise<void> => {
  try {
    await Promise.all(guards)
  } catch (error) {
    if (error instanceof Error) guardErrors.add(error)
    throw error
  }
}

interface SentPiece {
  readonly queries: readonly Parameters<Connection['query']>[0][]
  /** Before the first statement of a transaction. */
  readonly opening: StepOpening | null
  /** Whether the commit comes after them. */
  readonly isLast: boolean
}

/**
 * Sends statements, with what goes before and after them in the same piece.
 *
 * @param noteError told of an error of a statement before the commit
 */
export const sendPiece = async (
  connection: Connection,
  { queries, opening, isLast }: SentPiece,
  noteError: (error: unknown) => void = () => {},
): Promise<readonly Rows[]> => {
  const [guards, all] = connection.together(() => {
    const begun = opening && connection.command(opening.begin)
    const guards = (opening?.guards ?? []).map((guard) => connection.query(guard))
    const answers = Promise.all(queries.map((query) => connection.query(query)))
    if (isLast) answers.catch(noteError)
    return [guards, Promise.all([answers, begun, isLast ? connection.command('commit') : null])]
  })
  if (guards.length > 0) {
    all.catch(() => {})
    await awaitGuards(guards)
  }
  const [rows, , ended] = await all
  if (isLast && ended !== 'commit') throw new StoreFault('failed', 'the transaction was taken back')
  return rows
}

const send = (
  { connection, opening, write }: SentBy,
  statements: readonly Statement[],
  isFirst: boolean,
  isLast: boolean,
  commit: Commit,
): Promise<readonly Rows[]> => {
  // A statement that cannot be written is told before anything is sent.
  const queries = statements.map(write)
  return sendPiece(connection, { queries, opening: isFirst ? opening : null, isLast }, (error) => {
    commit.takenBackBy = error
  })
}

const moveOn = ({ one }: Asking, rows: Rows | undefined): void => {
  one.next = one.step.next(rows ?? [])
}

/** All is committed by then, so an unreadable row fails only the step that reads it. */
const answerAlone = (asking: Asking, rows: Rows | undefined): StepResult | null => {
  try {
    moveOn(asking, rows)
  } catch (error) {
    if (error instanceof StoreFault) return { fault: error }
    if (error instanceof Unmoved) return null
    throw error
  }
  const { next } = asking.one
  return next.done ? { outcome: next.value } : null
}

/**
 * Statements each of which is the whole step if it changes anything: one round trip, commit and all.
 * A step that goes on has changed nothing so far and is begun anew with others like it.
 */
const runAtOnce = async (
  way: SentBy,
  running: readonly Running[],
  note: Statement | null,
  commit: Commit,
): Promise<readonly (StepResult | null)[]> => {
  const round = listAsking(running)
  const statements = addNote(listStatements(round), note)
  const isMany = statements.length > 1 || way.opening.guards.length > 0
  commit.isSent = true
  const rows = await send(way, statements, isMany, isMany, commit)
  return round.map((asking, i) => answerAlone(asking, rows[i]))
}

/** One statement of each step, and the next ones of steps that do not look at its rows. */
const gather = (running: readonly Running[]): readonly Asking[] => {
  const gathered: Asking[] = []
  let asking = listAsking(running)
  while (asking.length > 0) {
    gathered.push(...sortAlike(asking))
    const unheard = asking.filter(({ statement }) => statement.sendOnly)
    for (const one of unheard) moveOn(one, [])
    asking = listAsking(unheard.map(({ one }) => one))
  }
  return gathered
}

/** The last statements go together with the commit, unless a step waits for their rows. */
const runInTurns = async (
  way: SentBy,
  running: readonly Running[],
  note: Statement | null,
  commit: Commit,
): Promise<readonly StepResult[]> => {
  let isFirst = true
  let isLast = false
  while (!isLast) {
    const round = gather(running)
    if (round.length === 0 && isFirst) break
    isLast = running.every(({ next }) => next.done)
    commit.isSent = isLast
    const beside = isLast && note !== null ? [note] : []
    const rows = await send(way, [...listStatements(round), ...beside], isFirst, isLast, commit)
    for (const [i, asking] of round.entries()) {
      if (!asking.statement.sendOnly) moveOn(asking, rows[i])
    }
    isFirst = false
  }
  return running.map(({ next }) => ({ outcome: next.value }))
}

/** Of an error that is not the database's. */
const findOwn = (error: unknown): Trouble => {
  if (error instanceof Unmoved) return 'unmoved'
  return error instanceof StoreFault && error.reason === 'busy' ? 'conflict' : 'failed'
}

const plainWay: Omit<SentBy, 'connection'> = {
  opening: { begin: 'begin', guards: [] },
  write: (statement) => statement,
}

/**
 * Runs steps in one transaction: all of them or, where there is trouble, none.
 *
 * @param atOnce whether steps that are one statement may be committed with it
 * @param near where the connection is that of the machine with the shards
 */
export const runTogether = async (
  connection: Connection,
  calls: readonly Call[],
  atOnce: boolean,
  dialect: Dialect,
  near: NearWork | null = null,
): Promise<Ran> => {
  const { opening, write } = near ?? plainWay
  const way = { connection, opening, write }
  const commit: Commit = { isSent: false, takenBackBy: null }
  try {
    const running = calls.map((call): Running => {
      const step = (near ?? dialect).begin(call)
      return { step, next: step.next([]) }
    })
    const note = dialect.noteOf(calls)
    const areWhole = running.every(({ next }) => !next.done && next.value.whole === true)
    if (!atOnce || !areWhole) {
      return { answers: await runInTurns(way, running, note, commit) }
    }
    return { answers: await runAtOnce(way, running, note, commit) }
  } catch (error) {
    const isOwn = findSqlState(error) === null && !connection.isLost()
    const isDistributed = near === null && dialect.machines !== null
    const trouble = isOwn ? findOwn(error) : getTrouble(error, isDistributed, connection.isLost())
    // The connection is left ready for the next batch, or given up.
    if (trouble === 'lost' || trouble === 'stale') connection.destroy()
    else await connection.command('rollback').catch(() => connection.destroy())
    const isAway = trouble === 'away' || (isDistributed && isCancelled(error))
    const isUnknown = trouble === 'lost' || (isAway && error !== commit.takenBackBy)
    if (!commit.isSent || !isUnknown) return { trouble, error }
    return { answers: calls.map(() => ({ fault: lostInCommit(error) })) }
  }
}
