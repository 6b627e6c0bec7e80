/**
 * Steps that travel together: in one transaction on one connection, in lockstep. The statements of
 * a round are sent back to back, so that many steps take about as many round trips as the longest.
 */
import { StoreFault } from '../fault.ts'
import type { Connection } from './postgres-connection.ts'
import { refuse, sqlState, type Trouble, troubleOf } from './postgres-fault.ts'
import type { Rows, Statement, Step } from './statement.ts'
import { beginStep, type Call } from './steps.ts'

export type StepResult = { readonly outcome: unknown } | { readonly fault: StoreFault }

/** What became of a batch: answers (null for steps still to be done), or none was done and why. */
export type Ran =
  | { readonly answers: readonly (StepResult | null)[] }
  | { readonly trouble: Trouble; readonly error: unknown }

interface Running {
  readonly step: Step<unknown>
  next: IteratorResult<Statement, unknown>
}

const begin = (call: Call): Running => {
  const step = beginStep(call)
  return { step, next: step.next([]) }
}

interface Asking {
  readonly one: Running
  readonly statement: Statement
}

const askingOf = (running: readonly Running[]): readonly Asking[] =>
  running.flatMap((one) => (one.next.done ? [] : [{ one, statement: one.next.value }]))

const keysOf = ({ statement }: Asking): string =>
  statement.params.filter((value) => typeof value === 'string').join('\n')

const byKeys = (a: Asking, b: Asking): number => {
  const [first, second] = [keysOf(a), keysOf(b)]
  return first === second ? 0 : first < second ? -1 : 1
}

/**
 * Statements alike, in the order of their keys: two batches that lock the same rows then wait for
 * one another less often in a circle.
 */
const inOrder = (round: readonly Asking[]): readonly Asking[] => {
  const alike = Map.groupBy(round, ({ statement }) => statement.sql)
  for (const asking of alike.values()) asking.sort(byKeys).reverse()
  return round.map((asking) => alike.get(asking.statement.sql)?.pop() ?? asking)
}

/** Sends a round, with what goes before and after it in the same piece. */
const send = async (
  connection: Connection,
  round: readonly Asking[],
  before: 'begin' | null,
  after: 'commit' | null,
): Promise<readonly Rows[]> => {
  const [rows, , ended] = await Promise.all(
    connection.together(() => {
      const opening = before && connection.command(before)
      const answers = Promise.all(round.map(({ statement }) => connection.query(statement)))
      return [answers, opening, after && connection.command(after)] as const
    }),
  )
  if (ended !== after) throw new StoreFault('failed', 'the transaction was taken back')
  return rows
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
  connection: Connection,
  running: readonly Running[],
): Promise<readonly (StepResult | null)[]> => {
  const round = askingOf(running)
  const alone = round.length === 1
  const rows = await send(connection, round, alone ? null : 'begin', alone ? null : 'commit')
  return round.map((asking, i) => answerAlone(asking, rows[i]))
}

const runInTurns = async (
  connection: Connection,
  running: readonly Running[],
  onCommit: () => void,
): Promise<readonly StepResult[]> => {
  let before: 'begin' | null = 'begin'
  for (let round = askingOf(running); round.length > 0; round = askingOf(running)) {
    const ordered = inOrder(round)
    const rows = await send(connection, ordered, before, null)
    for (const [i, asking] of ordered.entries()) moveOn(asking, rows[i])
    before = null
  }
  onCommit()
  if (before === null) await send(connection, [], null, 'commit')
  return running.map(({ next }) => ({ outcome: next.value }))
}

/** After an error the connection is left ready for the next batch, or given up. */
const tidyUp = async (connection: Connection, trouble: Trouble): Promise<void> => {
  if (trouble === 'lost' || trouble === 'stale') return connection.destroy()
  await connection.command('rollback').catch(() => connection.destroy())
}

/** Whether every step begins with a statement that is the whole of it. */
const areWhole = (running: readonly Running[]): boolean =>
  running.every(({ next }) => !next.done && next.value.whole === true)

/**
 * Runs steps in one transaction: all of them or, where there is trouble, none.
 *
 * @param atOnce whether steps that are one statement may be committed with it
 */
export const runTogether = async (
  connection: Connection,
  calls: readonly Call[],
  atOnce: boolean,
): Promise<Ran> => {
  let committing = false
  const onCommit = (): void => {
    committing = true
  }
  try {
    const running = calls.map(begin)
    if (!atOnce || !areWhole(running)) {
      return { answers: await runInTurns(connection, running, onCommit) }
    }
    onCommit()
    return { answers: await runAtOnce(connection, running) }
  } catch (error) {
    const isOwn = sqlState(error) === null && !connection.isLost()
    const trouble = isOwn ? 'failed' : troubleOf(error)
    await tidyUp(connection, trouble)
    if (!committing || trouble !== 'lost') return { trouble, error }
    return { answers: calls.map(() => ({ fault: refuse('indeterminate') })) }
  }
}
