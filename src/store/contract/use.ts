/** The contract about uses: requests of applications under an owner's authorizations. */
import type { AuthorizationId, OwnerId } from '../../model/ids.ts'
import type { NotedUse, Use, UseDay } from '../../model/use.ts'
import type { Page } from './trace.ts'

/** Uses that are written together. */
export interface UseBatch {
  /** Whoever collected them: one running process. */
  readonly collector: string
  /** Grows from batch to batch of a collector, roughly as unix milliseconds do. */
  readonly turn: number
  readonly uses: readonly NotedUse[]
}

/** An authorization, if it is this owner's and has not ended more than `limits.useDays` ago. */
export interface UsesOf {
  readonly authorizationId: AuthorizationId
  readonly ownerId: OwnerId
}

/** Steps on the access log. */
export interface UseSteps {
  /**
   * Adds uses to the stored ones. A list shows the last allowed use of an authorization, and an
   * earlier one never replaces it. A batch that was written already changes nothing. So after a
   * lost answer the same batch can be written again. Other batches of its collector must not
   * overtake it.
   */
  recordUses(batch: UseBatch): Promise<void>
  /**
   * The newest first, of so many days up to today.
   *
   * @param before the `next` of an earlier page, or null
   */
  listUses(
    of: UsesOf,
    days: number,
    before: string | null,
    limit: number,
    now: number,
  ): Promise<Page<Use>>
  /** So many days up to today, the newest first; those without any use are left out. */
  countUses(of: UsesOf, days: number, now: number): Promise<readonly UseDay[]>
}
