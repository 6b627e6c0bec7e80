/** Sealing keys: kept in the store, known to every node before their first use, rotated by themselves. */
import { limits } from '../config/limits.ts'
import { type Keyring, type SealingKey, sealingKey } from '../crypto/seal.ts'
import { unwrapKey, wrapKey } from '../crypto/wrap.ts'
import { makeId, type Parts } from '../parts.ts'
import type { StoredKey, Trace } from '../store/store.ts'

/** A key that the root secret does not open: going on would mean that tokens silently end. */
class WrongRootSecret extends Error {
  constructor() {
    super(
      'the root secret does not open the sealing keys in this store: expected the secret (LATCHKEY_SECRET, or the .key file beside the database) that the store was first started with',
    )
  }
}

type Needed = Pick<Parts, 'store' | 'clock' | 'random'>

export interface KeyKeeper extends Keyring {
  /** Learns keys that other nodes added, and adds a new one when it is time. */
  refresh(): Promise<void>
}

const openKey = (
  { id, wrapped }: StoredKey,
  rootSecret: string | null,
  issuer: string,
): SealingKey => {
  const bytes = unwrapKey(wrapped, rootSecret)
  if (bytes === null) throw new WrongRootSecret()
  return sealingKey(id, bytes, issuer)
}

/** The newest key that every node has had the time to learn of. There is at least one. */
const newestUsable = (stored: readonly StoredKey[], at: number): StoredKey => {
  let best: StoredKey | null = null
  for (const key of stored) {
    if (key.usableFrom <= at && (best === null || key.usableFrom > best.usableFrom)) best = key
  }
  // A clock that was set back makes every key look new: the oldest is then known to all.
  return best ?? stored.reduce((a, b) => (a.usableFrom <= b.usableFrom ? a : b))
}

/**
 * The key that a service seals with, for a program beside it that seals something for it to open.
 *
 * @param stored all keys of the store; there is at least one
 * @param at unix seconds
 * @throws WrongRootSecret
 */
export const currentKey = (
  stored: readonly StoredKey[],
  rootSecret: string | null,
  issuer: string,
  at: number,
): SealingKey => openKey(newestUsable(stored, at), rootSecret, issuer)

const seconds = (parts: Needed): number => Math.floor(parts.clock() / 1000)

/**
 * Loads the sealing keys, making the first one on an empty store.
 *
 * @param issuer what they seal counts for this one only
 * @throws WrongRootSecret
 */
export const openKeyring = async (
  parts: Needed,
  rootSecret: string | null,
  issuer: string,
): Promise<KeyKeeper> => {
  const keys = new Map<string, SealingKey>()
  let stored: readonly StoredKey[] = []

  const load = async (): Promise<void> => {
    stored = await parts.store.listKeys()
    for (const key of stored) {
      if (!keys.has(key.id)) keys.set(key.id, openKey(key, rootSecret, issuer))
    }
  }

  /** Two nodes that do this at once agree through the store: only one key is added. */
  const add = async (usableFrom: number, unlessSince: number): Promise<void> => {
    const at = seconds(parts)
    const id = makeId<string>(parts).slice(0, 10) + Buffer.from(parts.random(3)).toString('hex')
    const wrapped = wrapKey(parts.random(32), rootSecret, parts.random(12))
    const trace: Trace = { eventId: makeId(parts), at, requestId: null, actor: { type: 'service' } }
    await parts.store.addKey({ id, wrapped, usableFrom, createdAt: at }, unlessSince, trace)
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
    const key = keys.get(newestUsable(stored, seconds(parts)).id)
    if (key === undefined) throw new WrongRootSecret()
    return key
  }

  let learntAt = Number.NEGATIVE_INFINITY
  let learning: Promise<void> = Promise.resolve()

  /** Anyone can name a key that there is not, so the store is asked once a second at most. */
  const learn = (): Promise<void> => {
    const at = seconds(parts)
    if (at !== learntAt) {
      learntAt = at
      learning = load()
      // A fault is not an answer: whoever comes next may ask again.
      learning.catch(() => {
        learntAt = Number.NEGATIVE_INFINITY
      })
    }
    return learning
  }

  await load()
  if (stored.length === 0) await add(seconds(parts), 0)
  return { current, find: (id) => keys.get(id) ?? null, learn, refresh }
}
