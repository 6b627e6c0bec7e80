/** What a store throws: a fault while it runs, or a refusal to start. Neither ever holds a stored value. */

/**
 * `busy`: too much is waiting, nothing was done. `failed`: the step was not done, or it is unknown
 * whether it was. `indeterminate`: the connection was lost while it committed. `unreachable`: the
 * database cannot be reached, nothing was done. `lossy`: the database would acknowledge what it can
 * lose, so nothing was done. `late`: the
 * request has waited for as long as it may; a step may still be done. `unreadable`: a row makes no sense. `broken`: the disk does not keep what it
 * promised, and nothing is answered any more. `closed`: the store was closed.
 */
export type FaultReason =
  | 'busy'
  | 'failed'
  | 'indeterminate'
  | 'unreachable'
  | 'lossy'
  | 'late'
  | 'unreadable'
  | 'broken'
  | 'closed'

/** The store could not answer; whoever asked must refuse. */
export class StoreFault extends Error {
  readonly reason: FaultReason

  constructor(reason: FaultReason, message: string) {
    super(message)
    this.name = 'StoreFault'
    this.reason = reason
  }
}

/** The store will not open as it is configured; the message is one sentence for the operator. */
export class StoreRefusal extends Error {
  /** Whether that is because another process holds the database. */
  readonly inUse: boolean

  constructor(message: string, inUse = false) {
    super(message)
    this.name = 'StoreRefusal'
    this.inUse = inUse
  }
}
