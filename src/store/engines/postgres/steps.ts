/** Steps on their way to PostgreSQL: those of one turn go together, and what fails is tried again. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreFault } from '../../fault.ts'
import { engineLimits } from '../../limits.ts'
import { aloneSteps } from '../../sql/records.ts'
import type { Call, StepName } from '../../sql/steps.ts'
import { type Ran, runTogether, type StepResult } from './batch.ts'
import { failed, isFull, lostBy, refuse, type Trouble } from './fault.ts'
import { postgresLimits } from './limits.ts'
import { jittered, type Line, type RandomBytes } from './line.ts'

export interface PostgresCall extends Call {
  readonly resolve: (outcome: unknown) => void
  /** @param isFull whether the disk of the server has no room */
  readonly reject: (fault: StoreFault, isFull?: boolean) => void
}

/** Halving a failed batch finds the failing step. */
const halves = (calls: readonly Call[]): readonly (readonly Call[])[] => {
  const half = Math.ceil(calls.length / 2)
  return [calls.slice(0, half), calls.slice(half)]
}

const runOn = async (line: Line, calls: readonly Call[], atOnce: boolean): Promise<Ran> => {
  try {
    return await runTogether(await line.takeDurable(), calls, atOnce)
  } catch (error) {
    const fault = lostBy(error)
    return { answers: calls.map(() => ({ fault })) }
  }
}

const faultOf = (name: string, trouble: Trouble, error: unknown): StoreFault => {
  return trouble === 'lost' || error instanceof StoreFault ? lostBy(error) : failed(name, error)
}

/** Runs steps until each has its answer. */
const settle = async (
  line: Line,
  random: RandomBytes,
  calls: readonly Call[],
  tries = 1,
  atOnce = true,
): Promise<readonly StepResult[]> => {
  const ran = await runOn(line, calls, atOnce)
  if ('answers' in ran) {
    const left = calls.filter((_, i) => ran.answers[i] === null)
    const more = left.length === 0 ? [] : await settle(line, random, left, tries, false)
    const rest = more.values()
    return ran.answers.map((answer) => answer ?? rest.next().value ?? unanswered)
  }
  const { trouble, error } = ran
  const { tries: most, raceTries } = postgresLimits
  const again = tries < (trouble === 'race' ? raceTries : most)
  if ((trouble === 'lost' || trouble === 'stale') && again) {
    return settle(line, random, calls, tries + 1, atOnce)
  }
  if (calls.length > 1) {
    const answers: StepResult[] = []
    for (const half of halves(calls)) {
      answers.push(...(await settle(line, random, half, tries, atOnce)))
    }
    return answers
  }
  if ((trouble === 'race' || trouble === 'conflict') && again) {
    // Longer pauses would not help: by then the other transactions have ended.
    await pause(jittered(postgresLimits.conflictMilliseconds * 2 ** Math.min(tries, most), random))
    return settle(line, random, calls, tries + 1, atOnce)
  }
  return calls.map(({ name }) => ({
    fault: faultOf(name, trouble, error),
    isFull: isFull(error),
  }))
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
  readonly #random: RandomBytes
  #waiting: PostgresCall[] = []
  #alone: PostgresCall[] = []
  #scheduled = false
  #closed = false
  #drained = (): void => {}

  constructor(lines: readonly Line[], random: RandomBytes) {
    this.#free = [...lines]
    this.#count = lines.length
    this.#random = random
  }

  add(step: PostgresCall): void {
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

  /** Lines that run steps just now. */
  get busy(): number {
    return this.#count - this.#free.length
  }

  /** Takes nothing more, and resolves once all that was taken is answered. */
  drain(): Promise<void> {
    this.#closed = true
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => {
      this.#drained = resolve
    })
  }

  #isIdle(): boolean {
    return this.#isNoneWaiting() && this.#free.length === this.#count
  }

  #isNoneWaiting(): boolean {
    return this.#waiting.length === 0 && this.#alone.length === 0
  }

  #send(): void {
    while (!this.#isNoneWaiting()) {
      const line = this.#free.pop()
      if (line === undefined) return
      const alone = this.#alone.splice(0, 1)
      const steps = alone.length > 0 ? alone : this.#waiting.splice(0, engineLimits.stepsTogether)
      void this.#run(line, steps)
    }
  }

  async #run(line: Line, steps: readonly PostgresCall[]): Promise<void> {
    const calls = steps.map(({ name, args }) => ({ name, args }))
    const answers = await settle(line, this.#random, calls)
    for (const [i, step] of steps.entries()) {
      const answer = answers[i] ?? unanswered
      if ('outcome' in answer) step.resolve(answer.outcome)
      else step.reject(answer.fault, answer.isFull)
    }
    this.#free.push(line)
    this.#send()
    if (this.#isIdle()) this.#drained()
  }
}
