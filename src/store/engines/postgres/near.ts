/** Work that goes straight to the machine with the shards. Whatever is wrong there, it goes by the coordinator then. */
import type { Rows, Statement } from '../../sql/statement.ts'
import type { Call } from '../../sql/steps.ts'
import { isOfGuard, runTogether, type StepResult, sendPiece } from './batch.ts'
import type { Connection } from './connection.ts'
import type { NearRead } from './dialect.ts'
import { getTrouble } from './fault.ts'
import type { Line } from './line.ts'

const isGone = (error: unknown, connection: Connection): boolean =>
  connection.isLost() || isOfGuard(error)

const takeOpen = (line: Line, machine: number | null) => {
  if (machine === null) return null
  const near = line.near(machine)
  const connection = near?.takeOpen() ?? null
  return near && connection && { near, connection, machine }
}

const splitRows = ({ of }: NearRead, rows: Rows, keyOf: (place: number) => unknown) => {
  if (of.length === 1) return of.map((place) => [place, rows] as const)
  const found = Map.groupBy(rows, ({ looked_up: key }): unknown => key)
  return of.map((place) => [place, found.get(keyOf(place)) ?? []] as const)
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
    const answered = new Map(
      work.reads.flatMap((one, i) =>
        splitRows(one, answers[i] ?? [], (place) => statements[place]?.params[0]),
      ),
    )
    return statements.map((_, place) => answered.get(place) ?? [])
  } catch (error) {
    if (['lost', 'stale'].includes(getTrouble(error))) connection.destroy()
    if (isGone(error, connection)) taken.near.avoid()
    return null
  }
}

/** @returns null where nothing was done, and the coordinator has to be asked */
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
  if ('answers' in ran) return ran.answers
  if (isGone(ran.error, taken.connection)) taken.near.avoid()
  return null
}
