/**
 * Steps on their way to the writer: they wait while it is busy, and so go together. A step of one
 * statement stays on this thread and sends only a number and values. Such messages cost a third of objects
 * with names.
 */
import type { Worker } from 'node:worker_threads'
import { StoreFault } from '../../fault.ts'
import { engineLimits } from '../../limits.ts'
import type { Values } from '../../schema/table.ts'
import { beginStep } from '../../sql/steps.ts'
import type { QueuedCall, Room } from '../room.ts'
import type { WriterAnswer, WriterWork } from './batch.ts'
import { type Compiler, makeRows } from './compiled.ts'
import { failed, getFaultCode, isFatal, isFull } from './fault.ts'
import type { Report, WriterOrder } from './writing.ts'

const refusals = {
  broken: 'the store has lost its disk and answers no more',
  closed: 'the store is closed',
  busy: 'too many steps wait for the store',
}

const refuse = (reason: keyof typeof refusals): StoreFault =>
  new StoreFault(reason, refusals[reason])

const isRows = (answer: WriterAnswer): answer is readonly Values[] => Array.isArray(answer)

interface SentStep {
  readonly step: QueuedCall
  readonly work: WriterWork
  /**
   * What came of the step by the rows of its statement. Null where it goes on with others: it has
   * changed nothing so far, and is run as a call from its beginning.
   */
  readonly resume: (rows: readonly Values[]) => { readonly outcome: unknown } | null
}

const packCall = (step: QueuedCall): SentStep => {
  const { name, args } = step
  return { step, work: { name, args }, resume: () => null }
}

/** Told of what happens to the database beside its steps. */
interface QueueEnds {
  /** Called once if the disk cannot be believed any more. */
  readonly onBroken: () => void
  /** Called where somebody else has written to the database. */
  readonly onForeign: () => void
}

/** One group is under way at a time; the writer keeps the process alive only while it has work. */
export class Queue {
  readonly #writer: Worker
  readonly #compile: Compiler
  readonly #room: Room
  readonly #ends: QueueEnds
  /** Texts go to the writer once and are numbers from then on. */
  readonly #numbers = new Map<string, number>()
  #waiting: QueuedCall[] = []
  /** Steps of which the parcel came back unfinished go first, as calls. */
  #unfinished: QueuedCall[] = []
  #underWay: readonly SentStep[] = []
  #scheduled = false
  /** Why nothing is answered any more; null while the queue is open. A plain member, since each read asks. */
  refusal: StoreFault | null = null
  readonly #drained = Promise.withResolvers<void>()

  /** @param compile here as well, for the names of columns */
  constructor(writer: Worker, compile: Compiler, room: Room, ends: QueueEnds) {
    this.#writer = writer
    this.#compile = compile
    this.#room = room
    this.#ends = ends
    writer.on('message', (report: Report) => {
      if (report === 'foreign') ends.onForeign()
      else if (report !== 'closed') this.#answer(report)
    })
    writer.on('error', () => this.giveUp())
    writer.on('exit', () => this.giveUp())
    writer.unref()
  }

  add(step: QueuedCall): void {
    if (this.refusal !== null) step.reject(this.refusal)
    else if (this.#waiting.length >= engineLimits.stepsWaiting) step.reject(refuse('busy'))
    else {
      this.#waiting.push(step)
      if (this.#underWay.length > 0 || this.#scheduled) return
      // All that arrive in this turn of the event loop go together.
      this.#scheduled = true
      setImmediate(() => this.#send())
    }
  }

  get waiting(): number {
    return this.#waiting.length + this.#unfinished.length
  }

  /** Takes nothing more, and resolves once all that was taken is answered. */
  drain(): Promise<void> {
    this.refusal ??= refuse('closed')
    if (this.#isIdle()) this.#drained.resolve()
    return this.#drained.promise
  }

  /** Refuses everything from now on, for the disk cannot be believed. */
  giveUp(): void {
    const reason = this.refusal?.reason
    if (reason === 'broken' || (reason === 'closed' && this.#isIdle())) return
    const refusal = refuse('broken')
    this.refusal = refusal
    const underWay = this.#underWay.map(({ step }) => step)
    for (const step of [...underWay, ...this.#unfinished, ...this.#waiting]) {
      step.reject(refusal)
    }
    this.#underWay = []
    this.#unfinished = []
    this.#waiting = []
    this.#drained.resolve()
    this.#ends.onBroken()
  }

  #isIdle(): boolean {
    return this.#underWay.length + this.waiting === 0
  }

  #send(): void {
    this.#scheduled = false
    const sent = this.#unfinished.map(packCall)
    this.#unfinished = []
    for (const step of this.#waiting.splice(0, engineLimits.stepsTogether)) {
      try {
        sent.push(this.#pack(step))
      } catch (error) {
        step.reject(failed(step.name, getFaultCode(error)))
      }
    }
    this.#underWay = sent
    if (sent.length === 0) this.#rest()
    else this.#post()
  }

  #pack(call: QueuedCall): SentStep {
    const step = beginStep(call)
    const { value: first, done } = step.next([])
    if (done || first.whole !== true) return packCall(call)
    const { sql, params } = first
    return {
      step: call,
      work: [this.#numberOf(sql), params],
      resume: (rows) => {
        const next = step.next(makeRows(this.#compile(sql).columns, rows))
        return next.done ? { outcome: next.value } : null
      },
    }
  }

  #numberOf(sql: string): number {
    const known = this.#numbers.get(sql)
    if (known !== undefined) return known
    this.#writer.postMessage({ text: sql } satisfies WriterOrder)
    this.#numbers.set(sql, this.#numbers.size)
    return this.#numbers.size - 1
  }

  #post(): void {
    this.#writer.ref()
    try {
      this.#writer.postMessage(this.#underWay.map(({ work }) => work) satisfies WriterOrder)
    } catch {
      // Something among the arguments is no plain value and cannot be sent to another thread.
      this.#answer([])
    }
  }

  #settle({ step, resume }: SentStep, answer: WriterAnswer): void {
    if ('fault' in answer) {
      if (isFull(answer.fault)) this.#room.noteFull(step)
      step.reject(failed(step.name, answer.fault))
      return
    }
    this.#room.noteDone(step)
    try {
      const resumed = isRows(answer) ? resume(answer) : answer
      if (resumed === null) this.#unfinished.push(step)
      else step.resolve(resumed.outcome)
    } catch (error) {
      // All is committed by now, so an unreadable row fails only the step that reads it.
      step.reject(error instanceof StoreFault ? error : failed(step.name, 0))
    }
  }

  #answer(answers: readonly WriterAnswer[]): void {
    const answered = this.#underWay
    this.#underWay = []
    for (const [i, sent] of answered.entries()) this.#settle(sent, answers[i] ?? { fault: 0 })
    const isEnd = (one: WriterAnswer): boolean =>
      !isRows(one) && 'fault' in one && isFatal(one.fault)
    if (answers.some(isEnd)) this.giveUp()
    else if (this.#isIdle()) this.#rest()
    else this.#send()
  }

  #rest(): void {
    this.#writer.unref()
    if (this.refusal !== null) this.#drained.resolve()
  }
}
