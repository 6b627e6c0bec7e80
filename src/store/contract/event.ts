/** The contract about events: what happened, and how it is looked for. */
import type { Actor } from '../../model/actor.ts'
import type { Event, EventType } from '../../model/event.ts'
import type { ClientId, OwnerId } from '../../model/ids.ts'
import type { Page } from './trace.ts'

/** Whose acts are looked for. */
export interface ActorFilter {
  readonly type: Actor['type']
  /**
   * One of that type: `client:ID` or `owner:ID` of an operator, the user of the command line, an owner
   * or a client. The last two are found where the event is about themselves. Null: all of that type.
   */
  readonly id: string | null
}

/** Events that all of this is true of. */
export interface EventFilter {
  readonly ownerId?: OwnerId
  readonly clientId?: ClientId
  readonly type?: EventType
  readonly actor?: ActorFilter
  /** The request that caused it, by its reference. No index leads, so give the times as well. */
  readonly requestId?: string
  /** Unix seconds: not before. */
  readonly since?: number
  /** Unix seconds: before, and not at, this time. */
  readonly until?: number
  /**
   * Without those of a deleted owner with the same subject. Beside them: what clients changed about themselves after the owner approved. Takes no filter but `ownerId`.
   */
  readonly ownChanges?: true
}

/** The order of a list of events. */
export type EventOrder = 'newest first' | 'oldest first'

/** Steps on events. */
export interface EventSteps {
  appendEvent(event: Event): Promise<void>
  /**
   * The newest first unless `order` says otherwise. `after`: the `next` of an earlier page, or the id
   * of an event. With two filters and more, a page examines `limit * listLimits.examinedPerRow`
   * events at most. Such a page may be short or empty and have a `next` all the same.
   */
  listEvents(
    of: EventFilter,
    after: string | null,
    limit: number,
    order?: EventOrder,
  ): Promise<Page<Event>>
  /** Whether somebody with this subject was deleted, as far as events go back. */
  isDeletedOwner(id: OwnerId): Promise<boolean>
  /**
   * The events that became visible after a position, however old their ids are. None is left out, and
   * none comes twice. A page may be longer than `limit`: it ends behind a transaction. With a filter, it
   * examines `limit * listLimits.examinedPerRow` events, so it may be empty and go further all the same.
   *
   * @param after null: none, only the position of this moment
   * @returns `next` is always a position; `unknown_position` for one of another database
   */
  listCommittedEvents(
    of: EventFilter,
    after: string | null,
    limit: number,
  ): Promise<(Page<Event> & { readonly next: string }) | 'unknown_position'>
}
