/** Upstreams: other services that log people in here. */

import type { OwnerId } from './ids.ts'

/** An account at an upstream. */
export interface UpstreamAccount {
  /** The id of the upstream in the settings. */
  readonly upstream: string
  /** Who vouches for the subject. An id that is given to another provider opens no account. */
  readonly issuer: string
  /** What the issuer calls the account, for good. */
  readonly subject: string
}

/** A link between an owner and an account: it opens the owner's account. */
export interface UpstreamLink extends UpstreamAccount {
  readonly ownerId: OwnerId
  /** What its owner knows it by, such as an email address: shown, and never compared. */
  readonly label: string
  readonly createdAt: number
  /** Null = never. */
  readonly lastUsedAt: number | null
}
