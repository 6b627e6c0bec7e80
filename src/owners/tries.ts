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

/** @param mostWaiting tries that may wait for the end of others; further ones are told to come again */
export const createTries = (mostWaiting: number): Tries => {
  /** By counter: the tries under way, each with whether it came to a check in the end. */
  const underWay = new Map<string, Set<Promise<boolean>>>()
  let waiting = 0
  const withOneOf = (counters: readonly string[]): readonly Promise<boolean>[] =>
    counters.flatMap((counter) => [...(underWay.get(counter) ?? [])])
  const begin = (counters: readonly string[], checked: Promise<boolean>): void => {
    for (const counter of counters) {
      underWay.set(counter, (underWay.get(counter) ?? new Set()).add(checked))
    }
  }
  const end = (counters: readonly string[], checked: Promise<boolean>): void => {
    for (const counter of counters) {
      const tries = underWay.get(counter)
      tries?.delete(checked)
      if (tries?.size === 0) underWay.delete(counter)
    }
  }
  return async (counters, attempt) => {
    for (;;) {
      const before = withOneOf(counters)
      const made = attempt()
      const checked = made.then(
        ({ outcome }) => outcome === 'checked',
        () => true,
      )
      begin(counters, checked)
      const result = await made.finally(() => end(counters, checked))
      if (result.outcome === 'checked' || waiting >= mostWaiting) return result
      // One that was checked may have been right: then its count is taken back.
      waiting++
      const others = await Promise.all([...before, ...withOneOf(counters)])
      waiting--
      if (!others.includes(true)) return result
    }
  }
}
