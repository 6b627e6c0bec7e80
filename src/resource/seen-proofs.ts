/** DPoP proofs that came to this process, each for as long as it would be taken again (RFC 9449 section 11.1). */
import { hashByWebCrypto } from '../crypto/web-digest.ts'
import type { DpopProof } from './dpop-proof.ts'

/** So many characters of a digest, of which no two are alike. */
const idCharacters = 24

/** `full`: there is no place to remember it, so nobody can tell whether it comes again. */
type Claimed = 'first' | 'again' | 'full'

/** @param most so many are remembered */
export const createSeenProofs = (most: number) => {
  /** By the second at which they end. */
  const seen = new Map<number, Set<string>>()
  let count = 0

  const forgetEnded = (at: number): void => {
    for (const [end, ids] of seen) {
      if (end > at) continue
      count -= ids.size
      seen.delete(end)
    }
  }

  return {
    /** @param at unix seconds */
    async claim(
      { jkt, jti, expiresAt }: Pick<DpopProof, 'jkt' | 'jti' | 'expiresAt'>,
      at: number,
    ): Promise<Claimed> {
      const id = (await hashByWebCrypto(`${jkt}\n${jti}`)).slice(0, idCharacters)
      forgetEnded(at)
      for (const ids of seen.values()) if (ids.has(id)) return 'again'
      if (count >= most) return 'full'
      const ids = seen.get(expiresAt) ?? new Set()
      seen.set(expiresAt, ids.add(id))
      count += 1
      return 'first'
    },
  }
}
