/** The contract about what waits to be sent: mails, notices of logouts, and events for webhooks. */
import type { Event, EventType } from '../../model/event.ts'
import type { ClientId, ClientSession, EventId, OwnerId, SessionId } from '../../model/ids.ts'
import type { QueuedMail } from '../../model/mail.ts'
import type { Ceremony } from './factor.ts'
import type { Trace } from './trace.ts'

/** What waits to be sent. */
export interface MailQueue {
  readonly waiting: number
  /** Of the oldest; null where none waits. */
  readonly firstExpiresAt: number | null
}

/** Steps on the queue of mails. */
export interface MailSteps {
  /** False where so many are waiting already. */
  queueMail(mail: QueuedMail, mostWaiting: number): Promise<boolean>
  /** Mails to be sent by now, the longest due first. */
  listDueMails(now: number, limit: number): Promise<readonly QueuedMail[]>
  findMailQueue(): Promise<MailQueue>
  /**
   * Takes a mail to send it. The mail stays, and comes again at `nextAt` unless it is removed. False where
   * another node has taken it.
   */
  claimMail(mail: Pick<QueuedMail, 'id' | 'tries'>, nextAt: number): Promise<boolean>
  removeMail(id: QueuedMail['id']): Promise<boolean>
  /**
   * Removes mails that still wait, and finishes the links of the others. A link that was used before
   * stays so. The same rows are written whether or not anybody got a mail.
   */
  cancelMails(ids: readonly QueuedMail['id'][], links: readonly Ceremony[]): Promise<void>
  /** Owners with this email address, in any case of its letters, the disabled ones too. Who proved it comes first. */
  listOwnersOfEmail(email: string, limit: number): Promise<readonly OwnerId[]>
  /** Whether a client keeps the owner, and sets the address. Until its owner confirms it, it proves nothing. */
  isKeptOwner(id: OwnerId): Promise<boolean>
}

/** An owner is logged in at a client by an ID token. */
export interface ClientLogin {
  readonly clientId: ClientId
  readonly ownerId: OwnerId
  /** `sid` of the ID token. */
  readonly sid: ClientSession
  /** The session behind it; null if it has ended already. */
  readonly sessionId: SessionId | null
  /** Whether the client takes logout tokens. */
  readonly backChannel: boolean
}

/** A notice to one client that a login has ended. */
export interface LogoutNotice extends Pick<ClientLogin, 'clientId' | 'ownerId' | 'sid'> {
  readonly id: EventId
  /** The number of the try that this claim allows. */
  readonly tries: number
  /** When the login ended, in unix seconds. */
  readonly endedAt: number
}

/** A claim on notices that are due. */
export interface NoticeClaim {
  /** Clients with enough tries under way. */
  readonly busy: readonly ClientId[]
  /** Owners with enough tries under way, at clients that may all be theirs. */
  readonly busyOwners: readonly OwnerId[]
  /** At most so many, one of each client. */
  readonly most: number
  /** The claim holds until then (unix seconds): no other node sends these notices. */
  readonly until: number
}

/** Steps on logouts. Every step that ends a session queues the notices to its clients. */
export interface LogoutSteps {
  /** The clients of a session, for their frames. */
  listClientLogins(sessionId: SessionId): Promise<readonly ClientLogin[]>
  /** Remembers a login until its session ends. If that has ended, queues the notice at once. */
  noteClientLogin(login: ClientLogin, trace: Trace): Promise<void>
  /** Counts a try for each claimed notice. One node at a time has a claim on it. */
  claimLogoutNotices(claim: NoticeClaim, now: number): Promise<readonly LogoutNotice[]>
  /** Ends a notice; tells `logout.delivered` or `logout.failed`. False if the claim was lost. */
  finishLogoutNotice(
    notice: LogoutNotice,
    outcome: { readonly is: 'delivered' } | { readonly is: 'failed'; readonly reason: string },
    trace: Trace,
  ): Promise<boolean>
  /** The next try comes at `dueAt` (unix seconds). */
  postponeLogoutNotice(notice: LogoutNotice, dueAt: number): Promise<boolean>
}

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
