/** Counts refused requests by address: a busy but honest client never comes near the limit. */
import { defaultLimits, type Limits } from '../config/settable-limits.ts'
import { addressKey } from '../http/address.ts'
import type { RefusalCounter } from '../model/kept-refusal.ts'
import type { Tell } from '../model/notice.ts'
import { createFloods, type Floods } from './floods.ts'
import { refusalLimits } from './limits.ts'
import { createTooMany, type TooMany } from './too-many.ts'

/** What a node counts of refused requests. */
export interface Refusals {
  /** Where something could be guessed. */
  readonly guesses: RefusalCounter
  /** Refused access tokens. */
  readonly tokens: RefusalCounter
  /** Requests from a page of another site, or from a script that claims so. */
  readonly otherSites: RefusalCounter
  /** Request objects, which are verified before their refusal. */
  readonly refusedObjects: RefusalCounter
  readonly tooMany: TooMany
  readonly floods: Floods
}

type CounterLimits = Pick<Limits, 'refusalsPerMinute'>

/** Counts per minute. Each node counts by itself. */
export const createRefusalCounter = (limits: CounterLimits = defaultLimits): RefusalCounter => {
  let minute = 0
  let counts = new Map<string, number>()
  const turn = (at: number): void => {
    const now = Math.floor(at / 60)
    if (now === minute) return
    minute = now
    counts = new Map()
  }
  return {
    count(address, at) {
      turn(at)
      const key = addressKey(address)
      if (counts.size >= refusalLimits.addressesCounted && !counts.has(key)) {
        const [oldest] = counts.keys()
        if (oldest !== undefined) counts.delete(oldest)
      }
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    secondsOver(address, at) {
      turn(at)
      // Most minutes nobody is refused, and no address has to be looked at.
      const refused = counts.size === 0 ? 0 : (counts.get(addressKey(address)) ?? 0)
      return refused < limits.refusalsPerMinute ? 0 : 60 - (at % 60)
    },
  }
}

export const createRefusals = (tell: Tell, limits: CounterLimits): Refusals => ({
  guesses: createRefusalCounter(limits),
  tokens: createRefusalCounter(limits),
  otherSites: createRefusalCounter(limits),
  refusedObjects: createRefusalCounter({ refusalsPerMinute: refusalLimits.refusedObjects }),
  tooMany: createTooMany(tell),
  floods: createFloods(),
})
