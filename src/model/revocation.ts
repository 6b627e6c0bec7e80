/**
 * Revocations: changes by which tokens end or allow less. APIs that verify JWTs by themselves learn of
 * them from a feed.
 */
import type { Permissions } from './resource.ts'
import { isScopeWord } from './scope-word.ts'

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

/** The resources of some permissions: `photos` of `photos:read`. Words are of none. */
export const listResourceNames = (permissions: Permissions): readonly string[] =>
  permissions
    .filter((name) => !isScopeWord(name))
    .map((name) => name.slice(0, name.lastIndexOf(':')))

/**
 * Whether a revocation concerns the API of some resources. Unknown permissions concern every API. So does an
 * unknown resource, since another node may just have added it.
 */
export const isConcerned = (
  { permissions }: Pick<Revocation, 'permissions'>,
  own: readonly string[],
  isKnown: (name: string) => boolean,
): boolean =>
  permissions === null ||
  listResourceNames(permissions).some((name) => own.includes(name) || !isKnown(name))
