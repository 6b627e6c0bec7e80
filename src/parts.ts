/** The parts that meet in `server.ts` and are passed to whoever needs them; nothing is ever found. */
import type { Settings } from './config/settings.ts'
import type { Keyring } from './crypto/seal.ts'
import type { Notice } from './events/notice.ts'
import type { Store } from './store/store.ts'

/** Unix time in milliseconds. */
export type Clock = () => number

/** So many random bytes. */
export type Random = (bytes: number) => Uint8Array

export interface Parts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly keyring: Keyring
}
