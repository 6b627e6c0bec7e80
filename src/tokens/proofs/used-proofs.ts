/**
 * DPoP proofs that were used: each `jti` counts once for its key (RFC 9449 section 11.1). A proof with a nonce
 * of this process is in its memory alone, for no other process takes that nonce. Every other proof is a row.
 */
import { hashText } from '../../crypto/digest.ts'
import type { DpopProof } from '../../resource/dpop-proof.ts'
import type { Store } from '../../store/store.ts'
import { createRememberedProofs } from './remembered-proofs.ts'

/** So many in memory, of one to two minutes. Further ones are rows. */
const rememberedProofs = 500_000

/** @param most so many in memory; none where other nodes take the same nonces */
export const openUsedProofs = (
  store: Pick<Store, 'finishCeremony' | 'isAlone'>,
  most = store.isAlone ? rememberedProofs : 0,
) => {
  const seen = createRememberedProofs(most)
  /** For want of room, proofs that end until then may be rows. */
  let rowsUntil = 0
  /**
   * Whether it was the first use. The nonce of the proof, if there is one, was checked.
   *
   * @param at unix seconds
   */
  return async (
    { jkt, jti, nonce, expiresAt }: Pick<DpopProof, 'jkt' | 'jti' | 'nonce' | 'expiresAt'>,
    at: number,
  ): Promise<boolean> => {
    const id = hashText(`dpop\n${jkt}\n${jti}`)
    if (nonce !== null && expiresAt > rowsUntil) {
      const claimed = seen.claim(id, expiresAt, at)
      if (claimed !== 'full') return claimed === 'first'
      rowsUntil = expiresAt
    }
    const isFirst = await store.finishCeremony({ id, expiresAt })
    // The same `jti` may have come in a proof that is in memory alone.
    return isFirst && seen.claim(id, expiresAt, at) !== 'again'
  }
}
