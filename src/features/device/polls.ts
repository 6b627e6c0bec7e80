/** How often a device may ask, in bounded memory of the node: polling writes nothing (RFC 8628 section 3.5). */
import type { FamilyId } from '../../model/ids.ts'
import { deviceLimits } from './limits.ts'

interface Poll {
  readonly nextAt: number
  readonly interval: number
}

/** @param interval the seconds between two polls of a device that was never too soon */
export const openPolls = (interval: number) => {
  const polls = new Map<FamilyId, Poll>()
  return {
    /** Notes a poll. True where it came too soon: from then on the interval is longer. */
    isTooSoon(id: FamilyId, at: number): boolean {
      const last = polls.get(id) ?? { nextAt: 0, interval }
      const isTooSoon = at < last.nextAt
      const next = last.interval + (isTooSoon ? deviceLimits.slowDownSeconds : 0)
      const [oldest] = polls.size < deviceLimits.pollsKept ? [] : polls.keys()
      if (oldest !== undefined) polls.delete(oldest)
      // The one that asked last goes last.
      polls.delete(id)
      polls.set(id, { nextAt: at + next, interval: next })
      return isTooSoon
    },
    forget: (id: FamilyId): boolean => polls.delete(id),
  }
}
