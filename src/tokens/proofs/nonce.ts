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
    /** Of an earlier version: who alone knew its proofs. */
    process: field(2, optional(text())),
    /** Unix seconds; null where each proof is a row. */
    sealedAt: field(3, optional(number)),
  }),
)

const getPeriod = (at: number): number => Math.floor(at / nonceSeconds)

const isNear = (period: number, at: number): boolean => Math.abs(getPeriod(at) - period) <= 1

/** @param isDated whether a nonce says when it was sealed; an earlier version takes none of those */
export const openNonces = (keyring: Keyring, isDated: boolean) => {
  let latest = { period: -1, sealedAt: null as number | null, keyId: '', nonce: '' }
  return {
    /** The nonce of this time. @param at unix seconds */
    current(at: number): string {
      const period = getPeriod(at)
      const keyId = keyring.current().id
      if (latest.period !== period || latest.keyId !== keyId) {
        const said = { period, process: null, sealedAt: isDated ? at : null }
        latest = { ...said, keyId, nonce: seal(keyring, '', said) }
      }
      return latest.nonce
    },
    /** Null unless it is ours and recent. The clock of the node that offered it may be a little ahead. */
    async find(nonce: string, at: number): Promise<{ readonly sealedAt: number | null } | null> {
      // Most senders return the last one, and this node made that itself.
      if (nonce !== '' && nonce === latest.nonce) return isNear(latest.period, at) ? latest : null
      const sealed = nonce.length > nonceCharacters ? null : read(nonce)
      if (sealed === null || sealed.says.process !== null || !isNear(sealed.says.period, at)) {
        return null
      }
      await learnKey(sealed, keyring)
      return verifySeal(sealed, keyring, '') ? sealed.says : null
    },
  }
}

export type Nonces = ReturnType<typeof openNonces>
