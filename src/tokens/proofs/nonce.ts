/**
 * Nonces for DPoP proofs (RFC 9449 section 8). A nonce is a sealed statement of its time, and none is stored.
 */
import { defineStatement, type Keyring, learnKey, verifySeal } from '../../crypto/seal.ts'
import { field, number, optional, record, text } from '../../model/codec/types.ts'

/** A nonce is offered for so long, and taken for as long again. */
const nonceSeconds = 300

const nonceCharacters = 200

const { seal, read } = defineStatement(
  'dpop nonce',
  record({
    period: field(1, number),
    /** Who takes it alone; null: each node. */
    process: field(2, optional(text())),
  }),
)

const getPeriod = (at: number): number => Math.floor(at / nonceSeconds)

const isNear = (period: number, at: number): boolean => Math.abs(getPeriod(at) - period) <= 1

/** `earlier`: recent, and of another process of this service. Nobody else can have made it. */
export type NonceAge = 'recent' | 'earlier' | 'wrong'

/** @param process a random name, if this process alone takes them; null for all nodes */
export const openNonces = (keyring: Keyring, process: string | null) => {
  let latest = { period: -1, keyId: '', nonce: '' }
  return {
    /** The nonce of this time. @param at unix seconds */
    current(at: number): string {
      const period = getPeriod(at)
      const keyId = keyring.current().id
      if (latest.period !== period || latest.keyId !== keyId) {
        latest = { period, keyId, nonce: seal(keyring, '', { period, process }) }
      }
      return latest.nonce
    },
    /** Whether it is ours and recent. The clock of the node that offered it may be a little ahead. */
    async judge(nonce: string, at: number): Promise<NonceAge> {
      // Most senders return the last one, and this node made that itself.
      if (nonce !== '' && nonce === latest.nonce)
        return isNear(latest.period, at) ? 'recent' : 'wrong'
      const sealed = nonce.length > nonceCharacters ? null : read(nonce)
      if (sealed === null || !isNear(sealed.says.period, at)) return 'wrong'
      await learnKey(sealed, keyring)
      if (!verifySeal(sealed, keyring, '')) return 'wrong'
      return sealed.says.process === process ? 'recent' : 'earlier'
    },
  }
}

export type Nonces = ReturnType<typeof openNonces>
