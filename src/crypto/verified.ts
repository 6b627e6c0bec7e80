/** Credentials that were found right, by their digests: so that reading one again costs one hash. */
import type { Digest } from '../model/ids.ts'

/** Access tokens, and as many secrets of clients. */
export const verifiedRemembered = 4000

/**
 * A bounded cache of two halves. A full half becomes the older one, and the older one is dropped. What
 * is found there moves on, so a credential in use stays. Callers keep right credentials only:
 * otherwise strangers could fill it.
 */
export class Verified<Found> {
  #newer = new Map<Digest, Found>()
  #older = new Map<Digest, Found>()

  find(id: Digest): Found | undefined {
    const found = this.#newer.get(id)
    if (found !== undefined) return found
    const earlier = this.#older.get(id)
    if (earlier !== undefined) this.keep(id, earlier)
    return earlier
  }

  keep(id: Digest, found: Found): void {
    if (this.#newer.size >= verifiedRemembered / 2) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(id, found)
  }
}
