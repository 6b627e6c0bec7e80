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

const rollBack = (database: DatabaseSync): void => {
  if (database.isTransaction) database.exec('rollback')
}

/** Each step behind a savepoint, so that one which fails takes nothing along. */
const runApart = (database: DatabaseSync, run: Runner, calls: readonly Call[]): Answer[] =>
  calls.map((call) => {
    database.exec('savepoint step')
    try {
      return { outcome: runStep(beginStep(call), run) }
    } catch (error) {
      // After some errors SQLite has taken back the whole transaction: then nobody was served.
      if (!database.isTransaction) throw error
      database.exec('rollback to step')
      return { fault: faultOf(error) }
    } finally {
      if (database.isTransaction) database.exec('release step')
    }
  })

const commit = (database: DatabaseSync, work: () => Answer[]): Answer[] => {
  database.exec('begin immediate')
  const answers = work()
  database.exec('commit')
  return answers
}

export const runBatch = (
  database: DatabaseSync,
  run: Runner,
  calls: readonly Call[],
): readonly Answer[] => {
  let committing = false
  try {
    return commit(database, () => {
      const answers = calls.map((call) => ({ outcome: runStep(beginStep(call), run) }))
      committing = true
      return answers
    })
  } catch (error) {
    rollBack(database)
    // What a failed commit has left behind is unknown, so it is not done again.
    if (committing) return calls.map(() => ({ fault: faultOf(error) }))
  }
  try {
    return commit(database, () => runApart(database, run, calls))
  } catch (error) {
    rollBack(database)
    return calls.map(() => ({ fault: faultOf(error) }))
  }
}
