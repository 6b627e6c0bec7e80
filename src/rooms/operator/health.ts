/** Whether the process lives, and whether it can keep its promises. */
import { type Answer, answerJson } from '../../http/answer.ts'
import type { ServiceParts } from '../../registries.ts'
import { monitored, type RouteRow } from '../../route.ts'
import { type Away, listAway } from '../../store/workers.ts'

const readyMilliseconds = 1000

const answerLive = (): Answer => answerJson({ status: 'ok' })

/** Owners on other shards go on, so the node is ready. Anybody may ask, so no machine is named. */
const answerReady = ({ workers, shards, of }: Away): Answer => {
  const unreachable = { workers: workers.map(({ id }) => id), shards, shards_of_all: of }
  const checks = { store: 'ok', ...(workers.length === 0 ? {} : { unreachable }) }
  return answerJson({ status: 'ok', checks })
}

/**
 * Ready means that a write would be durable: a store that can only be read is not enough. Anybody
 * may ask, so at most one write a second is made, and everybody else is told what came of it.
 */
export const openHealth = ({
  store,
  clock,
}: Pick<ServiceParts, 'store' | 'clock'>): readonly RouteRow[] => {
  let isReady = Promise.resolve(false)
  /** Unix milliseconds. */
  let begunAt = Number.NEGATIVE_INFINITY
  let isUnderWay = false

  const ask = async (): Promise<boolean> => {
    isUnderWay = true
    try {
      await store.ping()
      return true
    } catch {
      // Nothing was written, and whoever waits for the store wants to know when it is back.
      begunAt = Number.NEGATIVE_INFINITY
      return false
    } finally {
      isUnderWay = false
    }
  }

  const ready = async (): Promise<Answer> => {
    const at = clock()
    if (!isUnderWay && at - begunAt >= readyMilliseconds) {
      begunAt = at
      isReady = ask()
    }
    if (await isReady) return answerReady(await listAway(store))
    return answerJson({ status: 'unavailable', checks: { store: 'unavailable' } }, 503, {
      'Retry-After': '1',
    })
  }

  return [
    { ...monitored, path: '/health/live', handler: answerLive },
    { ...monitored, path: '/health/ready', handler: ready },
  ]
}
