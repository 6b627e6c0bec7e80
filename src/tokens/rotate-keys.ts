/** New keys on an operator's demand: at the command line and in the console alike. */

import type { Vault } from '../crypto/wrap.ts'
import type { Clock, Random } from '../model/ids.ts'
import type { KeyUse } from '../model/key.ts'
import type { StoredKey } from '../store/contract/key.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { isOfKind, type KeyMaker, keyMakers, newKey } from './key-kinds.ts'
import { keyLimits } from './key-limits.ts'

/** The uses that an operator names. */
export const usesNamed = (use: KeyUse | 'both'): readonly KeyUse[] =>
  use === 'both' ? ['sealing', 'signing'] : [use]

export interface KeyRotation {
  readonly uses: readonly KeyUse[]
  /** Within seconds, instead of an hour. */
  readonly isNow: boolean
  /** The new keys take the place of all others, and what those sealed or signed ends. */
  readonly isEnd: boolean
  /** Also kinds that have no key yet. */
  readonly makesFirst: boolean
}

/**
 * Adds a new key of each kind. Every node knows it before its first use.
 *
 * @param at unix seconds
 */
export const rotateStoredKeys = async (
  { uses, isNow, isEnd, makesFirst }: KeyRotation,
  at: number,
  trace: () => Trace,
  parts: { readonly store: Store; readonly clock: Clock; readonly random: Random } & {
    readonly vault: Vault
  },
  makers: readonly KeyMaker[] = keyMakers,
): Promise<readonly StoredKey[]> => {
  const stored = await parts.store.listKeys()
  const isKept = (maker: KeyMaker): boolean => stored.some((key) => isOfKind(key, maker))
  const rotating = makers.filter(
    (maker) => uses.includes(maker.use) && (isKept(maker) || makesFirst),
  )
  const wait = isNow || isEnd ? keyLimits.keyHurrySeconds : keyLimits.keyPublishSeconds
  const added: StoredKey[] = []
  for (const kind of rotating) {
    const key = await newKey(kind, isEnd ? at : at + wait, at, parts.vault, parts)
    if (isEnd) await parts.store.replaceKeys(key, trace())
    // Asked for by the operator, so whatever was added before, this one is, too.
    else await parts.store.addKey(key, Number.MAX_SAFE_INTEGER, trace())
    added.push(key)
  }
  return added
}
