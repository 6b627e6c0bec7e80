/** Group commit: steps that arrive together run in one transaction and are answered after its commit. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Row, Rows, Statement, Step } from './statement.ts'
import { beginStep, type Call } from './steps.ts'

/** What became of a step: its outcome, or the number of the SQLite error (0 where there is none). */
export type Answer = { readonly outcome: unknown } | { readonly fault: number }

/** Statements are compiled once; their texts are constants, so there are only so many. */
export const createRunner = (database: DatabaseSync) => {
  const compiled = new Map<string, StatementSync>()
  return ({ sql, params }: Statement): Rows => {
    let prepared = compiled.get(sql)
    if (prepared === undefined) {
      prepared = database.prepare(sql)
      compiled.set(sql, prepared)
    }
    return prepared.all(...params) as unknown as Row[]
  }
}

export type Runner = ReturnType<typeof createRunner>

const runStep = <Outcome>(step: Step<Outcome>, run: Runner): Outcome => {
  let next = step.next([])
  while (!next.done) next = step.next(run(next.value))
  return next.value
}

export const faultOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : 0

/**
 * Errors after which nothing that the disk says can be believed: damage (11, 26), and a failed
 * fsync (IOERR_FSYNC, IOERR_DIR_FSYNC), which must never be tried again, for the second one
 * succeeds without having written anything.
 */
export const isFatal = (fault: number): boolean =>
  [11, 26].includes(fault & 0xff) || [1034, 1290].includes(fault)

/** Runs steps in one transaction. Null where one of several failed: then none of them was done. */
const runTogether = (
  database: DatabaseSync,
  run: Runner,
  calls: readonly Call[],
): readonly Answer[] | null => {
  let phase: 'begin' | 'steps' | 'commit' = 'begin'
  try {
    database.exec('begin immediate')
    phase = 'steps'
    const answers = calls.map((call) => ({ outcome: runStep(beginStep(call), run) }))
    phase = 'commit'
    database.exec('commit')
    return answers
  } catch (error) {
    // After some errors SQLite has taken the transaction back itself.
    if (database.isTransaction) database.exec('rollback')
    if (phase === 'steps' && calls.length > 1) return null
    // What a failed commit has left behind is unknown, so it is not done again.
    const fault = faultOf(error)
    return calls.map(() => ({ fault }))
  }
}

/** Runs steps as one group; where one fails, in halves, until it fails alone. */
export const runBatch = (
  database: DatabaseSync,
  run: Runner,
  calls: readonly Call[],
): readonly Answer[] => {
  const answers = runTogether(database, run, calls)
  if (answers !== null) return answers
  const half = Math.ceil(calls.length / 2)
  return [
    ...runBatch(database, run, calls.slice(0, half)),
    ...runBatch(database, run, calls.slice(half)),
  ]
}
