/**
 * Kinds of keys: how each is made, and how often it changes. A further kind, such as a signing key of
 * one algorithm, is a line in `keyMakers`. Storing, wrapping, rotation, `latchkey key` and
 * `/jwks` follow from that line.
 */

import type { Settings } from '../../config/settings.ts'
import { makeKeyPair } from '../../crypto/own-jws.ts'
import { getKeyPurpose, type Vault } from '../../crypto/wrap.ts'
import { type Given, makeId, type Random } from '../../model/ids.ts'
import {
  type KeyAlgorithm,
  type KeyUse,
  type PublicKey,
  signingAlgorithms,
} from '../../model/key.ts'
import type { StoredKey } from '../../store/contract/key.ts'

export const keyLimits = {
  /** Sealing keys: a new one so often, known to all nodes so long before its first use. */
  keyRotationSeconds: 30 * 24 * 3600,
  keyPublishSeconds: 3600,
  /** What `key rotate --now` waits instead, for every node to know the key. */
  keyHurrySeconds: 8,
  /** Secrets that are wrapped anew in one step. */
  rewrapRows: 100,
} as const

/** How long others keep a signing key. */
export const signingKeyLimits = {
  /** Others keep a key for a while after the last token under it has ended. */
  keepAfterEndSeconds: 24 * 3600,
  /** So much longer is noted at once, so that not every token makes the store write. */
  keepAheadSeconds: 24 * 3600,
} as const

/** How a key is made, for one use and algorithm. */
export interface KeyMaker {
  readonly use: KeyUse
  readonly algorithm: KeyAlgorithm
  /** Made for the first signature, and not before: `/jwks` has none, and no rotation makes the first. */
  readonly isOnDemand?: boolean
  readonly make: (random: Random) => Promise<{
    readonly secret: Uint8Array
    /** Null where nobody else checks with the key. */
    readonly publicKey: PublicKey | null
  }>
}

export interface KeyKind extends KeyMaker {
  readonly rotationSeconds: number
}

const sealingMaker: KeyMaker = {
  use: 'sealing',
  algorithm: 'HS256',
  make: async (random) => ({ secret: random(32), publicKey: null }),
}

const signingMakers = signingAlgorithms.map(
  (algorithm): KeyMaker => ({
    use: 'signing',
    algorithm,
    // Its public half has up to 3,456 characters, and each reader of `/jwks` fetches them.
    isOnDemand: algorithm.startsWith('ML-DSA'),
    make: () => makeKeyPair(algorithm),
  }),
)

export const keyMakers: readonly KeyMaker[] = [sealingMaker, ...signingMakers]

export const sealingKind: KeyKind = {
  ...sealingMaker,
  rotationSeconds: keyLimits.keyRotationSeconds,
}

/** The kinds of a service. The first key of a signing kind is made when it is needed. */
export const listKeyKinds = ({
  keyRotationDays,
}: Pick<Settings, 'keyRotationDays'>): readonly KeyKind[] => {
  const rotationSeconds = keyRotationDays * 24 * 3600
  return [sealingKind, ...signingMakers.map((maker) => ({ ...maker, rotationSeconds }))]
}

export const isOfKind = (
  key: Pick<StoredKey, 'use' | 'algorithm'>,
  { use, algorithm }: Pick<StoredKey, 'use' | 'algorithm'>,
): boolean => key.use === use && key.algorithm === algorithm

/**
 * A new key as it is stored.
 *
 * @param at unix seconds
 */
export const makeKey = async (
  { use, algorithm, make }: KeyMaker,
  usableFrom: number,
  at: number,
  vault: Vault,
  parts: Given,
): Promise<StoredKey> => {
  const id = makeId<string>(parts).slice(0, 10) + Buffer.from(parts.random(3)).toString('hex')
  const { secret, publicKey } = await make(parts.random)
  return {
    id,
    use,
    algorithm,
    wrapped: vault.wrap(secret, getKeyPurpose(use)),
    publicKey,
    usableFrom,
    createdAt: at,
    keepUntil: null,
  }
}

/**
 * The newest key that every node has had the time to learn of.
 *
 * @param keys of one kind; there is at least one
 */
export const pickNewestUsable = (keys: readonly StoredKey[], at: number): StoredKey => {
  let best: StoredKey | null = null
  for (const key of keys) {
    if (key.usableFrom <= at && (best === null || key.usableFrom > best.usableFrom)) best = key
  }
  // A clock that was set back makes every key look new: the oldest is then known to all.
  return best ?? keys.reduce((a, b) => (a.usableFrom <= b.usableFrom ? a : b))
}

/** Whether it is time for a new key of the kind. One without any gets its first when it is needed. */
export const isDue = (
  keys: readonly StoredKey[],
  { rotationSeconds }: KeyKind,
  at: number,
): boolean =>
  keys.length > 0 && Math.max(...keys.map(({ usableFrom }) => usableFrom)) + rotationSeconds <= at

/**
 * Signing keys that nobody needs any more. A node may sign with an old key for a moment after the newer
 * one is usable, so a day passes in any case.
 *
 * @param keys of one kind
 */
export const filterRetired = (
  keys: readonly StoredKey[],
  { use }: KeyKind,
  at: number,
): readonly StoredKey[] => {
  if (use !== 'signing' || keys.length < 2) return []
  const newest = pickNewestUsable(keys, at)
  if (newest.usableFrom + signingKeyLimits.keepAfterEndSeconds > at) return []
  return keys.filter(
    ({ usableFrom, keepUntil }) => usableFrom < newest.usableFrom && (keepUntil ?? 0) <= at,
  )
}
