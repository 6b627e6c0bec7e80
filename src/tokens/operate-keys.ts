/** What an operator sees of the keys, and how one is withdrawn: at the command line, in the admin API and in the console. */

import type { KeyAlgorithm, KeyUse } from '../model/key.ts'
import type { StoredKey } from '../store/contract/key.ts'
import type { Trace } from '../store/contract/trace.ts'
import { isOfKind, keyMakers, newestUsable, newKey } from './key-kinds.ts'
import type { rotateStoredKeys } from './rotate-keys.ts'

/** `next`: known, and not used yet. `old`: checks what it has sealed or signed. */
type KeyState = 'next' | 'current' | 'old'

/** @param at unix seconds */
export const keyStateOf = (key: StoredKey, stored: readonly StoredKey[], at: number): KeyState => {
  const alike = stored.filter((one) => isOfKind(one, key))
  if (key.id === newestUsable(alike, at).id) return 'current'
  return key.usableFrom > at ? 'next' : 'old'
}

/** A key as programs are told of it. Nothing of it is secret. */
export interface DescribedKey {
  readonly id: string
  readonly use: KeyUse
  readonly algorithm: KeyAlgorithm
  readonly created_at: number
  readonly usable_from: number
  /** The use of a key that is in use now. */
  readonly state: Exclude<KeyState, 'current'> | KeyUse
}

export const describeKey = (
  key: StoredKey,
  stored: readonly StoredKey[],
  at: number,
): DescribedKey => {
  const { id, use, algorithm, createdAt, usableFrom } = key
  const state = keyStateOf(key, stored, at)
  return {
    id,
    use,
    algorithm,
    created_at: createdAt,
    usable_from: usableFrom,
    state: state === 'current' ? use : state,
  }
}

/** The answer to a rotation. */
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
  /** There is no such key. */
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
  const signs = keyStateOf(key, stored, at) === 'current'
  const next = signs ? await newKey(maker, at, at, parts.vault, parts) : null
  if (next !== null) await parts.store.addKey(next, Number.MAX_SAFE_INTEGER, trace())
  await parts.store.removeKeys([id], trace())
  return { is: 'withdrawn', successor: next?.id ?? null }
}
