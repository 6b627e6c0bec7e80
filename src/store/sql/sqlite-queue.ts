/** Steps on their way to the writer: they wait while it is busy, and so go together. */
import type { Worker } from 'node:worker_threads'
import { limits } from '../../config/limits.ts'
import { StoreFault } from '../fault.ts'
import { type Answer, isFatal } from './sqlite-batch.ts'
import type { Order } from './sqlite-writer.ts'
import type { Call } from './steps.ts'

export interface Waiting extends Call {
  readonly resolve: (outcome: unknown) => void
  readonly reject: (fault: StoreFault) => void
}

/** Tells which step failed and how SQLite calls it, but never with which values. */
export const failed = (name: string, fault: number): StoreFault =>
  new StoreFault('failed', `the store failed in ${name} (SQLite error ${fault})`)

const refusals = {
  broken: 'the store has lost its disk and answers no more',
  closed: 'the store is closed',
  busy: 'too many steps wait for the store',
}

const refuse = (reason: keyof typeof refusals): StoreFault =>
  new StoreFault(reason, refusals[reason])

/** One group is under way at a time; the writer keeps the process alive only while it has work. */
export class Queue {
  readonly #writer: Worker
  readonly #onBroken: () => void
  #waiting: Waiting[] = []
  #underWay: Waiting[] = []
  #scheduled = false
  #state: 'open' | 'closed' | 'broken' = 'open'
  #drained = (): void => {}

  /** @param onBroken called once if the disk cannot be believed any more */
  constructor(writer: Worker, onBroken: () => void) {
    this.#writer = writer
    this.#onBroken = onBroken
    writer.on('message', (answers: readonly Answer[]) => this.#answer(answers))
    writer.on('error', () => this.giveUp())
    writer.on('exit', () => this.giveUp())
    writer.unref()
  }

  add(step: Waiting): void {
    if (this.#state !== 'open') step.reject(refuse(this.#state))
    else if (this.#waiting.length >= limits.stepsWaiting) step.reject(refuse('busy'))
    else {
      this.#waiting.push(step)
      if (this.#underWay.length > 0 || this.#scheduled) return
      // All that arrive in this turn of the event loop go together.
      this.#scheduled = true
      setImmediate(() => this.#send())
    }
  }

  /** Why nothing is answered any more, or null. */
  refusal(): StoreFault | null {
    return this.#state === 'open' ? null : refuse(this.#state)
  }

  /** Takes nothing more, and resolves once all that was taken is answered. */
  drain(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closed'
    if (this.#isIdle()) return Promise.resolve()
    return new Promise((resolve) => {
      this.#drained = resolve
    })
  }

  /** Refuses everything from now on, for the disk cannot be believed. */
  giveUp(): void {
    if (this.#state === 'broken' || (this.#state === 'closed' && this.#isIdle())) return
    this.#state = 'broken'
    for (const one of [...this.#underWay, ...this.#waiting]) one.reject(refuse('broken'))
    this.#underWay = []
    this.#waiting = []
    this.#drained()
    this.#onBroken()
  }

  #isIdle(): boolean {
    return this.#underWay.length === 0 && this.#waiting.length === 0
  }

  #send(): void {
    this.#scheduled = false
    this.#underWay = this.#waiting.splice(0, limits.stepsTogether)
    if (this.#underWay.length === 0) return
    const calls = this.#underWay.map(({ name, args }) => ({ name, args }))
    this.#writer.ref()
    try {
      this.#writer.postMessage(calls satisfies Order)
    } catch {
      // Something among the arguments is no plain value and cannot be sent to another thread.
      this.#answer([])
    }
  }

  #answer(answers: readonly Answer[]): void {
    const answered = this.#underWay
    this.#underWay = []
    for (const [i, one] of answered.entries()) {
      const answer = answers[i] ?? { fault: 0 }
      if ('outcome' in answer) one.resolve(answer.outcome)
      else one.reject(failed(one.name, answer.fault))
    }
    if (answers.some((answer) => 'fault' in answer && isFatal(answer.fault))) this.giveUp()
    else if (this.#waiting.length > 0) this.#send()
    else {
      this.#writer.unref()
      this.#drained()
    }
  }
}
