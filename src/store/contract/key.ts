/** Steps about what the root secret wraps: keys, and the secrets of one-time codes. */
import type { OwnerId } from '../../model/ids.ts'
import type { KeyAlgorithm, KeyUse, PublicKey } from '../../model/key.ts'
import type { Page, Trace } from './trace.ts'

/** A key as it is stored: wrapped under the root secret where there is one. */
export interface StoredKey {
  readonly id: string
  readonly use: KeyUse
  readonly algorithm: KeyAlgorithm
  readonly wrapped: string
  /** Null where nobody else checks with the key, as for sealing. */
  readonly publicKey: PublicKey | null
  /** Unix seconds; before this, nodes know the key but do not use it. */
  readonly usableFrom: number
  readonly createdAt: number
  /** Unix seconds: until then others may need the public half. Null: it signed nothing that lasts. */
  readonly keepUntil: number | null
}

/** The wrapped secret of an owner's one-time codes. */
export interface WrappedCodes {
  readonly ownerId: OwnerId
  readonly secret: string
}

/** Keys wrapped anew, with the check value of the new secret. */
export interface Rewrapping {
  readonly from: string
  readonly to: string
  readonly keys: readonly Pick<StoredKey, 'id' | 'wrapped'>[]
}

/** Steps on the sealing keys, and on what is wrapped under the root secret. */
export interface KeySteps {
  listKeys(): Promise<readonly StoredKey[]>
  /**
   * Adds a key unless another node has added one of the same use and algorithm that becomes usable at
   * or after `unlessSince`.
   */
  addKey(key: StoredKey, unlessSince: number, trace: Trace): Promise<'added' | 'present'>
  /**
   * Keeps a key at least until then (unix seconds), so that what it signs can be checked. False if the
   * key is gone.
   */
  keepKey(id: string, until: number): Promise<boolean>
  /** Takes away a key that need not be kept any more at `at`. False if it must be, or is gone. */
  retireKey(id: string, at: number, trace: Trace): Promise<boolean>
  /** Takes keys away: whatever they sealed or signed has ended. Answers how many there were. */
  removeKeys(ids: readonly string[], trace: Trace): Promise<number>
  /** Takes away all keys of one use and algorithm, and puts one in their place. */
  replaceKeys(key: StoredKey, trace: Trace): Promise<void>
  /** Everything at once; false where the fact `root secret` does not say `from` any more. */
  rewrapKeys(rewrapping: Rewrapping, trace: Trace): Promise<boolean>
  /** The wrapped secrets of one-time codes, by their owners. */
  listOneTimeCodes(after: string | null, limit: number): Promise<Page<WrappedCodes>>
  /** Replaces secrets that are still as they were; answers how many. */
  rewrapOneTimeCodes(
    changes: readonly (WrappedCodes & { readonly from: string })[],
  ): Promise<number>
}
