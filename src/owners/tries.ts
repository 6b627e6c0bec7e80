/** Tries that are made at once: each is counted before its password is checked, the right ones only for so long. */
import { limits } from '../config/limits.ts'
import { addressKey } from '../http/address.ts'
import type { Parts, Tries, Try } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Trace } from '../store/store.ts'

/** Counts whoever guesses from an address, whatever is guessed and of whom. */
export const addressCounter = (address: string): string => `address:${addressKey(address)}`

/**
 * Makes a try that counts in every counter, before it is made, so that many at once gain nothing;
 * right ones are let in all the same, after one another if need be.
 *
 * @throws Refusal `too_many_requests` with `Retry-After`
 */
export const makeTry = async <Found>(
  counters: readonly string[],
  attempt: () => Promise<Found | null>,
  trace: Trace,
  { store, tries }: Pick<Parts, 'store' | 'tries'>,
): Promise<Found | null> => {
  const result = await tries(counters, async (): Promise<Try<Found>> => {
    const admitted = await store.admitAttempt(counters, limits.attempts, trace)
    return admitted.outcome === 'wait' ? admitted : { outcome: 'checked', found: await attempt() }
  })
  if (result.outcome === 'checked') return result.found
  throw new Refusal('too_many_requests', 'login_throttled', 'too many wrong tries: wait a little', {
    headers: { 'Retry-After': String(result.seconds) },
  })
}

/** What tries have in common that so may have to wait for one another. */
interface Counter {
  /** Tries that are being made or wait. */
  tries: number
  underWay: number
  /** How many came to a check. One of them may have been right: then its count is taken back. */
  checked: number
}

/** A try that waits. */
interface Waiting {
  /** Counts all tries in the order in which they came. */
  readonly arrival: number
  readonly counters: readonly string[]
  readonly goOn: () => void
}

/**
 * Lets tries go on in the order in which they came.
 *
 * @param mostWaiting tries that may wait for the end of others; further ones are told to come again
 */
export const createTries = (mostWaiting: number): Tries => {
  const known = new Map<string, Counter>()
  const line: Waiting[] = []
  let arrivals = 0

  const take = (name: string): Counter => {
    const counter = known.get(name) ?? { tries: 0, underWay: 0, checked: 0 }
    counter.tries++
    known.set(name, counter)
    return counter
  }
  const giveBack = (name: string): void => {
    const counter = known.get(name)
    if (counter !== undefined && --counter.tries === 0) known.delete(name)
  }
  /** In each of these counters, whoever has waited longest goes on. */
  const callNext = (counters: readonly string[]): void => {
    for (const name of counters) {
      const place = line.findIndex((waiting) => waiting.counters.includes(name))
      if (place >= 0) line.splice(place, 1)[0]?.goOn()
    }
  }
  const isBehind = (counters: readonly string[]): boolean =>
    line.some((waiting) => waiting.counters.some((name) => counters.includes(name)))

  /** Whoever has to wait again stands where it stood before. */
  const lineUp = (waiting: Waiting): void => {
    const place = line.findIndex(({ arrival }) => arrival > waiting.arrival)
    line.splice(place < 0 ? line.length : place, 0, waiting)
  }

  return async (counters, attempt) => {
    const arrival = arrivals++
    const mine = counters.map(take)
    const checked = (): number => mine.reduce((sum, counter) => sum + counter.checked, 0)
    const make = async (): ReturnType<typeof attempt> => {
      for (const counter of mine) counter.underWay++
      let isChecked = true
      try {
        const result = await attempt()
        isChecked = result.outcome === 'checked'
        return result
      } finally {
        for (const counter of mine) {
          counter.underWay--
          if (isChecked) counter.checked++
        }
        callNext(counters)
      }
    }
    let hasPlace = false
    const wait = (): Promise<void> => {
      hasPlace = true
      return new Promise((goOn) => lineUp({ arrival, counters, goOn }))
    }
    try {
      if (line.length < mostWaiting && isBehind(counters)) await wait()
      for (;;) {
        const before = checked()
        const result = await make()
        if (result.outcome === 'checked') return result
        if (!hasPlace && line.length >= mostWaiting) return result
        while (checked() === before) {
          if (mine.every(({ underWay }) => underWay === 0)) {
            // Nobody is left whose end would let the others go on.
            callNext(counters)
            return result
          }
          await wait()
        }
      }
    } finally {
      for (const name of counters) giveBack(name)
    }
  }
}
