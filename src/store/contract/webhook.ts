/** The contract about webhooks: events of the audit on their way to receivers. */
import type { Event, EventType } from '../../model/event.ts'
import type { EventId } from '../../model/ids.ts'

/** One event for one webhook. */
export interface WebhookDelivery {
  readonly webhook: string
  readonly event: Event
  /** The number of the try that this claim allows. */
  readonly tries: number
  /** Unix seconds. */
  readonly queuedAt: number
}

/** A delivery without its event. */
export type ClaimedDelivery = Pick<WebhookDelivery, 'webhook' | 'tries'> & {
  readonly eventId: EventId
}

/** What waits for one webhook. */
export interface WebhookQueue {
  readonly webhook: string
  readonly waiting: number
  /** Unix seconds. */
  readonly oldestAt: number
}

/** Steps on webhooks. Several nodes share one queue. */
export interface WebhookSteps {
  /**
   * Queues events that are not queued yet, the oldest first. A webhook begins with the events after its
   * first call. Where its queue is full, they wait in the list of events.
   *
   * @param types null: all
   * @returns how many were queued
   */
  queueWebhookEvents(
    webhook: string,
    types: readonly EventType[] | null,
    now: number,
  ): Promise<number>
  /** Counts a try for each. Nobody else claims them until `until` (unix seconds). */
  claimWebhookDeliveries(
    webhook: string,
    most: number,
    until: number,
    now: number,
  ): Promise<readonly WebhookDelivery[]>
  /** Delivered, or given up. False if the claim was lost. */
  finishWebhookDelivery(delivery: ClaimedDelivery): Promise<boolean>
  /** The next try comes at `dueAt` (unix seconds). */
  postponeWebhookDelivery(delivery: ClaimedDelivery, dueAt: number): Promise<boolean>
  listWebhookQueues(): Promise<readonly WebhookQueue[]>
}
