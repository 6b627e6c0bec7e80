/** How long the answers of a slice took. */

/** Times in steps of 10 microseconds up to two seconds; what took longer counts as that. */
const binMilliseconds = 0.01
const bins = 200_000

const toHundredths = (value: number): number => Math.round(value * 100) / 100

export class Times {
  readonly #counts = new Uint32Array(bins)
  #longest = 0
  #total = 0

  /** @param took in milliseconds */
  add(took: number): void {
    const bin = Math.min(Math.floor(took / binMilliseconds), bins - 1)
    this.#counts[bin] = (this.#counts[bin] ?? 0) + 1
    this.#longest = Math.max(this.#longest, took)
    this.#total++
  }

  get total(): number {
    return this.#total
  }

  get longest(): number {
    return toHundredths(this.#longest)
  }

  /** Milliseconds within which this share was answered. */
  within(share: number): number {
    let seen = 0
    for (const [bin, count] of this.#counts.entries()) {
      seen += count
      if (seen > 0 && seen >= this.#total * share) return toHundredths((bin + 1) * binMilliseconds)
    }
    return 0
  }
}
