/**
 * Assertions and proofs of clients, each used up by a row until it ends. A client that registered itself makes as
 * many as it likes, so their number in a minute is bounded.
 */
import { hashText } from '../crypto/digest.ts'
import type { Client } from '../model/client.ts'
import { refuseForNow } from '../protocol/refusal.ts'
import { refusalLimits } from './limits.ts'
import { createMinuteCounter } from './minute-counter.ts'

export const createUsedUp = () => {
  const counter = createMinuteCounter(() => refusalLimits.usedUp)
  return {
    /**
     * Only first uses count: a stranger who sends one again uses nothing up.
     *
     * @param write whether it was the first use
     * @throws Refusal `too_many_requests`
     */
    async claim(
      kind: 'assertion' | 'proof',
      { id, registeredBy }: Pick<Client, 'id' | 'registeredBy'>,
      at: number,
      write: () => Promise<boolean>,
    ): Promise<boolean> {
      if (registeredBy === 'operator') return write()
      const key = hashText(`${kind}\n${id}`)
      const seconds = counter.secondsOver(() => key, at)
      if (seconds > 0) {
        const said = `the client used up ${refusalLimits.usedUp} assertions or proofs in a minute: slow down`
        throw refuseForNow('too_many_claims', said, seconds)
      }
      const isFirst = await write()
      if (isFirst) counter.count(key, at)
      return isFirst
    },
  }
}

export type UsedUp = ReturnType<typeof createUsedUp>
