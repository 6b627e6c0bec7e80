/** Tries that are made at once: each is counted before its password is checked, the right ones only for so long. */

import { refuseForNow } from '../protocol/refusal.ts'
import type { AdmittedAttempt, AttemptCounter, BegunWait } from '../store/contract/owner.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Waiters } from '../store/patience.ts'
import type { Store } from '../store/store.ts'

/** How a try at a password or a code went: it was checked (null where it was wrong), or has to wait. */
export type Try<Found> =
  | { readonly outcome: 'checked'; readonly found: Found | null }
  | Extract<AdmittedAttempt, { outcome: 'wait' }>

/** Makes a try once it is its turn; one that has to wait while others are checked is made again after them. */
export type Tries = <Found>(
  counters: readonly string[],
  attempt: () => Promise<Try<Found>>,
) => Promise<Try<Found>>

interface WaitingTry {
  readonly arrival: number
  readonly counters: readonly string[]
  readonly goOn: () => void
}

/** A queue for a counter, in the order of arrival. */
class CounterQueue {
  readonly #waiting: WaitingTry[] = []

  /** The counters of the list with a try that waits. */
  among(counters: readonly string[]): readonly string[] {
    return counters.filter((name) => this.#waiting.some((one) => one.counters.includes(name)))
  }

  /**
   * Resolves when it is called.
   *
   * @param arrival keeps the place of a try that waits again
   * @throws StoreFault where its turn does not come in time
   */
  async wait(arrival: number, counters: readonly string[], waiters: Waiters): Promise<void> {
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    const place = this.#waiting.findIndex((one) => one.arrival > arrival)
    const one: WaitingTry = { arrival, counters, goOn }
    this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, one)
    try {
      await waiters.wait(() => promise)
    } finally {
      const left = this.#waiting.indexOf(one)
      if (left >= 0) this.#waiting.splice(left, 1)
    }
  }

  /** Of each counter, whoever has waited longest goes on. */
  callNext(counters: readonly string[]): void {
    for (const name of counters) {
      const place = this.#waiting.findIndex((one) => one.counters.includes(name))
      if (place >= 0) this.#waiting.splice(place, 1)[0]?.goOn()
    }
  }
}

/** @param begun the waits that the try has set, in case it is wrong */
type Attempt<Found> = (begun: readonly BegunWait[]) => Promise<Found | null>

/**
 * Counts an attempt, and makes it unless it has to wait. Counted first, so that many at once gain
 * nothing.
 */
export const admit = async <Found>(
  counters: readonly AttemptCounter[],
  attempt: Attempt<Found>,
  trace: Trace,
  store: Store,
): Promise<Try<Found>> => {
  const admitted = await store.admitAttempt(counters, trace)
  if (admitted.outcome === 'wait') return admitted
  return { outcome: 'checked', found: await attempt(admitted.begun) }
}

/**
 * Lets a try wait for its turn, so that right ones are let in however many come at once.
 *
 * @param attempt counts the try with `admit`
 */
export const waitTurn = <Found>(
  counters: readonly AttemptCounter[],
  tries: Tries,
  attempt: () => Promise<Try<Found>>,
): Promise<Try<Found>> =>
  tries(
    counters.map(({ key }) => key),
    attempt,
  )

/** @throws Refusal `too_many_requests` with `Retry-After` */
export const needChecked = <Found>(result: Try<Found>): Found | null => {
  if (result.outcome === 'checked') return result.found
  throw refuseForNow('login_throttled', 'too many wrong tries: wait a little', result.seconds)
}

/**
 * Counts a try and makes it in its turn.
 *
 * @throws Refusal `too_many_requests` with `Retry-After`
 */
export const makeTry = async <Found>(
  counters: readonly AttemptCounter[],
  attempt: Attempt<Found>,
  trace: Trace,
  { store, tries }: { readonly store: Store; readonly tries: Tries },
): Promise<Found | null> =>
  needChecked(await waitTurn(counters, tries, () => admit(counters, attempt, trace, store)))

/** A counter that tries at once share. */
interface Counter {
  readonly name: string
  /** Tries that are being made or wait. */
  tries: number
  underWay: number
  /** How many came to a check. One of them may have been right: then its count is taken back. */
  checked: number
}

/** Makes a try once. One that fails counts as checked, for nobody knows how far it came. */
const makeOnce = async <Found>(
  counters: readonly Counter[],
  attempt: () => Promise<Try<Found>>,
): Promise<Try<Found>> => {
  for (const counter of counters) counter.underWay++
  let checked = 1
  try {
    const result = await attempt()
    if (result.outcome === 'wait') checked = 0
    return result
  } finally {
    for (const counter of counters) {
      counter.underWay--
      counter.checked += checked
    }
  }
}

/**
 * Lets tries go on in the order in which they came.
 *
 * @param mostWaiting tries that may wait for the end of others; further ones are told to come again
 * @param waiters whoever is before may wait for the store, so a place in line has the deadline of a call
 */
export const createTries = (mostWaiting: number, waiters: Waiters): Tries => {
  /** Counters for as long as there are tries in them. */
  const known = new Map<string, Counter>()
  const line = new CounterQueue()
  let arrivals = 0
  let places = 0

  const take = (name: string): Counter => {
    const counter = known.get(name) ?? { name, tries: 0, underWay: 0, checked: 0 }
    counter.tries++
    known.set(name, counter)
    return counter
  }

  return async (counters, attempt) => {
    const behind = line.among(counters)
    if (behind.length > 0 && places >= mostWaiting) {
      return { outcome: 'wait', seconds: 1, keys: behind }
    }
    const arrival = arrivals++
    const mine = counters.map(take)
    let hasPlace = false
    const wait = async (names: readonly string[]): Promise<void> => {
      if (!hasPlace) places++
      hasPlace = true
      await line.wait(arrival, names, waiters)
    }
    try {
      if (behind.length > 0) await wait(behind)
      for (;;) {
        const before = mine.map(({ checked }) => checked)
        const result = await makeOnce(mine, attempt).finally(() => line.callNext(counters))
        if (result.outcome === 'checked') return result
        const isIn = ({ name }: Counter): boolean => result.keys.includes(name)
        // Only where another one is checked a count may be taken back.
        while (mine.every((one, i) => !isIn(one) || one.checked === before[i])) {
          const isHopeless = mine.every((one) => !isIn(one) || one.underWay === 0)
          if (isHopeless) line.callNext(counters)
          if (isHopeless || (!hasPlace && places >= mostWaiting)) return result
          await wait(result.keys)
        }
      }
    } finally {
      if (hasPlace) places--
      for (const counter of mine) {
        if (--counter.tries === 0) known.delete(counter.name)
      }
    }
  }
}
