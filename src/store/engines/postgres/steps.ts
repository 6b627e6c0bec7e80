/** Steps on their way to PostgreSQL: those of one turn go together, and what fails is tried again. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../../model/ids.ts'
import { StoreFault } from '../../fault.ts'
import { engineLimits } from '../../limits.ts'
import { aloneSteps } from '../../sql/records.ts'
import type { Call, StepName } from '../../sql/steps.ts'
import type { QueuedCall, Room } from '../room.ts'
import { type Ran, runTogether, type StepResult } from './batch.ts'
import type { Dialect, StepPlace } from './dialect.ts'
import { awayTries, failed, isFull, lostBy, mostTries, refuse, type Trouble } from './fault.ts'
import { addJitter, type Line } from './line.ts'
import { runNear } from './near.ts'
import { KeyOrder, takeTogether, type WaitingStep } from './waiting.ts'

/** A slow machine has many transactions under way, and each of them may be in the way. */
const mostTriesAfter: Partial<Record<Trouble, number>> = { race: 16, away: awayTries }
/** The wait before a step is tried again after a conflict; doubled for each of the first tries. */
const conflictMilliseconds = 2

/** Runs before a lone step. */
type BeforeStep = ((call: Call) => Promise<void>) | null

const runOn = async (
  line: Line,
  calls: readonly Call[],
  atOnce: boolean,
  before: BeforeStep,
): Promise<Ran> => {
  try {
    const [call, beside] = calls
    if (before !== null && call !== undefined && beside === undefined) await before(call)
    return await runTogether(await line.takeDurable(), calls, atOnce, line.dialect)
  } catch (error) {
    const fault = lostBy(error)
    return { answers: calls.map(() => ({ fault })) }
  }
}

const unanswered: StepResult = { fault: refuse('indeterminate') }

/** Each try may wait seconds for a silent machine: after so many, the other steps of a batch are not tried. */
const mostAway = 3
const untried: StepResult = { fault: refuse('unreachable') }

/** Long steps that no request waits for: each goes alone, since others would make all of its round trips. */
const housekeeping: ReadonlySet<StepName> = new Set([
  ...aloneSteps,
  'purgeEnded',
  'purgeNext',
  'sweepChanges',
  'proveRoom',
])

type StepMachine = StepPlace['machine']

/** Steps that go together. */
interface StepQueue {
  readonly machine: StepMachine
  readonly isNear: boolean
  readonly steps: WaitingStep[]
}

/** Takes steps for as many lines as there are; a line that is free takes all that wait. */
export class StepLines {
  readonly #free: Line[]
  readonly #count: number
  readonly #random: Random
  readonly #room: Room
  readonly #dialect: Dialect
  readonly #before: BeforeStep
  /** By the machine where they go, and the way there. Of no machine, each goes alone. */
  readonly #waiting = new Map<string, StepQueue>()
  readonly #order = new KeyOrder()
  /** How many lines work for a machine. */
  readonly #busyFor = new Map<StepMachine, number>()
  #scheduled = false
  #closed = false
  readonly #drained = Promise.withResolvers<void>()

  constructor(
    lines: readonly Line[],
    dialect: Dialect,
    random: Random,
    room: Room,
    before: BeforeStep = null,
  ) {
    this.#dialect = dialect
    this.#before = before
    this.#free = [...lines]
    this.#count = lines.length
    this.#random = random
    this.#room = room
  }

