/** The parts that meet in `server.ts` and are passed to whoever needs them; nothing is ever found. */
import type { Settings } from './config/settings.ts'
import type { Passwords } from './crypto/password.ts'
import type { Keyring } from './crypto/seal.ts'
import type { Exchange } from './http/exchange.ts'
import type { EventId } from './model/ids.ts'
import { newId } from './model/ids.ts'
import type { Tell } from './model/notice.ts'
import type { Store, Trace } from './store/store.ts'

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
  readonly passwords: Passwords
  /** Notes that a client used an authorization; written later, in batches. */
  readonly noteUse: (authorizationId: string, at: number) => void
  readonly tell: Tell
}

/** A new time-ordered id of whatever kind is wanted. */
export const makeId = <Id extends string>(parts: Pick<Parts, 'clock' | 'random'>): Id =>
  newId(parts.clock(), parts.random(10)) as Id

/** The trace of one store step within a request. */
export const traceOf = (exchange: Pick<Exchange, 'at' | 'requestId'>, parts: Parts): Trace => ({
  eventId: makeId<EventId>(parts),
  at: exchange.at,
  requestId: exchange.requestId,
})
