/** Sealing keys: kept in the store, known to every node before their first use, rotated by themselves. */
import { limits } from '../config/limits.ts'
import { type Keyring, type SealingKey, sealingKey } from '../crypto/seal.ts'
import { sealingKeys, type Vault } from '../crypto/wrap.ts'
import { makeId, type Parts } from '../parts.ts'
import { StoreFault } from '../store/fault.ts'
import type { StoredKey, Trace } from '../store/store.ts'
import { type RootSecret, WrongRootSecret } from './root-secret.ts'

type Needed = Pick<Parts, 'store' | 'clock' | 'random'>

export interface KeyKeeper extends Keyring {
  /** Learns keys that other nodes added or took away, and adds a new one when it is time. */
  refresh(): Promise<void>
}

const openKey = ({ id, wrapped }: StoredKey, vault: Vault, issuer: string): SealingKey => {
  const bytes = vault.unwrap(wrapped, sealingKeys)
  if (bytes === null) throw new WrongRootSecret()
  return sealingKey(id, bytes, issuer)
}

/** The newest key that every node has had the time to learn of. There is at least one. */
export const newestUsable = (stored: readonly StoredKey[], at: number): StoredKey => {
  let best: StoredKey | null = null
  for (const key of stored) {
    if (key.usableFrom <= at && (best === null || key.usableFrom > best.usableFrom)) best = key
  }
  // A clock that was set back makes every key look new: the oldest is then known to all.
  return best ?? stored.reduce((a, b) => (a.usableFrom <= b.usableFrom ? a : b))
}

/**
 * The key that a service seals with, for a command that seals something for it to open.
 *
 * @param stored all keys of the store; there is at least one
 * @param at unix seconds
 * @throws WrongRootSecret
 */
export const currentKey = (
  stored: readonly StoredKey[],
  vault: Vault,
  issuer: string,
  at: number,
): SealingKey => openKey(newestUsable(stored, at), vault, issuer)

/** A new key as it is stored. @param at unix seconds */
export const newKey = (
  usableFrom: number,
  at: number,
  vault: Vault,
  parts: Pick<Parts, 'clock' | 'random'>,
): StoredKey => ({
  id: makeId<string>(parts).slice(0, 10) + Buffer.from(parts.random(3)).toString('hex'),
  wrapped: vault.wrap(parts.random(32), sealingKeys),
  usableFrom,
  createdAt: at,
})

const seconds = (parts: Needed): number => Math.floor(parts.clock() / 1000)

/** A node whose keys do not open can know nothing about any token. */
const unknowable = (): StoreFault => new StoreFault('unreadable', new WrongRootSecret().message)

/**
 * Loads the sealing keys, making the first one on an empty store.
 *
 * @param issuer what they seal counts for this one only
 * @throws WrongRootSecret
 */
export const openKeyring = async (
  parts: Needed,
  root: Pick<RootSecret, 'vault' | 'learn'>,
  issuer: string,
): Promise<KeyKeeper> => {
  let keys: ReadonlyMap<string, SealingKey> = new Map()
  let stored: readonly StoredKey[] = []

  /** A key that is gone from the store opens nothing any more. */
  const load = async (): Promise<void> => {
    const before = keys
    try {
      await root.learn()
      stored = await parts.store.listKeys()
      keys = new Map(
        stored.map((key) => [key.id, before.get(key.id) ?? openKey(key, root.vault, issuer)]),
      )
    } catch (fault) {
      if (fault instanceof WrongRootSecret) keys = new Map()
      throw fault
    }
  }

  /** Two nodes that do this at once agree through the store: only one key is added. */
  const add = async (usableFrom: number, unlessSince: number): Promise<void> => {
    const at = seconds(parts)
    const key = newKey(usableFrom, at, root.vault, parts)
    const trace: Trace = {
      eventId: makeId(parts),
      at,
      requestId: null,
      actor: { type: 'service' },
    }
    await parts.store.addKey(key, unlessSince, trace)
    await load()
  }

  const refresh = async (): Promise<void> => {
    await load()
    const at = seconds(parts)
    const newest = Math.max(...stored.map((key) => key.usableFrom))
    if (newest <= at - limits.keyRotationSeconds) {
      await add(at + limits.keyPublishSeconds, at - limits.keyRotationSeconds + 1)
    }
  }

  const current = (): SealingKey => {
    const key = stored.length === 0 ? undefined : keys.get(newestUsable(stored, seconds(parts)).id)
    if (key === undefined) throw unknowable()
    return key
  }

  let learntAt = Number.NEGATIVE_INFINITY
  let learning: Promise<void> = Promise.resolve()

  /** Anyone can name a key that there is not, so the store is asked once a second at most. */
  const learn = (): Promise<void> => {
    const at = seconds(parts)
    if (at !== learntAt) {
      learntAt = at
      learning = load().catch((fault: unknown) => {
        // A fault is not an answer: whoever comes next may ask again.
        learntAt = Number.NEGATIVE_INFINITY
        throw fault instanceof WrongRootSecret ? unknowable() : fault
      })
      learning.catch(() => {})
    }
    return learning
  }

  await load()
  if (stored.length === 0) await add(seconds(parts), 0)
  return { current, find: (id) => keys.get(id) ?? null, learn, refresh }
}