  add(step: QueuedCall): void {
    if (this.#closed) step.reject(refuse('closed'))
    else if (this.waiting >= engineLimits.stepsWaiting) step.reject(refuse('busy'))
    else {
      const { machine: found, shardKey, isNear } = this.#dialect.placeOf(step)
      const machine = housekeeping.has(step.name) ? null : found
      const name = `${machine} ${isNear}`
      const one = { step, shardKey }
      this.#order.add(one)
      const beside = this.#waiting.get(name)
      if (beside === undefined) this.#waiting.set(name, { machine, isNear, steps: [one] })
      else beside.steps.push(one)
      if (this.#scheduled) return
      // All that arrive in this turn of the event loop go together.
      this.#scheduled = true
      setImmediate(() => {
        this.#scheduled = false
        this.#send()
      })
    }
  }

  get waiting(): number {
    return this.#waiting.values().reduce((sum, { steps }) => sum + steps.length, 0)
  }

  get busy(): number {
    return this.#count - this.#free.length
  }

  /** Takes nothing more, and resolves once all that was taken is answered. */
  drain(): Promise<void> {
    this.#closed = true
    this.#noteIdle()
    return this.#drained.promise
  }

  #noteIdle(): void {
    if (this.#closed && this.waiting === 0 && this.busy === 0) this.#drained.resolve()
  }

  #countBusyFor(place: StepMachine, change: number): number {
    const count = (this.#busyFor.get(place) ?? 0) + change
    this.#busyFor.set(place, count)
    return count
  }

  /** Of several machines, a silent one gets half of the lines at most, so that the others go on. */
  #isOpen(place: StepMachine): boolean {
    if (this.#dialect.machines === null) return true
    return this.#countBusyFor(place, 0) < Math.ceil(this.#count / 2)
  }

  #send(): void {
    for (const [name, queue] of this.#waiting) {
      const { machine } = queue
      if (!this.#isOpen(machine)) continue
      if (this.#free.length === 0) return
      const most = machine === null ? 1 : engineLimits.stepsTogether
      const { taken, left } = takeTogether(queue.steps, most, (one) => this.#order.isNext(one))
      const line = taken.length === 0 ? undefined : this.#free.pop()
      if (line === undefined) continue
      // The rest waits behind those of other machines.
      this.#waiting.delete(name)
      if (left.length > 0) this.#waiting.set(name, { ...queue, steps: left })
      void this.#run(line, taken, queue)
    }
  }

  async #settle(
    line: Line,
    calls: readonly Call[],
    tries = 1,
    atOnce = true,
  ): Promise<readonly StepResult[]> {
    const ran = await runOn(line, calls, atOnce, this.#before)
    if ('answers' in ran) return this.#goOn(line, calls, ran.answers, tries)
    const { trouble, error } = ran
    if (trouble === 'unmoved' && calls.length === 1) {
      return this.#settle(line, calls, tries, atOnce)
    }
    const again = tries < (mostTriesAfter[trouble] ?? mostTries)
    if (['lost', 'away', 'stale'].includes(trouble) && again) {
      return this.#settle(line, calls, tries + 1, atOnce)
    }
    if (calls.length > 1 && trouble === 'away') return this.#settleAlone(line, calls)
    if (calls.length > 1) {
      // Halving a failed batch finds the failing step, or the one that waits for events.
      const half = Math.ceil(calls.length / 2)
      return [
        ...(await this.#settle(line, calls.slice(0, half), tries, atOnce)),
        ...(await this.#settle(line, calls.slice(half), tries, atOnce)),
      ]
    }
    if ((trouble === 'race' || trouble === 'conflict') && again) {
      // Longer pauses would not help: by then the other transactions have ended.
      await pause(addJitter(conflictMilliseconds * 2 ** Math.min(tries, mostTries), this.#random))
      return this.#settle(line, calls, tries + 1, atOnce)
    }
    const isLost = trouble === 'lost' || trouble === 'away' || error instanceof StoreFault
    return calls.map(({ name }) => ({
      fault: isLost ? lostBy(error) : failed(name, error),
      isFull: isFull(error),
    }))
  }

  /** Does the steps that are still to be done. */
  async #goOn(
    line: Line,
    calls: readonly Call[],
    answers: readonly (StepResult | null)[],
    tries: number,
  ): Promise<readonly StepResult[]> {
    const left = calls.filter((_, i) => answers[i] === null)
    const more = left.length === 0 ? [] : await this.#settle(line, left, tries, false)
    const rest = more.values()
    return answers.map((answer) => answer ?? rest.next().value ?? unanswered)
  }

  /**
   * Tries each step of a batch once more. The first statements of all go to one machine, but a later
   * one of a single step may have asked the one that is away.
   */
  async #settleAlone(line: Line, calls: readonly Call[]): Promise<readonly StepResult[]> {
    const results: StepResult[] = []
    let away = 0
    for (const call of calls) {
      const [result = unanswered] =
        away < mostAway ? await this.#settle(line, [call], awayTries, false) : [untried]
      if ('fault' in result && !['failed', 'busy'].includes(result.fault.reason)) away++
      results.push(result)
    }
    return results
  }

  async #run(
    line: Line,
    taken: readonly WaitingStep[],
    { machine, isNear }: StepQueue,
  ): Promise<void> {
    this.#countBusyFor(machine, 1)
    const calls = taken.map(({ step: { name, args } }) => ({ name, args }))
    const keys = taken.flatMap(({ shardKey }) => shardKey ?? [])
    const near = isNear ? await runNear(line, machine, calls, keys) : null
    const answers = await (near === null
      ? this.#settle(line, calls)
      : this.#goOn(line, calls, near, 1))
    for (const [i, one] of taken.entries()) {
      const { step } = one
      this.#order.remove(one)
      const answer = answers[i] ?? unanswered
      if ('outcome' in answer) {
        this.#room.noteDone(step)
        step.resolve(answer.outcome)
      } else {
        if (answer.isFull) this.#room.noteFull(step)
        step.reject(answer.fault)
      }
    }
    this.#countBusyFor(machine, -1)
    this.#free.push(line)
    this.#send()
    this.#noteIdle()
  }
}
