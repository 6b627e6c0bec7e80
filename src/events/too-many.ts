/** Answers of 429, added up by address and minute: a flood must not fill the log. */
import { addressKey, networkOf } from '../http/address.ts'
import type { Tell } from '../model/notice.ts'
import { refusalLimits } from './limits.ts'

interface Sum {
  readonly network: string
  readonly reasons: Set<string>
  requests: number
}

export interface TooMany {
  /** @param at unix seconds */
  note(address: string, reason: string, at: number): void
  /** Tells of the minutes that are over. */
  flush(at: number): void
  /** Tells of all that was noted. */
  close(): void
}

export const createTooMany = (tell: Tell): TooMany => {
  let minute = 0
  const sums = new Map<string, Sum>()
  const tellOne = (key: string, { network, reasons, requests }: Sum): void => {
    sums.delete(key)
    const fields = { network, requests, reasons: [...reasons].join(' ') }
    tell({ level: 'info', message: 'requests answered 429', minute: minute * 60, ...fields })
  }
  const close = (): void => {
    for (const [key, sum] of sums) tellOne(key, sum)
  }
  const flush = (at: number): void => {
    const now = Math.floor(at / 60)
    if (now === minute) return
    close()
    minute = now
  }
  return {
    note(address, reason, at) {
      flush(at)
      const key = addressKey(address)
      const sum = sums.get(key) ?? { network: networkOf(address), reasons: new Set(), requests: 0 }
      sum.requests++
      sum.reasons.add(reason)
      const [oldest] = sums.size < refusalLimits.addressesCounted || sums.has(key) ? [] : sums
      if (oldest !== undefined) tellOne(...oldest)
      sums.set(key, sum)
    },
    flush,
    close,
  }
}
