/** Every step by its name: the name and its arguments are all that goes to whoever runs it. */
import { sweepChanges } from '../records/event/changes.ts'
import { proveRoom } from '../records/note.ts'
import { noteUsedIds } from '../records/used.ts'
import type { Purged, PurgeStep } from './record.ts'
import { endPurges, purges, recordSteps } from './records.ts'
import { type Step, statement } from './statement.ts'

/** Deletes rows of every record whose end has come. */
function* purgeEnded(now: number, mostRows: number): Step<number> {
  let went = 0
  for (const { sql, afterSeconds } of endPurges) {
    went += (yield statement(sql, now - afterSeconds, mostRows - went)).length
  }
  return went
}

/** @param name of one of the `purges` */
function* purgeNext(name: string, step: PurgeStep): Step<Purged> {
  const purge = purges.get(name)
  return purge === undefined ? { next: null, went: 0 } : yield* purge(step)
}

const steps = {
  ...recordSteps,
  purgeEnded,
  purgeNext,
  sweepChanges,
  proveRoom,
  noteUsedIds,
} as const

export type StepName = keyof typeof steps
export type StepArguments<Name extends StepName> = Parameters<(typeof steps)[Name]>
export type StepOutcome<Name extends StepName> =
  ReturnType<(typeof steps)[Name]> extends Step<infer Outcome> ? Outcome : never

/** A step as it is sent to whoever runs it. */
export interface Call {
  readonly name: StepName
  readonly args: readonly unknown[]
}

/** Begins a step that was sent. */
export const beginStep = ({ name, args }: Call): Step<unknown> =>
  (steps[name] as unknown as (...args: readonly unknown[]) => Step<unknown>)(...args)
