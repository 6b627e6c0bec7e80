/** Steps that wait, and the order among those of one shard key. */
import type { QueuedCall } from '../room.ts'
import type { StepPlace } from './dialect.ts'

export interface WaitingStep {
  readonly step: QueuedCall
  readonly shardKey: StepPlace['shardKey']
}

/** Takes the first steps that may be done. */
export const takeTogether = (
  waiting: readonly WaitingStep[],
  most: number,
  isNext: (one: WaitingStep) => boolean,
) => {
  const taken: WaitingStep[] = []
  const left = waiting.filter((one) => {
    if (taken.length === most || !isNext(one)) return true
    taken.push(one)
    return false
  })
  return { taken, left }
}

/** Steps of one shard key are done one after the other, as they came. */
export class KeyOrder {
  /** Waiting, or under way. */
  readonly #steps = new Map<number, WaitingStep[]>()

  add(step: WaitingStep): void {
    if (step.shardKey === null) return
    const before = this.#steps.get(step.shardKey)
    if (before === undefined) this.#steps.set(step.shardKey, [step])
    else before.push(step)
  }

  isNext(step: WaitingStep): boolean {
    return step.shardKey === null || this.#steps.get(step.shardKey)?.[0] === step
  }

  remove({ shardKey }: WaitingStep): void {
    if (shardKey === null) return
    const steps = this.#steps.get(shardKey)
    steps?.shift()
    if (steps?.length === 0) this.#steps.delete(shardKey)
  }
}
