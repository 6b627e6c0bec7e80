/**
 * Marks of the cache. Each stands for one thing that steps change: a client, a family, and so on. A
 * step invalidates it before it may change that thing. No new mark begins until all such steps
 * have ended, so no read during them is cached.
 */
import { engineLimits } from '../limits.ts'

export interface Mark {
  readonly thing: string
  isGood: boolean
  answers: number
}

interface ChangingSteps {
  steps: number
  /** Whether there was more than one of them at any moment. */
  isShared: boolean
}

export class Marks {
  readonly #good = new Map<string, Mark>()
  readonly #changing = new Map<string, ChangingSteps>()
  /** Moves on whenever a step ends. */
  #turn = 0
  /** Reads under way, and what others were heard to change during them: the last news of each. */
  #reads = 0
  #news = 0
  readonly #changed = new Map<string, number>()
  /** The last news before the read whose answer is cached just now. */
  #readAfter = 0
  #stopped = false

  /** Asks, and hands the answer over to be remembered unless a step ended meanwhile. */
  async read<Answer>(
    ask: () => Promise<Answer>,
    remember: (answer: NonNullable<Answer>) => void,
  ): Promise<Answer> {
    const turn = this.#turn
    const news = this.#news
    this.#reads++
    try {
      const answer = await ask()
      // The answer may have been read before that step was done. Steps still under way are known, see `take`.
      if (answer != null && turn === this.#turn) {
        this.#readAfter = news
        remember(answer)
      }
      return answer
    } finally {
      this.#reads--
      if (this.#reads === 0) this.#changed.clear()
    }
  }

  /**
   * Runs a step that may change these things.
   *
   * @param remember gets the outcome at once, or null for a failed step with an unknown effect. The function
   * is not called if another step was changing one of these things at the same time.
   */
  async change<Outcome>(
    things: readonly string[],
    step: () => Promise<Outcome>,
    remember: (outcome: Outcome | null) => void = () => {},
  ): Promise<Outcome> {
    const end = this.#begin(things)
    try {
      const outcome = await step()
      if (end()) remember(outcome)
      return outcome
    } catch (fault) {
      if (end()) remember(null)
      throw fault
    }
  }

  /** Marks for an answer to rest on; null where a step is changing one of these things. */
  take(things: readonly string[]): readonly Mark[] | null {
    const isChanging = (thing: string): boolean =>
      this.#changing.has(thing) || (this.#changed.get(thing) ?? 0) > this.#readAfter
    if (this.#stopped || things.some(isChanging)) return null
    return things.map((thing) => {
      const mark = this.#good.get(thing) ?? { thing, isGood: true, answers: 0 }
      this.#good.set(thing, mark)
      mark.answers++
      return mark
    })
  }

  /** The answer is remembered no longer. A mark that nothing rests on is let go of. */
  giveBack(marks: readonly Mark[]): void {
    for (const mark of marks) {
      mark.answers--
      if (mark.answers === 0 && mark.isGood) this.#good.delete(mark.thing)
    }
  }

  /** Others have changed these things. A read that is under way may be older or newer than that. */
  invalidate(things: readonly string[]): void {
    this.#news++
    for (const thing of things) {
      this.#drop(thing)
      if (this.#reads > 0) this.#changed.set(thing, this.#news)
    }
    if (this.#changed.size <= engineLimits.idsNoted) return
    this.#turn++
    this.#changed.clear()
  }

  invalidateAll(): void {
    this.#turn++
    for (const mark of this.#good.values()) mark.isGood = false
    this.#good.clear()
  }

  stop(): void {
    this.#stopped = true
    this.invalidateAll()
  }

  #drop(thing: string): void {
    const mark = this.#good.get(thing)
    if (mark === undefined) return
    mark.isGood = false
    this.#good.delete(thing)
  }

  /** @returns ends the changes, and says whether no other step was changing any of the things */
  #begin(things: readonly string[]): () => boolean {
    const changes = things.map((thing) => {
      this.#drop(thing)
      const change = this.#changing.get(thing) ?? { steps: 0, isShared: false }
      change.steps++
      if (change.steps > 1) change.isShared = true
      this.#changing.set(thing, change)
      return change
    })
    return () => {
      this.#turn++
      for (const [i, thing] of things.entries()) {
        const change = changes[i]
        if (change !== undefined && --change.steps === 0) this.#changing.delete(thing)
      }
      return changes.every(({ isShared }) => !isShared)
    }
  }
}
