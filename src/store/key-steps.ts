/** Steps about what the root secret wraps: sealing keys, and the secrets of one-time codes. */
import type { OwnerId } from '../model/ids.ts'
import type { Page, Trace } from './trace.ts'

/** A sealing key as it is stored: wrapped under the root secret where there is one. */
export interface StoredKey {
  readonly id: string
  readonly wrapped: string
  /** Unix seconds; before this, nodes know the key but do not seal with it. */
  readonly usableFrom: number
  readonly createdAt: number
}

/** The wrapped secret of an owner's one-time codes. */
export interface WrappedCodes {
  readonly ownerId: OwnerId
  readonly secret: string
}

/** Sealing keys that are wrapped anew, with the value that only the secret in force opens. */
export interface Rewrapping {
  readonly from: string
  readonly to: string
  readonly keys: readonly Pick<StoredKey, 'id' | 'wrapped'>[]
}

/** Steps on the sealing keys, and on what is wrapped under the root secret. */
export interface KeySteps {
  listKeys(): Promise<readonly StoredKey[]>
  /** Adds a key unless another node has added one that becomes usable at or after `unlessSince`. */
  addKey(key: StoredKey, unlessSince: number, trace: Trace): Promise<'added' | 'present'>
  /** Takes keys away: whatever they sealed has ended. Answers how many there were. */
  removeKeys(ids: readonly string[], trace: Trace): Promise<number>
  /** Takes all keys away and puts one in their place. */
  replaceKeys(key: StoredKey, trace: Trace): Promise<void>
  /** All of it at once; false where the fact `root secret` does not say `from` any more. */
  rewrapKeys(rewrapping: Rewrapping, trace: Trace): Promise<boolean>
  /** The wrapped secrets of one-time codes, by their owners. */
  listOneTimeCodes(after: string | null, limit: number): Promise<Page<WrappedCodes>>
  /** Replaces secrets that are still as they were; answers how many. */
  rewrapOneTimeCodes(
    changes: readonly (WrappedCodes & { readonly from: string })[],
  ): Promise<number>
}
