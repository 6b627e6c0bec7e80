/** Every step by its name: the name and its arguments are all that goes to whoever runs it. */
import { sweepChanges } from '../records/event/changes.ts'
import { proveRoom } from '../records/node/record.ts'
import { purgeEnded, purgeNext } from './purging.ts'
import { recordSteps } from './records.ts'
import type { Step } from './statement.ts'

const steps = { ...recordSteps, purgeEnded, purgeNext, sweepChanges, proveRoom } as const

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
