/** Whether the process lives, and whether it can keep its promises. */
import { type Answer, answerJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Parts } from '../parts.ts'

export const live = (): Answer => answerJson({ status: 'ok' })

/** Ready means that a write would be durable: a store that can only be read is not enough. */
export const ready = async (_exchange: Exchange, parts: Parts): Promise<Answer> => {
  try {
    await parts.store.ping()
    return answerJson({ status: 'ok', checks: { store: 'ok' } })
  } catch {
    return answerJson({ status: 'unavailable', checks: { store: 'unavailable' } }, 503, {
      'Retry-After': '1',
    })
  }
}
