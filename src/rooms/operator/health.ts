/** Whether the process lives, and whether it can keep its promises. */
import { type Answer, answerJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Endpoint } from '../../route.ts'

/** `/health/ready` writes at most once in so long; others share the answer. */
const readyMilliseconds = 1000

export const live = (): Answer => answerJson({ status: 'ok' })

/**
 * Ready means that a write would be durable: a store that can only be read is not enough. Anybody
 * may ask, so at most one write a second is made, and everybody else is told what came of it.
 */
export const readyEndpoint = (): Endpoint => {
  let isReady = Promise.resolve(false)
  /** Unix milliseconds. */
  let begunAt = Number.NEGATIVE_INFINITY
  let isUnderWay = false
  const ask = async ({ store }: Pick<ServiceParts, 'store'>): Promise<boolean> => {
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
  return async (_exchange: Exchange, parts: ServiceParts): Promise<Answer> => {
    const at = parts.clock()
    if (!isUnderWay && at - begunAt >= readyMilliseconds) {
      begunAt = at
      isReady = ask(parts)
    }
    if (await isReady) return answerJson({ status: 'ok', checks: { store: 'ok' } })
    return answerJson({ status: 'unavailable', checks: { store: 'unavailable' } }, 503, {
      'Retry-After': '1',
    })
  }
}
