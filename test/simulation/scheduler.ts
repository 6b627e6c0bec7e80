/** The only clock of a simulation: everything that waits, waits here, and goes on in the order of its time. */
import { setImmediate as turn } from 'node:timers/promises'

interface Due {
  readonly at: number
  /** Breaks ties, so that no order is left to the engine. */
  readonly order: number
  readonly fire: () => void
}

const isBefore = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

export class Scheduler {
  /** Unix milliseconds of simulated time. */
  now: number
  fired = 0
  #order = 0
  /** A binary heap. */
  readonly #queue: Due[] = []

  constructor(now: number) {
    this.now = now
  }

  /** Does something so many milliseconds from now. */
  after(milliseconds: number, fire: () => void): void {
    const due = { at: this.now + milliseconds, order: this.#order++, fire }
    const queue = this.#queue
    let place = queue.push(due) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = queue[above]
      if (parent === undefined || isBefore(parent, due)) break
      queue[place] = parent
      queue[above] = due
      place = above
    }
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve))
  }

  /**
   * Lets simulated time pass until `work` is done. Between two events it waits for all promises to
   * settle. Nothing in a simulation waits for anything but the scheduler and other promises. So one
   * turn of the event loop is long enough.
   */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false
    const settled = work.finally(() => {
      isDone = true
    })
    settled.catch(() => {})
    for (;;) {
      await turn()
      if (isDone) return settled
      const due = this.#take()
      if (due === null) throw new Error('something waits for what the scheduler does not own')
      this.now = due.at
      this.fired++
      due.fire()
    }
  }

  #take(): Due | null {
    const queue = this.#queue
    const [first] = queue
    const last = queue.pop()
    if (first === undefined || last === undefined || first === last) return first ?? null
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      let child = queue[below]
      const right = queue[below + 1]
      if (right !== undefined && child !== undefined && isBefore(right, child)) {
        child = right
        below++
      }
      if (child === undefined || isBefore(last, child)) break
      queue[place] = child
      place = below
    }
    queue[place] = last
    return first
  }
}
