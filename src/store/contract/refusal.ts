/** The contract about refused requests. They are kept for a while, to be explained. */
import type { ClientId } from '../../model/ids.ts'
import type { KeptRefusal } from '../../model/kept-refusal.ts'
import type { Page } from './trace.ts'

/** How many rows there may be. */
export interface RefusalBounds {
  readonly ofNetwork: number
  readonly ofClient: number
  /** Of all networks, and as many of all clients. */
  readonly inAll: number
  /** Networks or clients that lose rows in one step. */
  readonly trimmed: number
}

/** A list shows the refusals that fit all of it. */
export interface RefusalFilter {
  readonly clientId?: ClientId
  readonly network?: string
  readonly reason?: string
  readonly code?: string
  /** As the table of routes writes it. */
  readonly route?: string
  /** Of the answer. */
  readonly status?: number
  /** Not before this time; unix seconds. */
  readonly since?: number
  /** Before this time; unix seconds. */
  readonly until?: number
}

/** Steps on the record of refused requests. */
export interface RefusalSteps {
  /**
   * Writes refusals. Of a flood that is there already, the greater number of requests stays. A
   * network or client with too many loses its oldest. Where there are too many in all, those with
   * the most lose theirs.
   */
  recordRefusals(refusals: readonly KeptRefusal[], bounds: RefusalBounds): Promise<void>
  /** Null if it is not kept, or older than `since` (unix seconds). */
  findRefusal(reference: string, since: number): Promise<KeptRefusal | null>
  /** Newest first. @param before the reference to go on from */
  listRefusals(
    of: RefusalFilter,
    before: string | null,
    limit: number,
    since: number,
  ): Promise<Page<KeptRefusal>>
}
