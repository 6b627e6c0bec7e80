/**
 * Nonces for DPoP proofs (RFC 9449 section 8). A nonce is a sealed statement of its time, and none is stored.
 */
import { defineStatement, type Keyring, learnKey, verifySeal } from '../../crypto/seal.ts'
import { field, number, record } from '../../model/codec/types.ts'

/** A nonce is offered for so long, and taken for as long again. */
const nonceSeconds = 300

const nonceCharacters = 200

const { seal, read } = defineStatement('dpop nonce', record({ period: field(1, number) }))

const getPeriod = (at: number): number => Math.floor(at / nonceSeconds)

const isNear = (period: number, at: number): boolean => Math.abs(getPeriod(at) - period) <= 1

/** @param salt who takes them: the nodes with the same one */
export const openNonces = (keyring: Keyring, salt: string) => {
  let latest = { period: -1, keyId: '', nonce: '' }
  return {
    /** The nonce of this time. @param at unix seconds */
    current(at: number): string {
      const period = getPeriod(at)
      const keyId = keyring.current().id
      if (latest.period !== period || latest.keyId !== keyId) {
        latest = { period, keyId, nonce: seal(keyring, salt, { period }) }
      }
      return latest.nonce
    },
    /** Whether it is ours and recent. The clock of the node that offered it may be a little ahead. */
    async isRecent(nonce: string, at: number): Promise<boolean> {
      // Most senders return the last one, and this node made that itself.
      if (nonce === latest.nonce) return isNear(latest.period, at)
      const sealed = nonce.length > nonceCharacters ? null : read(nonce)
      if (sealed === null) return false
      if (!isNear(sealed.says.period, at)) return false
      await learnKey(sealed, keyring)
      return verifySeal(sealed, keyring, salt)
    },
  }
}

export type Nonces = ReturnType<typeof openNonces>
