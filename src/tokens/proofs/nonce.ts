/**
 * Nonces for DPoP proofs (RFC 9449 section 8). A nonce is a sealed statement of its time, so each node takes
 * those of the others, and none is stored.
 */
import { defineStatement, type Keyring, learnKey, verifySeal } from '../../crypto/seal.ts'
import { field, number, record } from '../../model/codec/types.ts'

/** A nonce is offered for so long, and taken for as long again. */
const nonceSeconds = 300

const nonceCharacters = 200

const { seal, read } = defineStatement('dpop nonce', record({ period: field(1, number) }))

const getPeriod = (at: number): number => Math.floor(at / nonceSeconds)

export const openNonces = (keyring: Keyring) => {
  let latest = { period: -1, keyId: '', nonce: '' }
  return {
    /** The nonce of this time. @param at unix seconds */
    current(at: number): string {
      const period = getPeriod(at)
      const keyId = keyring.current().id
      if (latest.period !== period || latest.keyId !== keyId) {
        latest = { period, keyId, nonce: seal(keyring, '', { period }) }
      }
      return latest.nonce
    },
    /** Whether it is ours and recent. The clock of the node that offered it may be a little ahead. */
    async isRecent(nonce: string, at: number): Promise<boolean> {
      const sealed = nonce.length > nonceCharacters ? null : read(nonce)
      if (sealed === null) return false
      const age = getPeriod(at) - sealed.says.period
      if (age < -1 || age > 1) return false
      await learnKey(sealed, keyring)
      return verifySeal(sealed, keyring, '')
    },
  }
}

export type Nonces = ReturnType<typeof openNonces>
