/** How long each API with a stream took for its latest revocation, or has been taking so far. */
import { timeOfId } from '../../model/ids.ts'
import type { Lag } from '../../model/metric.ts'
import { isConcerned } from '../../model/revocation.ts'
import type { Store } from '../../store/store.ts'
import { signalLimits } from './limits.ts'
import { findApi, findWaiting } from './select.ts'

/** @param now unix milliseconds */
export const findSignalLags = async (store: Store, now: number): Promise<readonly Lag[]> => {
  const streams = await store.listSignalStreams(null)
  if (streams.length === 0) return []
  const resources = await store.listResources()
  // The slowest stream speaks for its API.
  const lags = new Map<string, Lag>()
  for (const stream of streams.filter(({ status }) => status !== 'disabled')) {
    const api = findApi(stream, resources)
    const { signals } = await findWaiting(stream, api, signalLimits.sets, store)
    for (const resource of api.own) {
      const oldest = signals.find(({ about }) => isConcerned(about, [resource], api.isKnown))
      const milliseconds =
        oldest === undefined ? stream.tookMilliseconds : Math.max(0, now - timeOfId(oldest.id))
      if (milliseconds === null) continue
      const seconds = milliseconds / 1000
      const isDeaf = oldest !== undefined && seconds >= signalLimits.deafSeconds
      const known = lags.get(resource)
      const isWorse = isDeaf === known?.isDeaf ? seconds > known.seconds : isDeaf
      if (known === undefined || isWorse) lags.set(resource, { resource, seconds, isDeaf })
    }
  }
  return [...lags.values()]
}
