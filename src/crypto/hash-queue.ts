/** The queue for password hashes: bounded, so that a flood of logins cannot starve everything else. */

import { Refusal } from '../protocol/refusal.ts'
import { cryptoLimits } from './limits.ts'

/** Runs work that holds a place in the queue; the work starts its hashes with `inTurn`. */
export interface HashQueue {
  /**
   * Takes a place for as long as the work lasts. Who takes none must not have written anything yet.
   *
   * @param reservedFor an owner or operator whose place strangers cannot take; null = a stranger
   * @throws Refusal `temporarily_unavailable` with `Retry-After`, where the queue is full
   */
  enter<Result>(reservedFor: string | null, work: () => Promise<Result>): Promise<Result>
  /** Runs one hash when it is its turn. */
  inTurn<Result>(reservedFor: string | null, hash: () => Promise<Result>): Promise<Result>
  /** How many hashes run, and how many wait for their turn. */
  load(): { readonly running: number; readonly waiting: number }
}

const full = (): Refusal =>
  new Refusal('temporarily_unavailable', 'passwords_busy', 'too many logins at once', {
    headers: { 'Retry-After': '2' },
  })

/** Places in the queue. Reserved ones are taken only if no other is left. */
const createPlaces = (open: number) => {
  const reserved = new Map<string, number>()
  let taken = 0
  let takenReserved = 0
  /** @returns gives the place back */
  return (reservedFor: string | null): (() => void) => {
    if (taken < open) {
      taken++
      return () => {
        taken--
      }
    }
    const own = reservedFor === null ? 0 : (reserved.get(reservedFor) ?? 0)
    const isLeft =
      takenReserved < cryptoLimits.passwordHashesReserved &&
      own < cryptoLimits.passwordHashesReservedOfOne
    if (reservedFor === null || !isLeft) throw full()
    takenReserved++
    reserved.set(reservedFor, own + 1)
    return () => {
      takenReserved--
      const left = (reserved.get(reservedFor) ?? 1) - 1
      if (left > 0) reserved.set(reservedFor, left)
      else reserved.delete(reservedFor)
    }
  }
}

/** @param atOnce hashes that run at the same time; so many more may wait */
export const createHashQueue = (atOnce: number, waiting: number): HashQueue => {
  const take = createPlaces(atOnce + waiting)
  const strangers: (() => void)[] = []
  const known: (() => void)[] = []
  let running = 0
  let turn = 0

  /** Takes turns, so that neither line waits for the end of the other. */
  const next = (): (() => void) | undefined => {
    const lines = turn++ % 2 === 0 ? [known, strangers] : [strangers, known]
    return lines.find((line) => line.length > 0)?.shift()
  }

  return {
    load: () => ({ running, waiting: known.length + strangers.length }),
    async enter(reservedFor, work) {
      const giveBack = take(reservedFor)
      try {
        return await work()
      } finally {
        giveBack()
      }
    },
    async inTurn(reservedFor, hash) {
      const line = reservedFor === null ? strangers : known
      if (running >= atOnce) await new Promise<void>((resume) => line.push(resume))
      else running++
      try {
        return await hash()
      } finally {
        const resume = next()
        if (resume === undefined) running--
        else resume()
      }
    },
  }
}
