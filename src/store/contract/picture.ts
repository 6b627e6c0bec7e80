/** The contract about pictures of owners. */
import type { UpstreamAccount } from '../../model/factor.ts'
import type { OwnerPicture } from '../../model/picture.ts'
import type { ByOwner } from './factor.ts'
import type { Trace } from './trace.ts'

/** Steps on pictures of owners. */
export interface PictureSteps {
  /** By its random name; null for a name that another upload has replaced. */
  findOwnerPicture(name: string): Promise<OwnerPicture | null>
  /**
   * Sets, replaces or removes the one picture of an owner, if the session lives. Writes
   * `owner.profile_changed`.
   *
   * @param picture null: none
   * @returns false where the session has ended, or the owner is being deleted
   */
  setOwnerPicture(
    by: ByOwner,
    picture: Omit<OwnerPicture, 'ownerId'> | null,
    trace: Trace,
  ): Promise<boolean>
  /**
   * Keeps a picture that an upstream tells of an owner, unless the owner chose one or none. Writes
   * `owner.profile_changed` with the upstream.
   *
   * @param source a digest of the URL that it was fetched from
   * @returns false where the owner chose, is disabled or being deleted, or unlinked the account
   */
  keepUpstreamPicture(
    account: UpstreamAccount,
    source: string,
    picture: OwnerPicture,
    trace: Trace,
  ): Promise<boolean>
}
