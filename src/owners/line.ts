/** A queue for a counter, in the order of arrival. */

interface WaitingTry {
  readonly arrival: number
  readonly counters: readonly string[]
  readonly goOn: () => void
}

export class CounterQueue {
  readonly #waiting: WaitingTry[] = []

  /** Those of these counters that somebody waits for. */
  among(counters: readonly string[]): readonly string[] {
    return counters.filter((name) => this.#waiting.some((one) => one.counters.includes(name)))
  }

  /**
   * Resolves when it is called.
   *
   * @param arrival keeps the place of a try that waits again
   */
  wait(arrival: number, counters: readonly string[]): Promise<void> {
    return new Promise((goOn) => {
      const place = this.#waiting.findIndex((one) => one.arrival > arrival)
      const here = place < 0 ? this.#waiting.length : place
      this.#waiting.splice(here, 0, { arrival, counters, goOn })
    })
  }

  /** Of each counter, whoever has waited longest goes on. */
  callNext(counters: readonly string[]): void {
    for (const name of counters) {
      const place = this.#waiting.findIndex((one) => one.counters.includes(name))
      if (place >= 0) this.#waiting.splice(place, 1)[0]?.goOn()
    }
  }
}
