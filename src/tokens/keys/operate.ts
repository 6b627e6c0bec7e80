/** What an operator sees of the keys, and how one is withdrawn: at the command line, in the admin API and in the console. */

import type { Vault } from '../../crypto/wrap.ts'
import type { Given } from '../../model/ids.ts'
import type { KeyUse } from '../../model/key.ts'
import type { StoredKey } from '../../store/contract/key.ts'
import type { Trace } from '../../store/contract/trace.ts'
import type { Store } from '../../store/store.ts'
import {
  isOfKind,
  type KeyMaker,
  keyLimits,
  keyMakers,
  makeKey,
  pickNewestUsable,
} from './kinds.ts'

export const listUses = (use: KeyUse | 'both'): readonly KeyUse[] =>
  use === 'both' ? ['sealing', 'signing'] : [use]

interface KeyRotation {
  readonly uses: readonly KeyUse[]
  /** Within seconds, instead of an hour. */
  readonly isNow: boolean
  /** The new keys take the place of all others, and what those sealed or signed ends. */
  readonly isEnd: boolean
  /** Also kinds that have no key yet, but for those on demand. */
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
  parts: Given & { readonly store: Store; readonly vault: Vault },
  makers: readonly KeyMaker[] = keyMakers,
): Promise<readonly StoredKey[]> => {
  const stored = await parts.store.listKeys()
  const isKept = (maker: KeyMaker): boolean => stored.some((key) => isOfKind(key, maker))
  const rotating = makers.filter(
    (maker) =>
      uses.includes(maker.use) && (isKept(maker) || (makesFirst && maker.isOnDemand !== true)),
  )
  const wait = isNow || isEnd ? keyLimits.keyHurrySeconds : keyLimits.keyPublishSeconds
  const added: StoredKey[] = []
  for (const kind of rotating) {
    const key = await makeKey(kind, isEnd ? at : at + wait, at, parts.vault, parts)
    if (isEnd) await parts.store.replaceKeys(key, trace())
    // Asked for by the operator, so whatever was added before, this one is, too.
    else await parts.store.addKey(key, Number.MAX_SAFE_INTEGER, trace())
    added.push(key)
  }
  return added
}

/** `next`: known, and not used yet. `old`: checks what it has sealed or signed. */
type KeyState = 'next' | 'current' | 'old'

/** @param at unix seconds */
const getKeyState = (key: StoredKey, stored: readonly StoredKey[], at: number): KeyState => {
  const alike = stored.filter((one) => isOfKind(one, key))
  if (key.id === pickNewestUsable(alike, at).id) return 'current'
  return key.usableFrom > at ? 'next' : 'old'
}

/** A key as programs are told of it, with the use of a key that is in use now as its state. Nothing of it is secret. */
export const describeKey = (key: StoredKey, stored: readonly StoredKey[], at: number) => {
  const { id, use, algorithm, createdAt, usableFrom } = key
  const found = getKeyState(key, stored, at)
  const state = found === 'current' ? use : found
  return { id, use, algorithm, created_at: createdAt, usable_from: usableFrom, state }
}

export type DescribedKey = ReturnType<typeof describeKey>

export const describeRotated = (added: readonly StoredKey[], isEnd: boolean) => ({
  keys: added.map(({ id, use, algorithm, usableFrom }) => ({
    id,
    use,
    algorithm,
    usable_from: usableFrom,
  })),
  tokens_ended: isEnd,
})

type Withdrawal =
  | { readonly is: 'unknown' }
  /** Sealing keys are replaced all at once. */
  | { readonly is: 'sealing' }
  | { readonly is: 'withdrawn'; readonly successor: string | null }

/**
 * Takes a signing key away at once, as after a theft. Where it signs now, a new one takes its place.
 *
 * @param stored all keys
 * @param at unix seconds
 */
export const withdrawSigningKey = async (
  id: string,
  stored: readonly StoredKey[],
  at: number,
  trace: () => Trace,
  parts: Parameters<typeof rotateStoredKeys>[3],
): Promise<Withdrawal> => {
  const key = stored.find((one) => one.id === id)
  if (key === undefined) return { is: 'unknown' }
  const maker = keyMakers.find((one) => isOfKind(key, one))
  if (key.use === 'sealing' || maker === undefined) return { is: 'sealing' }
  const signs = getKeyState(key, stored, at) === 'current'
  const next = signs ? await makeKey(maker, at, at, parts.vault, parts) : null
  if (next !== null) await parts.store.addKey(next, Number.MAX_SAFE_INTEGER, trace())
  await parts.store.removeKeys([id], trace())
  return { is: 'withdrawn', successor: next?.id ?? null }
}
