/** Group commit: work that arrives together is done in one transaction and answered after its commit. */
import type { DatabaseSync } from 'node:sqlite'
import type { Values } from '../../schema/table.ts'
import type { Value } from '../../sql/statement.ts'
import { beginStep, type Call } from '../../sql/steps.ts'
import { createCompiler, query, type Runner, runStep } from './compiled.ts'
import { getFaultCode } from './fault.ts'

/** A unit of the writer's work: a step, or the one statement of a step by the number of its text. */
export type WriterWork = Call | readonly [text: number, params: readonly Value[]]

/**
 * The result of a unit: the rows of its statement, its outcome, or the number of the SQLite error
 * (0 for other errors).
 */
export type WriterAnswer =
  | readonly Values[]
  | { readonly outcome: unknown }
  | { readonly fault: number }

type Perform = (work: WriterWork) => WriterAnswer

/** @param texts those that statements name by their numbers; more may come */
export const createPerformer = (database: DatabaseSync, texts: readonly string[]): Perform => {
  const compile = createCompiler(database)
  const run: Runner = (statement) => query(compile, statement)
  return (work) => {
    if ('name' in work) return { outcome: runStep(beginStep(work), run) }
    const [text, params] = work
    return compile(texts[text] ?? '').run(params)
  }
}

/** Does work in one transaction. Null where one piece of several failed: then nothing was done. */
const performTogether = (
  database: DatabaseSync,
  perform: Perform,
  work: readonly WriterWork[],
): readonly WriterAnswer[] | null => {
  let phase: 'begin' | 'steps' | 'commit' = 'begin'
  try {
    database.exec('begin immediate')
    phase = 'steps'
    const answers = work.map(perform)
    phase = 'commit'
    database.exec('commit')
    return answers
  } catch (error) {
    // After some errors SQLite has taken the transaction back itself.
    if (database.isTransaction) database.exec('rollback')
    if (phase === 'steps' && work.length > 1) return null
    // A failed commit has an unknown effect, so it is not retried.
    const fault = getFaultCode(error)
    return work.map(() => ({ fault }))
  }
}

/** Does work as one group; where a piece fails, in halves, until it fails alone. */
export const performBatch = (
  database: DatabaseSync,
  perform: Perform,
  work: readonly WriterWork[],
): readonly WriterAnswer[] => {
  const answers = performTogether(database, perform, work)
  if (answers !== null) return answers
  const half = Math.ceil(work.length / 2)
  return [
    ...performBatch(database, perform, work.slice(0, half)),
    ...performBatch(database, perform, work.slice(half)),
  ]
}
