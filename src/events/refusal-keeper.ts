/**
 * Refused requests, gathered in memory and written in steps, so that no refusal waits for the store.
 * A flood of one network or client takes its own share and no other.
 */
import { type KeptRefusal, shareOf } from '../model/kept-refusal.ts'
import type { Store } from '../store/store.ts'
import { writeBatches } from './in-turn.ts'
import { refusalLimits } from './limits.ts'

/** A flood of the running minute, or of one before. */
interface Flood {
  readonly refusal: KeptRefusal
  requests: number
  isWritten: boolean
}

const sumOf = ({ refusal, requests }: Flood): KeptRefusal => ({
  ...refusal,
  difference: `${requests} ${requests === 1 ? 'request' : 'requests'} of one minute, one address and one client`,
})

/** Floods of the running minute and of one before, each a bounded number (`floods.ts`). */
const countFloods = () => {
  const floods = new Map<string, Flood>()
  const count = (reference: string): boolean => {
    const flood = floods.get(reference)
    if (flood === undefined) return false
    flood.requests++
    flood.isWritten = false
    return true
  }
  return {
    count,
    note: (refusal: KeptRefusal): void => {
      // Another request of it may have come meanwhile.
      if (count(refusal.reference)) return
      // The oldest one is of a minute before, so none of its requests comes any more.
      const [oldest] = floods.size < 2 * refusalLimits.floods ? [] : floods.keys()
      if (oldest !== undefined) floods.delete(oldest)
      floods.set(refusal.reference, { refusal, requests: 1, isWritten: false })
    },
    /** What was counted since the last time. */
    take: (): readonly KeptRefusal[] => {
      const changed = [...floods.values()].filter(({ isWritten }) => !isWritten)
      for (const flood of changed) flood.isWritten = true
      return changed.map(sumOf)
    },
  }
}

type Gathered = Map<string, KeptRefusal[]>

const pickLargest = (gathered: Gathered): KeptRefusal[] => {
  let largest: KeptRefusal[] = []
  for (const one of gathered.values()) if (one.length > largest.length) largest = one
  return largest
}

export const keepRefusals = (store: Pick<Store, 'recordRefusals'>) => {
  let gathered: Gathered = new Map()
  let held = 0
  const floods = countFloods()

  const hasRoom = (share: string): boolean => {
    const own = gathered.get(share)?.length ?? 0
    if (own >= refusalLimits.gatheredOfOne) return false
    return held < refusalLimits.gathered || pickLargest(gathered).length > own + 1
  }

  const nextBatch = (): readonly KeptRefusal[] | null => {
    const batch = [...gathered.values()].flat().concat(floods.take())
    gathered = new Map()
    held = 0
    return batch.length === 0 ? null : batch
  }

  return {
    /** Whether there is room for a further one of this network or client. */
    hasRoom,
    note(refusal: KeptRefusal): void {
      const share = shareOf(refusal)
      if (!hasRoom(share)) return
      if (held >= refusalLimits.gathered) {
        pickLargest(gathered).pop()
        held--
      }
      const own = gathered.get(share)
      if (own === undefined) gathered.set(share, [refusal])
      else own.push(refusal)
      held++
    },
    /** Begins to count a flood: its first request stands for all of them. */
    noteFlood: floods.note,
    /** One more request of a flood. False if that one is not counted here. */
    countFlood: floods.count,
    /** Writes what was noted before. */
    flush: writeBatches(nextBatch, (batch) => store.recordRefusals(batch, refusalLimits.kept)),
  }
}

export type RefusalKeeper = ReturnType<typeof keepRefusals>
