/** The secrets of one-time codes at rest, where the root secret changes or comes only later. */

import { isPlain, oneTimeCodesOf, unwrapKey, wrapKey } from '../crypto/wrap.ts'
import type { Random } from '../model/ids.ts'
import type { WrappedCodes } from '../store/contract/key.ts'
import type { Store } from '../store/store.ts'
import { keyLimits } from './key-limits.ts'

export interface Moved {
  readonly moved: number
  /** Wrapped under a secret that is not known here. */
  readonly lost: number
}

/** Opens under any of the secrets; what lies in clear needs none. */
const open = (wrapped: string, known: readonly string[], purpose: string): Uint8Array | null => {
  if (isPlain(wrapped)) return unwrapKey(wrapped, null, purpose)
  for (const secret of known) {
    const bytes = unwrapKey(wrapped, secret, purpose)
    if (bytes !== null) return bytes
  }
  return null
}

/**
 * Wraps under one secret whatever is not. It may be broken off and done again at any point.
 *
 * @param known all secrets that something may be wrapped under
 */
export const wrapOneTimeCodes = async (
  { store, random }: { readonly store: Store; readonly random: Random },
  secret: string,
  known: readonly string[],
): Promise<Moved> => {
  let after: string | null = null
  let moved = 0
  let lost = 0
  do {
    const page = await store.listOneTimeCodes(after, keyLimits.rewrapRows)
    const changes: (WrappedCodes & { readonly from: string })[] = []
    for (const { ownerId, secret: from } of page.rows) {
      const purpose = oneTimeCodesOf(ownerId)
      if (unwrapKey(from, secret, purpose) !== null) continue
      const bytes = open(from, known, purpose)
      if (bytes === null) lost++
      else changes.push({ ownerId, from, secret: wrapKey(bytes, secret, random(12), purpose) })
    }
    if (changes.length > 0) moved += await store.rewrapOneTimeCodes(changes)
    after = page.next
  } while (after !== null)
  return { moved, lost }
}
