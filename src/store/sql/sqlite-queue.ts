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

export interface Queue {
  readonly add: (step: Waiting) => void
  /** Why nothing is answered any more, or null. */
  readonly refusal: () => StoreFault | null
  /** Refuses everything from now on, for the disk cannot be believed. */
  readonly giveUp: () => void
  /** Takes nothing more, and resolves once all that was taken is answered. */
  readonly drain: () => Promise<void>
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
export const createQueue = (writer: Worker, onBroken: () => void): Queue => {
  let waiting: Waiting[] = []
  let underWay: Waiting[] = []
  let scheduled = false
  let state: 'open' | 'closed' | 'broken' = 'open'
  let drained = (): void => {}

  const isIdle = (): boolean => underWay.length === 0 && waiting.length === 0

  const giveUp = (): void => {
    if (state === 'broken' || (state === 'closed' && isIdle())) return
    state = 'broken'
    const lost = [...underWay, ...waiting]
    underWay = []
    waiting = []
    for (const one of lost) one.reject(refuse('broken'))
    drained()
    onBroken()
  }

  const send = (): void => {
    scheduled = false
    if (waiting.length === 0) return
    underWay = waiting.splice(0, limits.stepsTogether)
    writer.ref()
    writer.postMessage(underWay.map(({ name, args }) => ({ name, args })) satisfies Order)
  }

  const answer = (answers: readonly Answer[]): void => {
    const answered = underWay
    underWay = []
    for (const [i, one] of answered.entries()) {
      const given = answers[i] ?? { fault: 0 }
      if ('outcome' in given) one.resolve(given.outcome)
      else one.reject(failed(one.name, given.fault))
    }
    if (answers.some((given) => 'fault' in given && isFatal(given.fault))) giveUp()
    else if (waiting.length > 0) send()
    else {
      writer.unref()
      drained()
    }
  }

  writer.on('message', answer)
  writer.on('error', giveUp)
  writer.on('exit', giveUp)
  writer.unref()

  const add = (step: Waiting): void => {
    if (state !== 'open') step.reject(refuse(state))
    else if (waiting.length >= limits.stepsWaiting) step.reject(refuse('busy'))
    else {
      waiting.push(step)
      if (underWay.length > 0 || scheduled) return
      // All that arrive in this turn of the event loop go together.
      scheduled = true
      setImmediate(send)
    }
  }

  const drain = (): Promise<void> => {
    if (state === 'open') state = 'closed'
    if (isIdle()) return Promise.resolve()
    return new Promise((resolve) => {
      drained = resolve
    })
  }

  const refusal = (): StoreFault | null => (state === 'open' ? null : refuse(state))
  return { add, refusal, giveUp, drain }
}
