/** Work that goes straight to the machine with the shards. Whatever is wrong there, it goes by the coordinator then. */
import type { Rows, Statement } from '../../sql/statement.ts'
import type { Call } from '../../sql/steps.ts'
import { isOfGuard, runTogether, type StepResult, sendPiece } from './batch.ts'
import type { Connection } from './connection.ts'
import { findSqlState, getTrouble } from './fault.ts'
import type { Line } from './line.ts'

const isGone = (error: unknown, connection: Connection): boolean =>
  connection.isLost() || isOfGuard(error)

const takeOpen = (line: Line, machine: number | null) => {
  if (machine === null) return null
  const near = line.near(machine)
  const connection = near?.takeOpen() ?? null
  return near && connection && { near, connection, machine }
}

/** The rows of each of some look-ups. Of several, each row names its key as `looked_up`. */
export const splitRows = (all: readonly Statement[], rows: Rows): readonly Rows[] => {
  if (all.length === 1) return [rows]
  const found = Map.groupBy(rows, ({ looked_up: key }) => key ?? null)
  return all.map(({ params }) => found.get(params[0] ?? null) ?? [])
}

/** @returns null where the coordinator has to be asked */
export const readNear = async (
  line: Line,
  machine: number | null,
  statements: readonly Statement[],
): Promise<readonly Rows[] | null> => {
  const taken = takeOpen(line, machine)
  const work = taken && (line.dialect.near?.read(taken.machine, statements) ?? null)
  if (taken === null || work === null) return null
  const { connection } = taken
  try {
    const queries = work.reads.map(({ written }) => written)
    const answers = await sendPiece(connection, { queries, opening: work.opening, isLast: true })
    const answered = new Map<number, Rows>()
    for (const [i, { of }] of work.reads.entries()) {
      const asked = of.flatMap((place) => statements[place] ?? [])
      const found = splitRows(asked, answers[i] ?? [])
      for (const [j, place] of of.entries()) answered.set(place, found[j] ?? [])
    }
    return statements.map((_, place) => answered.get(place) ?? [])
  } catch (error) {
    if (['lost', 'stale'].includes(getTrouble(error))) connection.destroy()
    if (isGone(error, connection)) taken.near.avoid()
    return null
  }
}

/** @param shardKeys one of each call @returns null for what was not done, and goes by the coordinator */
export const runNear = async (
  line: Line,
  machine: number | null,
  calls: readonly Call[],
  shardKeys: readonly number[],
): Promise<readonly (StepResult | null)[] | null> => {
  const taken = takeOpen(line, machine)
  const work = taken && (line.dialect.near?.begin(taken.machine, shardKeys) ?? null)
  if (taken === null || work === null) return null
  const ran = await runTogether(taken.connection, calls, true, line.dialect, work)
  if ('answers' in ran) {
    work.noteCommit()
    return ran.answers
  }
  if (isGone(ran.error, taken.connection)) taken.near.avoid()
  else if (findSqlState(ran.error) === null && ran.trouble === 'failed' && calls.length > 1) {
    // A step that leaves its shard takes no other one with it.
    const half = Math.ceil(calls.length / 2)
    const go = async (from: number, to: number) => {
      const some = calls.slice(from, to)
      return (await runNear(line, machine, some, shardKeys.slice(from, to))) ?? some.map(() => null)
    }
    return [...(await go(0, half)), ...(await go(half, calls.length))]
  }
  return null
}
