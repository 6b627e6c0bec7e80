/**
 * The store contract. One method is one protocol step: atomic, and answered only after it is
 * durable. Expected outcomes are unions, never exceptions; an exception means that the state is
 * unknown, and whoever asked must refuse. Nothing secret comes in, only ids and digests.
 *
 * A `find` does not see rows that are expired, ended, disabled or deleted. Expiry is part of each
 * read, and purging is only housekeeping. A `list` shows disabled rows, too. So does a `find` with
 * that option, since the operator must be able to enable them again.
 *
 * What a store throws is a `StoreFault` (`fault.ts`).
 */

import type { FeatureSteps } from '../features/contract.ts'
import type { AuthorizationId } from '../model/ids.ts'
import type { AuthorizationSteps } from './contract/authorization.ts'
import type { ClientSteps } from './contract/client.ts'
import type { CountSteps, EventSteps, RefusalSteps, UseSteps } from './contract/event.ts'
import type { FactorSteps, IdClaim, UpstreamSteps, UsedId } from './contract/factor.ts'
import type { FamilySteps, RevocationSteps } from './contract/family.ts'
import type { GroupSteps } from './contract/group.ts'
import type { KeySteps } from './contract/key.ts'
import type { AccountSteps, GuessingSteps, OwnerSteps, SessionSteps } from './contract/owner.ts'
import type { PictureSteps } from './contract/picture.ts'
import type { LogoutSteps, MailSteps, WebhookSteps } from './contract/queue.ts'
import type { ItemSteps, ResourceSteps } from './contract/resource.ts'
import type { SealSteps } from './contract/seal.ts'
import type { Trace } from './contract/trace.ts'

export type * from '../features/contract.ts'
export type * from './contract/authorization.ts'
export type * from './contract/client.ts'
export type * from './contract/event.ts'
export type * from './contract/factor.ts'
export type * from './contract/family.ts'
export type * from './contract/group.ts'
export type * from './contract/key.ts'
export type * from './contract/owner.ts'
export type * from './contract/picture.ts'
export type * from './contract/polled.ts'
export type * from './contract/queue.ts'
export type * from './contract/resource.ts'
export type * from './contract/seal.ts'
export type * from './contract/trace.ts'

/**
 * `demo`: the issuer of the demo that this store was once seeded with. `root secret`: a value that only
 * the root secret in force opens. `one-time codes`: their secrets are wrapped under that. `shard secret`: what
 * hides the shard keys in ids. `used ids`: the second until which they may be in memory alone.
 */
export type FactId =
  | 'demo'
  | 'root secret'
  | 'one-time codes'
  | 'client secrets'
  | 'stream credentials'
  | 'pairwise secret'
  | 'event seals'
  | 'shard secret'
  | 'used ids'

/** Steps on single facts about the whole store. */
export interface FactSteps {
  /** Null where it was never set. */
  findFact(id: FactId): Promise<string | null>
  /** Sets a fact that says `from` until now (null = is not there); false where it says something else. */
  setFact(id: FactId, from: string | null, to: string): Promise<boolean>
}

/** Rows that outlive their client or owner for a while. */
export interface RemovalSteps {
  /**
   * Removes so many rows, at most, of a deleted client or owner; the row itself goes last. Says how
   * many went: none where nothing is left.
   */
  removeDeleted(mostRows: number, trace: Trace): Promise<number>
}

/** What is older goes; unix seconds. */
export interface Retention {
  readonly events: number
  /** A day of the access log goes whole, once it has ended by then. */
  readonly accessLog: number
}

/** The state of the store at this moment. */
export interface StoreGauges {
  /** The size of the database; null where it does not say. */
  readonly bytes: number | null
  /** Clients that registered themselves and may be deleted while unused. */
  readonly selfRegistered: number
  /** Steps that wait for a place in a batch of this node. */
  readonly stepsWaiting: number
  /** The connections of this node; null where the database is a file. */
  readonly pool: {
    readonly connections: number
    /** Connections that run steps just now. */
    readonly stepsBusy: number
    /** Reads without an answer so far. */
    readonly readsOpen: number
  } | null
}

interface StoreMachines {
  /** The number of the machine with the rows of an authorization; null where it is unknown. */
  locate(id: AuthorizationId): number | null
}

/** The machines of a store over many, as the last look found them. */
export interface SeenWorkers {
  readonly workers: readonly {
    readonly id: number
    /** Host and port, for operators only. */
    readonly name: string
    /** Shards with rows of owners on it. */
    readonly shards: number
    /** By the coordinator. */
    readonly isReachable: boolean
  }[]
  /** Shards with rows of owners on all machines. */
  readonly shards: number
  /** The reason, where events still wait at the machines. For operators only. */
  readonly eventsWait?: string
}

/** Nothing of this but `purge` invalidates what a cache holds. */
interface Housekeeping {
  /** False where a `find`, `list`, `count` or `is` answers at once, without waiting for others. */
  readonly readsWait: boolean
  /** True where one process alone has the store: its memory may know used ids. */
  readonly isAlone?: true
  /** Uses an id up, once for all processes and restarts. @param at unix seconds, when the request came */
  claimId(used: UsedId, at: number): Promise<IdClaim>
  /** Unix seconds: who made an id by then is refused, as nobody knows whether it was used; 0: nobody is. @param at now */
  findUnsureUntil(at: number): Promise<number>
  /** True on a store that holds neither clients nor owners. */
  isEmpty(): Promise<boolean>
  /** The machines with rows of owners; null: there is one alone. Work for one waits for no other one. */
  readonly machines: StoreMachines | null
  /** Resolves once a write would be durable; throws where it would not. */
  ping(): Promise<void>
  /** Null before the first look. Absent on one machine. */
  findWorkers?(): Promise<SeenWorkers | null>
  /** What the log says once of how the store was opened. */
  readonly notes?: readonly string[]
  /** Notes a time (unix seconds), unless a later one is known; answers the latest of all nodes. */
  noteTime(at: number): Promise<number>
  /** What monitoring wants to know of the store. */
  gauges(): Promise<StoreGauges>
  /** The latest time that any node has noted; null before the first service. */
  latestTime(): Promise<number | null>
  /** Takes one small step through what has expired or is older than it is kept; says how many rows went. */
  purge(now: number, before: Retention, mostRows: number): Promise<number>
  close(): Promise<void>
}

/** The records of the store: a `find`, `list`, `count` or `is` reads, and every other method is a step. */
export interface StoreRecords
  extends ClientSteps,
    OwnerSteps,
    GroupSteps,
    AccountSteps,
    PictureSteps,
    SessionSteps,
    LogoutSteps,
    GuessingSteps,
    FactorSteps,
    MailSteps,
    UpstreamSteps,
    AuthorizationSteps,
    UseSteps,
    FamilySteps,
    ItemSteps,
    RemovalSteps,
    KeySteps,
    ResourceSteps,
    FactSteps,
    EventSteps,
    SealSteps,
    CountSteps,
    WebhookSteps,
    RevocationSteps,
    RefusalSteps,
    FeatureSteps {}

/** The contract of a store: every step. */
export interface Store extends StoreRecords, Housekeeping {}
