/** The contract about what happened: events, uses by applications, counters for charts, and refused requests. */

import type { Actor } from '../../model/actor.ts'
import type { Event, EventType } from '../../model/event.ts'
import type { AuthorizationId, ClientId, OwnerId } from '../../model/ids.ts'
import type { KeptRefusal } from '../../model/kept-refusal.ts'
import type { CountedThing, CountKind, CountSpan, KeptAct, KeptCount } from '../../model/metric.ts'
import type { NotedUse, Use, UseDay } from '../../model/use.ts'
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
   * Without those of a deleted owner with the same subject. Beside them: what clients changed about themselves after the owner approved. Takes no filter but `ownerId`, `types` and `byOperator`.
   */
  readonly ownChanges?: true
  /** Of any of these types. No index leads, so give the owner or client as well. */
  readonly types?: readonly EventType[]
  /** Acts of operators only, at any door. Give the owner or client as well. */
  readonly byOperator?: true
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

/** What one node counted since its last batch. */
export interface CountBatch extends Pick<UseBatch, 'collector' | 'turn'> {
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
  /** Counts of periods that begin at or after `from` (unix seconds), the oldest first. */
  listCounts(
    of: {
      readonly span: CountSpan
      readonly kinds: readonly CountKind[]
      /** Null: of all clients. */
      readonly clientId: string | null
    },
    from: number,
  ): Promise<readonly KeptCount[]>
  /**
   * The sum of each thing over the days that begin at or after `from` (unix seconds), by client and name. Its
   * `at` is the last of these days.
   *
   * @param clientId null: of all clients
   */
  listDailySums(
    kinds: readonly CountKind[],
    clientId: string | null,
    from: number,
  ): Promise<readonly KeptCount[]>
  /** What a client did on each of the last `recordLimits.actDays` days, the oldest first. */
  listActs(clientId: ClientId, now: number): Promise<readonly KeptAct[]>
}

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
export interface RefusalFilter extends Pick<EventFilter, 'clientId' | 'since' | 'until'> {
  /** The owner behind it, or the one whose password or code it tried. */
  readonly ownerId?: OwnerId
  readonly network?: string
  readonly reason?: string
  readonly code?: string
  /** As the table of routes writes it. */
  readonly route?: string
  /** Of the answer. */
  readonly status?: number
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
