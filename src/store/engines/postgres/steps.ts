/** Steps on their way to PostgreSQL: those of one turn go together, and what fails is tried again. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../../model/ids.ts'
import { StoreFault } from '../../fault.ts'
import { engineLimits } from '../../limits.ts'
import { aloneSteps } from '../../sql/records.ts'
import type { Call, StepName } from '../../sql/steps.ts'
import type { QueuedCall, Room } from '../room.ts'
import { type Ran, runTogether, type StepResult } from './batch.ts'
import { failed, isFull, lostBy, mostTries, refuse } from './fault.ts'
import { addJitter, type Line } from './line.ts'

/** A slow machine has many transactions under way, and each of them may be in the way. */
const raceTries = 16
/** The wait before a step is tried again after a conflict; doubled for each of the first tries. */
const conflictMilliseconds = 2

const runOn = async (line: Line, calls: readonly Call[], atOnce: boolean): Promise<Ran> => {
  try {
    return await runTogether(await line.takeDurable(), calls, atOnce)
  } catch (error) {
    const fault = lostBy(error)
    return { answers: calls.map(() => ({ fault })) }
  }
}

const unanswered: StepResult = { fault: refuse('indeterminate') }

/** Long steps that no request waits for: each goes alone, since others would make all of its round trips. */
const housekeeping: ReadonlySet<StepName> = new Set([
  ...aloneSteps,
  'purgeEnded',
  'purgeNext',
  'sweepChanges',
  'proveRoom',
])

/** Takes steps for as many lines as there are; a line that is free takes all that wait. */
export class StepLines {
  readonly #free: Line[]
  readonly #count: number
  readonly #random: Random
  readonly #room: Room
  #waiting: QueuedCall[] = []
  #alone: QueuedCall[] = []
  #scheduled = false
  #closed = false
  readonly #drained = Promise.withResolvers<void>()

  constructor(lines: readonly Line[], random: Random, room: Room) {
    this.#free = [...lines]
    this.#count = lines.length
    this.#random = random
    this.#room = room
  }

  add(step: QueuedCall): void {
    if (this.#closed) step.reject(refuse('closed'))
    else if (this.#waiting.length >= engineLimits.stepsWaiting) step.reject(refuse('busy'))
    else {
      ;(housekeeping.has(step.name) ? this.#alone : this.#waiting).push(step)
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
    return this.#waiting.length + this.#alone.length
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

  #send(): void {
    while (this.waiting > 0) {
      const line = this.#free.pop()
      if (line === undefined) return
      const alone = this.#alone.splice(0, 1)
      const steps = alone.length > 0 ? alone : this.#waiting.splice(0, engineLimits.stepsTogether)
      void this.#run(line, steps)
    }
  }

  async #settle(
    line: Line,
    calls: readonly Call[],
    tries = 1,
    atOnce = true,
  ): Promise<readonly StepResult[]> {
    const ran = await runOn(line, calls, atOnce)
    if ('answers' in ran) {
      const left = calls.filter((_, i) => ran.answers[i] === null)
      const more = left.length === 0 ? [] : await this.#settle(line, left, tries, false)
      const rest = more.values()
      return ran.answers.map((answer) => answer ?? rest.next().value ?? unanswered)
    }
    const { trouble, error } = ran
    const again = tries < (trouble === 'race' ? raceTries : mostTries)
    if ((trouble === 'lost' || trouble === 'stale') && again) {
      return this.#settle(line, calls, tries + 1, atOnce)
    }
    if (calls.length > 1) {
      // Halving a failed batch finds the failing step.
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
    const isLost = trouble === 'lost' || error instanceof StoreFault
    return calls.map(({ name }) => ({
      fault: isLost ? lostBy(error) : failed(name, error),
      isFull: isFull(error),
    }))
  }

  async #run(line: Line, steps: readonly QueuedCall[]): Promise<void> {
    const calls = steps.map(({ name, args }) => ({ name, args }))
    const answers = await this.#settle(line, calls)
    for (const [i, step] of steps.entries()) {
      const answer = answers[i] ?? unanswered
      if ('outcome' in answer) {
        this.#room.noteDone(step)
        step.resolve(answer.outcome)
      } else {
        if (answer.isFull) this.#room.noteFull(step)
        step.reject(answer.fault)
      }
    }
    this.#free.push(line)
    this.#send()
    this.#noteIdle()
  }
}
