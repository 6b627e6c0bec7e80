/** Steps on their way to the writer: they wait while it is busy, and so go together. */
import type { Worker } from 'node:worker_threads'
import { StoreFault } from '../../fault.ts'
import { engineLimits } from '../../limits.ts'
import type { Values } from '../../schema/table.ts'
import type { Call } from '../../sql/steps.ts'
import type { Room } from '../room.ts'
import type { WriterAnswer } from './batch.ts'
import { failed, faultOf, isFatal, isFull } from './fault.ts'
import { type Packer, type Parcel, packCall } from './parcel.ts'
import type { Report, WriterOrder } from './writer.ts'

export interface QueuedCall extends Call {
  readonly resolve: (outcome: unknown) => void
  readonly reject: (fault: StoreFault) => void
}

const refusals = {
  broken: 'the store has lost its disk and answers no more',
  closed: 'the store is closed',
  busy: 'too many steps wait for the store',
}

const refuse = (reason: keyof typeof refusals): StoreFault =>
  new StoreFault(reason, refusals[reason])

const isRows = (answer: WriterAnswer): answer is readonly Values[] => Array.isArray(answer)

const isFatalAnswer = (answer: WriterAnswer): boolean =>
  !isRows(answer) && 'fault' in answer && isFatal(answer.fault)

/** A step with the parcel that it went in. */
interface StepInParcel {
  readonly step: QueuedCall
  readonly parcel: Parcel
}

/** One group is under way at a time; the writer keeps the process alive only while it has work. */
export class Queue {
  readonly #writer: Worker
  readonly #onBroken: () => void
  readonly #onForeign: () => void
  readonly #pack: Packer
  readonly #room: Room
  #waiting: QueuedCall[] = []
  /** Those of which the parcel came back unfinished go first, as calls. */
  #unfinished: QueuedCall[] = []
  #underWay: readonly StepInParcel[] = []
  #scheduled = false
  #state: 'open' | 'closed' | 'broken' = 'open'
  #drained = (): void => {}

  /**
   * @param room told of each step's success, and of its want of room
   * @param onBroken called once if the disk cannot be believed any more
   * @param onForeign called where somebody else has written to the database
   */
  constructor(
    writer: Worker,
    pack: Packer,
    room: Room,
    onBroken: () => void,
    onForeign: () => void,
  ) {
    this.#writer = writer
    this.#room = room
    this.#pack = pack
    this.#onBroken = onBroken
    this.#onForeign = onForeign
    writer.on('message', (report: Report) => {
      if (report === 'foreign') this.#onForeign()
      else if (report !== 'closed') this.#answer(report)
    })
    writer.on('error', () => this.giveUp())
    writer.on('exit', () => this.giveUp())
    writer.unref()
  }

  add(step: QueuedCall): void {
    if (this.#state !== 'open') step.reject(refuse(this.#state))
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

  /** Why nothing is answered any more, or null. */
  refusal(): StoreFault | null {
    return this.#state === 'open' ? null : refuse(this.#state)
  }

  isBroken(): boolean {
    return this.#state === 'broken'
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
    const underWay = this.#underWay.map(({ step }) => step)
    for (const step of [...underWay, ...this.#unfinished, ...this.#waiting]) {
      step.reject(refuse('broken'))
    }
    this.#underWay = []
    this.#unfinished = []
    this.#waiting = []
    this.#drained()
    this.#onBroken()
  }

  #isIdle(): boolean {
    return this.#underWay.length + this.#unfinished.length + this.#waiting.length === 0
  }

  #send(): void {
    this.#scheduled = false
    const sent: StepInParcel[] = this.#unfinished.map((step) => ({ step, parcel: packCall(step) }))
    this.#unfinished = []
    for (const step of this.#waiting.splice(0, engineLimits.stepsTogether)) {
      try {
        sent.push({ step, parcel: this.#pack(step) })
      } catch (error) {
        step.reject(failed(step.name, faultOf(error)))
      }
    }
    this.#underWay = sent
    if (sent.length === 0) this.#rest()
    else this.#post()
  }

  #post(): void {
    this.#writer.ref()
    try {
      this.#writer.postMessage(
        this.#underWay.map(({ parcel }) => parcel.work) satisfies WriterOrder,
      )
    } catch {
      // Something among the arguments is no plain value and cannot be sent to another thread.
      this.#answer([])
    }
  }

  #settle(sent: StepInParcel, answer: WriterAnswer): void {
    const { step } = sent
    const fault = 'fault' in answer ? answer.fault : 0
    if (fault === 0) this.#room.noteDone(step.args)
    else if (isFull(fault)) this.#room.noteFull(step.args)
    if (isRows(answer)) this.#resume(sent, answer)
    else if ('outcome' in answer) step.resolve(answer.outcome)
    else step.reject(failed(step.name, answer.fault))
  }

  #resume({ step, parcel }: StepInParcel, rows: readonly Values[]): void {
    try {
      const resumed = parcel.resume(rows)
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
    if (answers.some(isFatalAnswer)) this.giveUp()
    else if (this.#isIdle()) this.#rest()
    else this.#send()
  }

  #rest(): void {
    this.#writer.unref()
    this.#drained()
  }
}
