/** Counters for charts: gathered in memory and written in steps, so that no request waits for a write. */
import type { CountedThing, CountKind } from '../model/count.ts'
import type { Clock } from '../parts.ts'
import type { CountBatch, Store } from '../store/store.ts'

/** What a node has counted since its start, by name. */
export type CountTotals = Readonly<
  Record<Exclude<CountKind, 'steps' | 'funnel' | 'guests'>, ReadonlyMap<string, number>>
>

/** Steps of clients since they were last taken. */
export type StepCounts = readonly CountedThing[]

export interface KeptCountsGiven {
  readonly store: Pick<Store, 'addCounts'>
  /** Names this process: no other has the same. */
  readonly collector: string
  readonly clock: Clock
  readonly totals: () => CountTotals
  readonly takeSteps: () => StepCounts
}

export interface KeptCounts {
  /** Writes what was counted since the last write. */
  flush(): Promise<void>
}

export const createKeptCounts = (given: KeptCountsGiven): KeptCounts => {
  const { store, collector, clock, totals, takeSteps } = given
  /** The totals that are in a batch already. */
  const told = new Map<string, number>()
  /** Stays as it is until it is certainly written. */
  let batch: CountBatch | null = null
  let turn = 0
  let running: Promise<void> = Promise.resolve()

  const grown = (kind: CountKind, names: ReadonlyMap<string, number>): CountedThing[] => {
    const counts: CountedThing[] = []
    for (const [name, total] of names) {
      const key = `${kind} ${name}`
      const count = total - (told.get(key) ?? 0)
      if (count === 0) continue
      told.set(key, total)
      counts.push({ kind, clientId: '', name, count })
    }
    return counts
  }

  const nextBatch = (): CountBatch | null => {
    const kinds = Object.entries(totals()) as [CountKind, ReadonlyMap<string, number>][]
    const counts = [...kinds.flatMap(([kind, names]) => grown(kind, names)), ...takeSteps()]
    if (counts.length === 0) return null
    turn = Math.max(turn + 1, clock())
    return { collector, turn, at: Math.floor(clock() / 1000), counts }
  }

  const write = async (): Promise<void> => {
    if (batch !== null) await store.addCounts(batch)
    batch = nextBatch()
    if (batch === null) return
    await store.addCounts(batch)
    batch = null
  }

  return {
    flush() {
      running = running.then(write, write)
      return running
    },
  }
}
