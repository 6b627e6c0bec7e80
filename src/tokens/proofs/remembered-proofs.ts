/**
 * DPoP proofs that came to this process, each for as long as it would be taken again (RFC 9449 section 11.1). The
 * clock must never go back: an end far ahead would stay.
 */
import type { Claimed } from '../../resource/seen-proofs.ts'

/** Proofs that are forgotten together. The `end` is that of the last of them. */
interface ProofSet {
  readonly ids: Set<string>
  end: number
}

const makeSet = (): ProofSet => ({ ids: new Set(), end: 0 })

/** @param most so many are remembered */
export const createRememberedProofs = (most: number) => {
  let newer = makeSet()
  let older = makeSet()
  let forgottenUntil = 0

  const count = (): number => older.ids.size + newer.ids.size

  const forgetEnded = (at: number): void => {
    while (older.end <= at && count() > 0) {
      forgottenUntil = Math.max(forgottenUntil, older.end)
      older = newer
      newer = makeSet()
    }
  }

  return {
    /**
     * @param id a digest of the key and the `jti`
     * @param expiresAt unix seconds from which on nobody takes the proof
     * @param at unix seconds; of a late request also earlier than before
     */
    claim(id: string, expiresAt: number, at: number): Claimed {
      forgetEnded(at)
      // Nobody can tell whether it was among those.
      if (expiresAt <= forgottenUntil || older.ids.has(id) || newer.ids.has(id)) return 'again'
      if (count() >= most) return 'full'
      newer.ids.add(id)
      newer.end = Math.max(newer.end, expiresAt)
      return 'first'
    },
  }
}
