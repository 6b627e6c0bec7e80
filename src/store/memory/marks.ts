/**
 * Marks: what remembered answers rest on. Each stands for one thing that steps change (a client, a
 * family, ...) and is spoiled as soon as a step begins that may change it. Until all such steps have
 * ended there is no new one, so nothing that was read meanwhile is remembered.
 */

export interface Mark {
  readonly thing: string
  isGood: boolean
  /** How many remembered answers rest on it. */
  answers: number
}

/** The steps that are changing one thing just now. */
interface Change {
  steps: number
  /** Whether there was more than one of them at any moment. */
  isShared: boolean
}

export class Marks {
  readonly #good = new Map<string, Mark>()
  readonly #changing = new Map<string, Change>()
  /** Moves on whenever a step ends. */
  #turn = 0
  #stopped = false

  /** Asks, and hands the answer over to be remembered unless a step ended meanwhile. */
  async read<Answer>(
    ask: () => Promise<Answer>,
    remember: (answer: NonNullable<Answer>) => void,
  ): Promise<Answer> {
    const turn = this.#turn
    const answer = await ask()
    // It may have been read before that step was done. Those still under way are known, see `take`.
    if (answer != null && turn === this.#turn) remember(answer)
    return answer
  }

  /**
   * Runs a step that may change these things.
   *
   * @param remember told of the outcome at the moment it is known, unless another step was changing
   * one of these things at the same time; of null where the step failed, and nobody knows what it did
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
    if (this.#stopped || things.some((thing) => this.#changing.has(thing))) return null
    return things.map((thing) => this.#takeOne(thing))
  }

  /** The answer is remembered no longer. A mark that nothing rests on is let go of. */
  giveBack(marks: readonly Mark[]): void {
    for (const mark of marks) {
      mark.answers--
      if (mark.answers === 0 && mark.isGood) this.#good.delete(mark.thing)
    }
  }

  /** Anything may have changed. */
  spoilAll(): void {
    this.#turn++
    for (const mark of this.#good.values()) mark.isGood = false
    this.#good.clear()
  }

  /** Spoils all of them, and there are never any again. */
  stop(): void {
    this.#stopped = true
    this.spoilAll()
  }

  #takeOne(thing: string): Mark {
    let mark = this.#good.get(thing)
    if (mark === undefined) {
      mark = { thing, isGood: true, answers: 0 }
      this.#good.set(thing, mark)
    }
    mark.answers++
    return mark
  }

  /** @returns ends the changes, and says whether no other step was changing any of the things */
  #begin(things: readonly string[]): () => boolean {
    const changes = things.map((thing) => this.#beginOne(thing))
    return () => {
      this.#turn++
      for (const [i, thing] of things.entries()) {
        const change = changes[i]
        if (change !== undefined && --change.steps === 0) this.#changing.delete(thing)
      }
      return changes.every(({ isShared }) => !isShared)
    }
  }

  #beginOne(thing: string): Change {
    const mark = this.#good.get(thing)
    if (mark !== undefined) {
      mark.isGood = false
      this.#good.delete(thing)
    }
    const change = this.#changing.get(thing) ?? { steps: 0, isShared: false }
    change.steps++
    if (change.steps > 1) change.isShared = true
    this.#changing.set(thing, change)
    return change
  }
}
