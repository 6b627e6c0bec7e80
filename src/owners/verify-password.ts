/** Verifies a password, and replaces an imported hash by one of our own once the password is known. */
import { blankOfKind, kindOfHash } from '../crypto/hashes/phc.ts'
import type { Hashing } from '../crypto/password.ts'
import type { Owner } from '../model/owner.ts'
import type { Store, Trace } from '../store/store.ts'

/**
 * A wrong try computes one hash of each kind in the store. So its time does not tell whether the name
 * is known, nor where its hash comes from.
 */
const spendTheRest = async (
  done: string,
  kinds: readonly string[],
  password: string,
  hashing: Hashing,
): Promise<void> => {
  for (const kind of ['', ...kinds]) {
    if (kind !== done) await hashing.verify(kind === '' ? null : blankOfKind(kind), password)
  }
}

/** The owner with a hash of our own. Null where somebody has changed the password at this moment. */
const rehash = async (
  owner: Owner,
  password: string,
  hashing: Hashing,
  trace: Trace,
  { store }: { readonly store: Store },
): Promise<Owner | null> => {
  const hash = { former: owner.passwordHash, next: await hashing.hash(password) }
  const rehashed = await store.rehashPassword(owner.id, hash, trace)
  if (rehashed !== null) return rehashed
  // A concurrent login may have replaced it. If so, the new hash fits the same password.
  const now = await store.findOwner(owner.id)
  return now !== null && (await hashing.verify(now.passwordHash, password)) ? now : null
}

/**
 * The owner with this password, and with the hash in force from now on. Null if it is wrong.
 *
 * @param owner null = nobody of that name
 */
export const verifyPassword = async (
  owner: Owner | null,
  password: string,
  hashing: Hashing,
  trace: Trace,
  parts: { readonly store: Store },
): Promise<Owner | null> => {
  const kinds = await parts.store.listPasswordKinds()
  const stored = owner?.passwordHash ?? null
  const kind = stored === null ? '' : kindOfHash(stored)
  if ((await hashing.verify(stored, password)) && owner !== null) {
    return kind === '' ? owner : rehash(owner, password, hashing, trace, parts)
  }
  await spendTheRest(kind, kinds, password, hashing)
  return null
}
