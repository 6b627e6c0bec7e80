/** Events: facts that an owner or an operator may want to know later. */
import type { Actor } from './actor.ts'
import type { AuthorizationId, ClientId, EventId, OwnerId } from './ids.ts'

/** What an event can be about. */
export const eventTypes = [
  'owner.created',
  'owner.changed',
  'owner.deleted',
  'owner.profile_changed',
  'owner.data_downloaded',
  'owner.access_ended',
  'owner.groups_changed',
  'owner.deletion_requested',
  'owner.deletion_undone',
  'owner.password_changed',
  /** An operator ended the waits that wrong tries had set. */
  'owner.unlocked',
  'owner.email_verified',
  'link.issued',
  'mail.sent',
  'mail.failed',
  'mail.held_back',
  'login.succeeded',
  'login.failed',
  'login.second_factor_failed',
  /** Wrong tries begin a wait: once for each wait. */
  'login.throttled',
  'recovery_code.used',
  'passkey.counter_regressed',
  'factor.added',
  'factor.removed',
  'upstream.linked',
  'upstream.unlinked',
  'session.ended',
  'logout.delivered',
  'logout.failed',
  'client.registered',
  'client.changed',
  /** By itself, so that earlier approvals hold no more. Shown to the owners who gave them. */
  'client.changed_itself',
  'client.secret_rotated',
  'client.tokens_ended',
  'client.registration_revoked',
  'client.deleted',
  /** With a client that nobody had used, its events went (decision 110). */
  'client.forgotten',
  'authorization.approved',
  /** A client got a token for another client's token (RFC 8693), and now acts for that client's owner. */
  'authorization.delegated',
  'authorization.denied',
  'authorization.narrowed',
  'authorization.end_changed',
  'authorization.ended',
  'authorization.paused',
  'authorization.resumed',
  /** After an end, the issuer that had opened it may do so again. */
  'authorization.allowed_again',
  /** A device was given access, or denied it. The details say where and when it asked. */
  'device.connected',
  'device.denied',
  'code.replayed',
  'code.burned',
  'refresh_token.repeated',
  'refresh_token.reused',
  'token.revoked',
  'family.revoked',
  'resource.created',
  'resource.changed',
  'resource.deleted',
  'group.created',
  'group.changed',
  'group.deleted',
  'issuer.created',
  'issuer.changed',
  'issuer.deleted',
  'stream.created',
  'stream.changed',
  'stream.deleted',
  'keys.rotated',
  'keys.removed',
  'keys.replaced',
  'keys.rewrapped',
  /** The key that seals events was lost. Nobody can verify the seals from before. */
  'seals.begun_anew',
  'store.restored',
] as const

/** The type of an event, such as `login.failed`. */
export type EventType = (typeof eventTypes)[number]

/** Failed tries: their details have an address, which is shortened later (decision 85). */
export const failedTries = [
  'login.failed',
  'login.second_factor_failed',
  'login.throttled',
] as const satisfies readonly EventType[]

/** An event as it is kept: written in the same transaction as what it tells of. */
export interface Event {
  readonly id: EventId
  /** Unix seconds. */
  readonly at: number
  readonly type: EventType
  readonly clientId: ClientId | null
  readonly ownerId: OwnerId | null
  readonly authorizationId: AuthorizationId | null
  /** The request it happened in, as in the log; null for the command line. */
  readonly requestId: string | null
  /** The actor; null for an event of a version without actors. */
  readonly actor: Actor | null
  /** Further public facts; never a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>
}

/** How far a reader of events has come (decision 0074), in the form of a position. */
export const isEventPosition = (text: string): boolean => /^\d{1,15}(\.\d{1,15})*$/.test(text)
