/** Counts by key and minute, in bounded memory. */
import { refusalLimits } from './limits.ts'

/**
 * Each key has its own count, and every minute begins anew. Each node counts by itself.
 *
 * @param readMost how many are allowed in a minute
 */
export const createMinuteCounter = (readMost: () => number) => {
  let minute = 0
  let counts = new Map<string, number>()
  const turn = (at: number): void => {
    const now = Math.floor(at / 60)
    if (now === minute) return
    minute = now
    counts = new Map()
  }
  return {
    count(key: string, at: number): void {
      turn(at)
      if (counts.size >= refusalLimits.addressesCounted && !counts.has(key)) {
        const [oldest] = counts.keys()
        if (oldest !== undefined) counts.delete(oldest)
      }
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    /**
     * For how many seconds a key that is over the limit has to wait; 0 for any other.
     *
     * @param makeKey not called where nothing was counted in this minute
     */
    secondsOver(makeKey: () => string, at: number): number {
      turn(at)
      const count = counts.size === 0 ? 0 : (counts.get(makeKey()) ?? 0)
      return count < readMost() ? 0 : 60 - (at % 60)
    },
  }
}
