/** Which machines of a store over many cannot be reached, and how many shards of owners are on them. */
import type { SeenWorkers, Store } from './store.ts'

export interface Away {
  readonly workers: SeenWorkers['workers']
  readonly shards: number
  /** Shards on all machines. */
  readonly of: number
}

/** None on one machine. */
export const listAway = async (store: Pick<Store, 'findWorkers'>): Promise<Away> => {
  const machines = (await store.findWorkers?.()) ?? null
  const workers = (machines?.workers ?? []).filter(({ isReachable }) => !isReachable)
  const shards = workers.reduce((sum, worker) => sum + worker.shards, 0)
  return { workers, shards, of: machines?.shards ?? 0 }
}
