/** What steps and lists of every record share. */
import type { Actor } from '../../model/actor.ts'
import type { EventId } from '../../model/ids.ts'

/** The time, request and actor of a step. A step with an event writes it under `eventId`. */
export interface Trace {
  readonly eventId: EventId
  /** Unix seconds: the "now" of the step. */
  readonly at: number
  readonly requestId: string | null
  readonly actor: Actor
}

/** A page of rows in the order of their keys; `next` is the key to go on after, or null. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next: string | null
}

/** A page of a search. */
export interface FoundPage<Row> extends Page<Row> {
  /** Rows of an older version were not looked at: what a search compares is not written yet. */
  readonly isPartial?: true
  /** The cursor was of another list, so nothing was looked for. */
  readonly isForeign?: true
}

/** Rows of an older version, so many, behind others that fail. */
export interface WordsDue {
  readonly most: number
  readonly skip: number
}

/**
 * The roles under which somebody was let in to a step on an owner. Where the owner has others by now,
 * the step changes nothing and answers as if there were no such owner.
 */
export type CheckedRoles = readonly string[]
