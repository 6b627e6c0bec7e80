/** A secret of the whole store, in a fact that the root secret wraps. The secret is made once, and never changes. */
import { isPlain, unwrapKey, type Vault, wrapKey } from '../crypto/wrap.ts'
import type { Random } from '../model/ids.ts'
import { StoreFault } from './fault.ts'
import type { FactId, Store } from './store.ts'

export interface WrappedFact {
  readonly fact: FactId
  /** Bound to the wrapped text. */
  readonly purpose: string
  /** Whether one that lay in the database in clear is kept. Anybody may have read it, or written it. */
  readonly mayBePlain: boolean
  /** Told where no known root secret opens it. */
  readonly lost: string
}

/** @throws StoreFault for one under another root secret */
const unwrapFact = (wrapped: string, { purpose, lost }: WrappedFact, vault: Vault): Uint8Array => {
  const bytes = vault.unwrap(wrapped, purpose)
  if (bytes === null) throw new StoreFault('unreadable', lost)
  return bytes
}

/** Null before the secret is made. @throws StoreFault for one under another root secret */
export const findWrappedFact = async (
  of: WrappedFact,
  store: Pick<Store, 'findFact'>,
  vault: Vault,
): Promise<Uint8Array | null> => {
  const found = await store.findFact(of.fact)
  return found === null ? null : unwrapFact(found, of, vault)
}

/**
 * Reads the secret, and makes it where there is none. Of two nodes that do this at once, one makes it.
 *
 * @throws StoreFault for one under another root secret
 */
export const takeWrappedFact = async (
  of: WrappedFact,
  store: Pick<Store, 'findFact' | 'setFact'>,
  vault: Vault,
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array> => {
  for (;;) {
    const found = await findWrappedFact(of, store, vault)
    if (found !== null) return found
    const made = await make()
    if (await store.setFact(of.fact, null, vault.wrap(made, of.purpose))) return made
  }
}

export type RewrappedFact = 'kept' | 'moved' | 'lost'

/**
 * Wraps the secret under the root secret in force. The rewrap may be done again at any time.
 *
 * @param known all secrets that it may be wrapped under
 * @returns `lost` where none of them opens it, or it is plain and may not be; `kept` also without a secret
 */
export const rewrapFact = async (
  { fact, purpose, mayBePlain }: WrappedFact,
  { store, random }: { readonly store: Store; readonly random: Random },
  secret: string,
  known: readonly string[],
): Promise<RewrappedFact> => {
  const from = await store.findFact(fact)
  if (from === null || unwrapKey(from, secret, purpose) !== null) return 'kept'
  if (isPlain(from) && !mayBePlain) return 'lost'
  const candidates = isPlain(from) ? [null] : known
  const bytes = candidates.map((one) => unwrapKey(from, one, purpose)).find((one) => one !== null)
  if (bytes == null) return 'lost'
  await store.setFact(fact, from, wrapKey(bytes, secret, random(12), purpose))
  return 'moved'
}
