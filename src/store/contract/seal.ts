/** The contract about seals of events (decision 110): what was written, so that a later change is found. */

/** Every column of an event as it is stored, but for its place. A damaged row is read as well: see that it differs. */
export interface StoredEvent {
  readonly id: string
  readonly at: number
  readonly type: string
  readonly clientId: string | null
  readonly ownerId: string | null
  readonly authorizationId: string | null
  readonly requestId: string | null
  readonly operator: string
  /** Both in JSON. */
  readonly details: string
  readonly actor: string
}

/** The seal of one segment: the events whose ids lie beyond those of the seal before. */
export interface EventSeal {
  /** From 1 on, without a gap. */
  readonly number: number
  /** No id of the segment sorts behind it. */
  readonly until: string
  /** How many of its events came after the seal of their own time. */
  readonly late: number
  /** The signed statement. */
  readonly statement: string
  /** A digest of each event, in JSON. */
  readonly entries: string
  /** How far the order of commits was read (decision 74). Empty in a backup and a copy. */
  readonly position: string
}

/** The last seal, without its entries. */
export type LastSeal = Omit<EventSeal, 'entries'>

/** Steps on seals. */
export interface SealSteps {
  /** Null where nothing is sealed yet. */
  findLastSeal(): Promise<LastSeal | null>
  /** The seal of the segment with this id; null for a later one. */
  findSealOf(id: string): Promise<EventSeal | null>
  /** In the order of their numbers. `late`: only seals that have late events. */
  listSeals(after: number, limit: number, only?: 'late'): Promise<readonly EventSeal[]>
  /** Events with ids beyond `after` and up to `until` (null: all further ones), in the order of their ids. */
  listStoredEvents(
    after: string,
    until: string | null,
    limit: number,
  ): Promise<readonly StoredEvent[]>
  /** Events by their ids, in any order. */
  listStoredEventsOf(ids: readonly string[]): Promise<readonly StoredEvent[]>
  /**
   * Events with ids up to `until` that became visible after a position. Without a position of this
   * database there are none, and the answer names the present one.
   */
  listLateEvents(
    position: string,
    until: string,
    limit: number,
  ): Promise<{ readonly rows: readonly StoredEvent[]; readonly position: string }>
  /** False where there is a seal of this number: then nothing has changed. */
  addSeal(seal: EventSeal): Promise<boolean>
}
