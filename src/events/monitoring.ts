/** What a node monitors of itself: counters of requests, gauges read on demand, and counts for charts. */

import { isOnItsOwn } from '../model/client.ts'
import { type Clock, type Given, isClientId, makeId } from '../model/ids.ts'
import {
  type CountedThing,
  type CountKind,
  type Meter,
  type MetricFamily,
  otherClients,
} from '../model/metric.ts'
import type { CountBatch } from '../store/contract/event.ts'
import type { Store } from '../store/store.ts'
import { createGauges, type GaugeParts } from './gauges.ts'
import { writeBatches } from './in-turn.ts'
import type { CountedAct, Metrics } from './metrics.ts'

export type AskMetrics = () => Promise<readonly MetricFamily[]>

/** The counters, and the traces if there are any. */
export const makeMeter = (metrics: Metrics, { trace }: Pick<Meter, 'trace'>): Meter =>
  trace === undefined ? metrics : { ...metrics, trace }

/** A request may name any text. */
const findCounted = async (text: string, store: Pick<Store, 'findClient'>) =>
  isClientId(text) ? store.findClient(text, 'disabled') : null

interface CountedBy extends Pick<Metrics, 'totals' | 'takeSteps' | 'takeActs'> {
  readonly store: Pick<Store, 'addCounts' | 'findClient'>
  /** Names this process: no other has the same. */
  readonly collector: string
  readonly clock: Clock
}

/** Counters for charts: gathered in memory and written in steps, so that no request waits for a write. */
export const createKeptCounts = (given: CountedBy) => {
  const { store, collector, clock, totals, takeSteps, takeActs } = given
  /** The totals that are in a batch already. */
  const told = new Map<string, number>()
  let turn = 0

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

  /**
   * The acts of one client. Clients of strangers are counted apart, so that they take no places of others.
   * A client that is gone has no page.
   */
  const placeActs = async (
    clientId: CountedAct['clientId'],
    acts: readonly CountedAct[],
  ): Promise<readonly CountedThing[]> => {
    const client =
      clientId === otherClients
        ? undefined
        : await findCounted(clientId, store).catch(() => undefined)
    if (client === null) return []
    const isOfStranger = client === undefined || isOnItsOwn(client)
    return acts.map((act) => {
      const kind = act.name.startsWith('named ') ? 'namedActs' : 'acts'
      return { ...act, kind: isOfStranger ? 'actGuests' : kind }
    })
  }

  const nextBatch = async (): Promise<CountBatch | null> => {
    const kinds = Object.entries(totals()) as [CountKind, ReadonlyMap<string, number>][]
    const counted = [...kinds.flatMap(([kind, names]) => grown(kind, names)), ...takeSteps()]
    const byClient = Map.groupBy(takeActs(), ({ clientId }) => clientId)
    const acts = await Promise.all([...byClient].map(([id, its]) => placeActs(id, its)))
    const counts = [...counted, ...acts.flat()]
    if (counts.length === 0) return null
    turn = Math.max(turn + 1, clock())
    return { collector, turn, at: Math.floor(clock() / 1000), counts }
  }

  return { flush: writeBatches(nextBatch, (batch) => store.addCounts(batch)) }
}

export const openMetrics = (
  { totals, takeSteps, takeActs, families }: Metrics,
  parts: GaugeParts & Given,
): { readonly ask: AskMetrics; readonly counts: { flush(): Promise<void> } } => {
  const gauges = createGauges(parts)
  const { store, clock } = parts
  return {
    ask: async () => [...families(), ...(await gauges())],
    counts: createKeptCounts({
      store,
      clock,
      collector: makeId(parts),
      totals,
      takeSteps,
      takeActs,
    }),
  }
}

/** Measures each hash. @param elapsed running time in milliseconds */
export const timeHashes =
  (metrics: Pick<Metrics, 'countHash'>, elapsed: () => number) =>
  async <Result>(hash: () => Promise<Result>): Promise<Result> => {
    const began = elapsed()
    try {
      return await hash()
    } finally {
      metrics.countHash(elapsed() - began)
    }
  }
