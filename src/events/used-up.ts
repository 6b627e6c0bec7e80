/**
 * Assertions and proofs of clients, each used up until it ends. A client that registered itself makes as
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
     * @param write answers `first` for the first use
     * @throws Refusal `too_many_requests`
     */
    async claim<Claimed extends string>(
      kind: 'assertion' | 'proof',
      { id, registeredBy }: Pick<Client, 'id' | 'registeredBy'>,
      at: number,
      write: () => Promise<Claimed>,
    ): Promise<Claimed> {
      if (registeredBy === 'operator') return write()
      const key = hashText(`${kind}\n${id}`)
      const seconds = counter.secondsOver(() => key, at)
      if (seconds > 0) {
        const said = `the client used up ${refusalLimits.usedUp} assertions or proofs in a minute: slow down`
        throw refuseForNow('too_many_claims', said, seconds)
      }
      const claimed = await write()
      if (claimed === 'first') counter.count(key, at)
      return claimed
    },
  }
}

export type UsedUp = ReturnType<typeof createUsedUp>
