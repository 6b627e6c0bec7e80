/** Counts refused requests by address and minute: a busy but honest client never comes near the limit. */
import { defaultLimits, type Limits } from '../config/settable-limits.ts'
import { hashText } from '../crypto/digest.ts'
import { getAddressKey, getNetwork } from '../http/address.ts'
import type { Tell } from '../model/notice.ts'
import { refusalLimits } from './limits.ts'
import { createMinuteCounter } from './minute-counter.ts'
import { createUsedUp } from './used-up.ts'

type CounterLimits = Pick<Limits, 'refusalsPerMinute'>

/** @param limits read at each question */
export const createRefusalCounter = (limits: CounterLimits = defaultLimits) => {
  const counter = createMinuteCounter(() => limits.refusalsPerMinute)
  const makeKey = (address: string, of: string): string =>
    getAddressKey(address) + (of === '' ? '' : hashText(of))
  return {
    /** @param of what of the address is counted by itself, such as one client */
    count(address: string, at: number, of = ''): void {
      counter.count(makeKey(address, of), at)
    },
    /** For how many seconds an address that is over the limit has to wait; 0 for any other. */
    secondsOver: (address: string, at: number, of = ''): number =>
      counter.secondsOver(() => makeKey(address, of), at),
  }
}

export type RefusalCounter = ReturnType<typeof createRefusalCounter>

/**
 * One reference for all requests of an address and a client that the limit refuses within a minute. So a
 * flood is one row of the record of refusals, and every reference of it is explained. References of one
 * minute are kept, a bounded number.
 */
export const createFloods = () => {
  let minute = 0
  let held = 0
  let references = new Map<string, Map<string, string>>()
  return {
    /**
     * Null without room: then the request is refused under its own id, as any other.
     *
     * @param requestId the reference of a flood that begins with this request
     * @param at unix seconds
     */
    referenceOf(
      address: string,
      clientId: string | null,
      requestId: string,
      at: number,
    ): string | null {
      const now = Math.floor(at / 60)
      // A request that began in the minute before may end in this one. Clocks may also be set back.
      if (now > minute || now < minute - 1) {
        minute = now
        held = 0
        references = new Map()
      }
      const key = getAddressKey(address)
      const clients = references.get(key) ?? new Map<string, string>()
      // A stranger may name any number of clients: all further ones are one.
      const isFurther = clients.size >= refusalLimits.floodsOfOne
      const client = isFurther && !clients.has(clientId ?? '') ? '' : (clientId ?? '')
      const found = clients.get(client)
      if (found !== undefined) return found
      if (held >= refusalLimits.floods) return null
      held++
      references.set(key, clients.set(client, requestId))
      return requestId
    },
  }
}

interface TooMany {
  readonly network: string
  readonly reasons: Set<string>
  requests: number
}

/** Answers of 429, added up by address and minute: a flood must not fill the log. */
const createTooMany = (tell: Tell) => {
  let minute = 0
  const sums = new Map<string, TooMany>()
  const tellOne = (key: string, { network, reasons, requests }: TooMany): void => {
    sums.delete(key)
    const fields = { network, requests, reasons: [...reasons].join(' ') }
    tell({ level: 'info', message: 'requests answered 429', minute: minute * 60, ...fields })
  }
  /** Tells of all that was noted. */
  const close = (): void => {
    for (const [key, sum] of sums) tellOne(key, sum)
  }
  /** Tells of the minutes that are over. */
  const flush = (at: number): void => {
    const now = Math.floor(at / 60)
    if (now === minute) return
    close()
    minute = now
  }
  /** @param at unix seconds */
  const note = (address: string, reason: string, at: number): void => {
    flush(at)
    const key = getAddressKey(address)
    const sum = sums.get(key) ?? { network: getNetwork(address), reasons: new Set(), requests: 0 }
    sum.requests++
    sum.reasons.add(reason)
    const [oldest] = sums.size < refusalLimits.addressesCounted || sums.has(key) ? [] : sums
    if (oldest !== undefined) tellOne(...oldest)
    sums.set(key, sum)
  }
  return { note, flush, close }
}

export const createRefusals = (tell: Tell, limits: CounterLimits) => ({
  /** Where something could be guessed. */
  guesses: createRefusalCounter(limits),
  /** Refused access tokens. */
  tokens: createRefusalCounter(limits),
  /** Requests from a page of another site, or from a script that claims so. */
  otherSites: createRefusalCounter(limits),
  /** Request objects, which are verified before their refusal. */
  refusedObjects: createRefusalCounter({ refusalsPerMinute: refusalLimits.refusedObjects }),
  /** Refusals of authorization requests that are signed, or noted in the store. */
  refusedAnswers: createRefusalCounter(limits),
  /** Client assertions, which are verified before their refusal. */
  refusedAssertions: createRefusalCounter({
    refusalsPerMinute: refusalLimits.refusedAssertions,
  }),
  usedUp: createUsedUp(),
  tooMany: createTooMany(tell),
  floods: createFloods(),
})

export type Refusals = ReturnType<typeof createRefusals>
