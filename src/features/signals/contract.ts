/** What streams of signals ask of the store (Shared Signals Framework 1.0). */
import type { Authorization } from '../../model/authorization.ts'
import type { Event } from '../../model/event.ts'
import type { ClientId, OwnerId } from '../../model/ids.ts'
import type { Revocation } from '../../model/revocation.ts'
import type { Trace } from '../../store/contract/trace.ts'

/** A stream: an API hears by it of tokens that end, or allow less. */
export interface SignalStream {
  readonly id: string
  readonly clientId: ClientId
  /** Unix seconds. */
  readonly createdAt: number
  /** Of the receiver, for people. */
  readonly description: string
  /** Where sets are posted to (RFC 8935). Empty for a stream that is polled (RFC 8936). */
  readonly endpointUrl: string
  /** What is sent along, wrapped; null without one. */
  readonly credential: string | null
  /** URIs of events; null = all. */
  readonly requested: readonly string[] | null
  readonly status: 'enabled' | 'paused' | 'disabled'
  readonly reason: string
  /** The feed and the position that the receiver has taken all up to. */
  readonly epoch: string
  readonly position: number
  /** The ids of sets behind the position that the receiver has taken as well. */
  readonly taken: readonly string[]
  /** A verification that the receiver has not taken. */
  readonly verification: SignalVerification | null
  /** When the latest verification was asked for, in unix seconds. */
  readonly verifiedAt: number
  /** How long the receiver took for its latest revocation; null before the first. */
  readonly tookMilliseconds: number | null
  /** When the receiver last took a set, in unix seconds; null before the first. */
  readonly takenAt: number | null
  /** Failed posts since the last one that was taken. */
  readonly tries: number
  /** Nobody posts before this time, in unix seconds. */
  readonly dueAt: number
  /** Counts the changes. */
  readonly revision: number
}

/** A set that proves that a stream works (SSF 1.0 section 8.1.4). */
export interface SignalVerification {
  readonly id: string
  /** What the receiver wants to read again; null for nothing. */
  readonly state: string | null
}

/** What a receiver says of its stream. */
export type SignalStreamChange = Partial<
  Pick<
    SignalStream,
    'description' | 'endpointUrl' | 'credential' | 'requested' | 'status' | 'reason'
  > &
    SignalProgress
>

/** How far a stream is. */
export type SignalProgress = Partial<
  Pick<
    SignalStream,
    | 'epoch'
    | 'position'
    | 'taken'
    | 'verification'
    | 'verifiedAt'
    | 'tookMilliseconds'
    | 'takenAt'
    | 'tries'
    | 'dueAt'
  >
>

/** What is known of a revocation, besides. */
export interface SignalFacts {
  readonly id: Revocation['id']
  /** The event of the same step; null where there is none, or no more. */
  readonly event: Event | null
  readonly clientId: ClientId | null
  readonly ownerId: OwnerId | null
  /** The authorization by now; null for a revocation about none, or about one that is gone. */
  readonly allowed: Pick<Authorization, 'permissions' | 'details'> | null
  /** Whether it is a delegation (RFC 8693): a client above may have a pairwise subject. */
  readonly isDelegation: boolean
}

/** Steps on streams. */
export interface SignalSteps {
  findSignalStream(id: string): Promise<SignalStream | null>
  /** The oldest first. @param clientId null: of all clients */
  listSignalStreams(clientId: ClientId | null): Promise<readonly SignalStream[]>
  /** False where the client has so many already. Writes `stream.created`. */
  createSignalStream(stream: SignalStream, most: number, trace: Trace): Promise<boolean>
  /**
   * Null where the client has no such stream. Writes `stream.changed`.
   *
   * @param revision the one to be changed; null for any
   */
  changeSignalStream(
    of: Pick<SignalStream, 'id' | 'clientId'>,
    change: SignalStreamChange,
    revision: number | null,
    trace: Trace,
  ): Promise<SignalStream | null>
  /** False where anybody else has changed it since. */
  moveSignalStream(id: string, revision: number, progress: SignalProgress): Promise<boolean>
  /** Writes `stream.deleted`. */
  deleteSignalStream(of: Pick<SignalStream, 'id' | 'clientId'>, trace: Trace): Promise<boolean>
  /** Replaces credentials that are still as they were; answers how many. */
  rewrapSignalCredentials(
    changes: readonly { readonly id: string; readonly from: string; readonly secret: string }[],
  ): Promise<number>
  listSignalFacts(ids: readonly string[]): Promise<readonly SignalFacts[]>
}
