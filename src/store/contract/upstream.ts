/** The contract about links to accounts at upstreams. */

import type { UpstreamAccount, UpstreamLink } from '../../model/factor.ts'
import type { OwnerId } from '../../model/ids.ts'
import type { Owner } from '../../model/owner.ts'
import type { ByOwner, Ceremony } from './factor.ts'
import type { Trace } from './trace.ts'

/** The outcome of linking an account. */
export type UpstreamLinked =
  | 'linked'
  /** The account is linked already, perhaps to this very owner. */
  | 'taken'
  /** The owner has another account of this upstream. */
  | 'full'
  /** The ceremony was finished before. */
  | 'used'
  /** The session has ended. */
  | 'refused'

/** Steps on links to accounts at upstreams. */
export interface UpstreamSteps {
  /** The owner of an account, who is not disabled. */
  findUpstreamOwner(account: UpstreamAccount): Promise<Owner | null>
  /** The oldest first. */
  listUpstreamLinks(ownerId: OwnerId): Promise<readonly UpstreamLink[]>
  /** Links an account to the owner of a session; writes `upstream.linked`. */
  linkUpstream(
    link: UpstreamLink,
    ceremony: Ceremony,
    by: ByOwner,
    trace: Trace,
  ): Promise<UpstreamLinked>
  /**
   * Writes `upstream.unlinked`. `last`: the owner could not log in any more. That needs a password, a
   * passkey, or a link to one of the upstreams in `ways`.
   */
  unlinkUpstream(
    upstream: string,
    ways: readonly string[],
    by: ByOwner,
    trace: Trace,
  ): Promise<'unlinked' | 'unknown' | 'last' | 'refused'>
  /**
   * A new owner with a link. `taken`: somebody has the username. `address_taken`: another owner has
   * confirmed the address, and nothing is used up. Writes `owner.created`.
   */
  createLinkedOwner(
    owner: Owner,
    link: UpstreamLink,
    ceremony: Ceremony,
    trace: Trace,
  ): Promise<'created' | 'taken' | 'address_taken' | 'linked' | 'used'>
}
