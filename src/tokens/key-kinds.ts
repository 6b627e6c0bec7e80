/**
 * Kinds of keys: how each is made, and how often it changes. A further kind, such as a signing key of
 * one algorithm, is a file and a line in `keyKinds`. Storing, wrapping, rotation, `latchkey key` and
 * `/jwks` follow from that line.
 */
import { limits } from '../config/limits.ts'
import { newKeyPair } from '../crypto/jose.ts'
import { keysFor, type Vault } from '../crypto/wrap.ts'
import type { KeyAlgorithm, KeyUse, PublicKey, SigningAlgorithm } from '../model/key.ts'
import { makeId, type Parts } from '../parts.ts'
import type { StoredKey } from '../store/store.ts'

export interface KeyKind {
  readonly use: KeyUse
  readonly algorithm: KeyAlgorithm
  /** A new key so often. */
  readonly rotationSeconds: number
  readonly make: (random: Parts['random']) => Promise<{
    readonly secret: Uint8Array
    /** Null where nobody else checks with the key. */
    readonly publicKey: PublicKey | null
  }>
}

export const sealingKind: KeyKind = {
  use: 'sealing',
  algorithm: 'HS256',
  rotationSeconds: limits.keyRotationSeconds,
  make: async (random) => ({ secret: random(32), publicKey: null }),
}

/** A service that never signed anything has no key of this kind: the first is made when it is needed. */
const signingKind = (algorithm: SigningAlgorithm): KeyKind => ({
  use: 'signing',
  algorithm,
  rotationSeconds: limits.signingRotationSeconds,
  make: () => newKeyPair(algorithm),
})

/** The algorithms of ID tokens, the default of OpenID Connect first. */
export const signingKinds: readonly KeyKind[] = [
  signingKind('RS256'),
  signingKind('ES256'),
  signingKind('EdDSA'),
]

export const keyKinds: readonly KeyKind[] = [sealingKind, ...signingKinds]

export const isOfKind = (
  key: Pick<StoredKey, 'use' | 'algorithm'>,
  { use, algorithm }: Pick<StoredKey, 'use' | 'algorithm'>,
): boolean => key.use === use && key.algorithm === algorithm

/**
 * A new key as it is stored.
 *
 * @param at unix seconds
 */
export const newKey = async (
  { use, algorithm, make }: KeyKind,
  usableFrom: number,
  at: number,
  vault: Vault,
  parts: Pick<Parts, 'clock' | 'random'>,
): Promise<StoredKey> => {
  const id = makeId<string>(parts).slice(0, 10) + Buffer.from(parts.random(3)).toString('hex')
  const { secret, publicKey } = await make(parts.random)
  return {
    id,
    use,
    algorithm,
    wrapped: vault.wrap(secret, keysFor(use)),
    publicKey,
    usableFrom,
    createdAt: at,
  }
}

/**
 * The newest key that every node has had the time to learn of.
 *
 * @param keys of one kind; there is at least one
 */
export const newestUsable = (keys: readonly StoredKey[], at: number): StoredKey => {
  let best: StoredKey | null = null
  for (const key of keys) {
    if (key.usableFrom <= at && (best === null || key.usableFrom > best.usableFrom)) best = key
  }
  // A clock that was set back makes every key look new: the oldest is then known to all.
  return best ?? keys.reduce((a, b) => (a.usableFrom <= b.usableFrom ? a : b))
}
