/** Limits of exchanges that no operator sets. Times in seconds. */
import type { AttemptCounter } from '../../store/contract/owner.ts'

/**
 * Exchanges of a client that registered itself, for one owner. Each writes a row that stays as long as its token. The
 * operator answers for the other clients.
 */
const ofStranger: AttemptCounter['rule'] = {
  freeTries: 300,
  forgetSeconds: 3600,
  forgetAfter: 'first try',
  longestWaitSeconds: 60,
  isQuota: true,
}

export const countExchanges = (clientId: string, ownerId: string): AttemptCounter => ({
  key: `exchange:${ownerId} ${clientId}`,
  rule: ofStranger,
})
