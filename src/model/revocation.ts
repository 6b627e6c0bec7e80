/**
 * Revocations: changes by which tokens end or allow less. APIs that verify JWTs by themselves learn of
 * them from a feed.
 */
import type { Permissions } from './resource.ts'

/** The tokens that a revocation is about: one, or all of a family, an authorization, a client, or the service. */
export type RevokedSubject = 'token' | 'family' | 'authorization' | 'client' | 'service'

/** One change, and the tokens that it is about. */
export interface Revocation {
  readonly id: string
  /** Unix seconds. Later tokens are not concerned. */
  readonly at: number
  /** Its place in the feed. */
  readonly position: number
  readonly subject: RevokedSubject
  /** `jti`, or an id; '' for all tokens of the service. */
  readonly subjectId: string
  /** Whether they have ended for good. Others may live on, with less. */
  readonly isFinal: boolean
  /** The permissions of the authorization until then; null where they are not known. */
  readonly permissions: Permissions | null
}

/** The end of the feed. */
export interface FeedHead {
  /** Names the feed. A restored store has another one. */
  readonly epoch: string
  readonly position: number
}
