/** The contract about counters for charts. */
import type { CountedThing, CountKind, CountSpan, KeptCount } from '../../model/metric.ts'

/** What one node counted since its last batch. */
export interface CountBatch {
  /** Whoever counted: one running process. */
  readonly collector: string
  /** Grows from batch to batch of a collector, roughly as unix milliseconds do. */
  readonly turn: number
  /** Unix seconds. */
  readonly at: number
  readonly counts: readonly CountedThing[]
}

/** Steps on counters. */
export interface CountSteps {
  /**
   * Adds counts to those of the minute, the hour and the day. A batch that was written already changes
   * nothing. Clients beyond `countLimits.clients` of a period are added up.
   */
  addCounts(batch: CountBatch): Promise<void>
  /** Those of periods that begin at or after `from` (unix seconds), the oldest first. */
  listCounts(
    of: {
      readonly span: CountSpan
      readonly kinds: readonly CountKind[]
      /** Null: of all clients. */
      readonly clientId: string | null
    },
    from: number,
  ): Promise<readonly KeptCount[]>
}
