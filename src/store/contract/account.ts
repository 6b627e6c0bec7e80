/** The contract about accounts: what owners change themselves, and how they leave. */
import type { OwnerId } from '../../model/ids.ts'
import type { Owner } from '../../model/owner.ts'
import type { ByOwner } from './factor.ts'
import type { CheckedRoles, Trace } from './trace.ts'

/** The part of an owner that the profile page changes. */
export type Profile = Pick<Owner, 'name' | 'claims' | 'pages'>

/** Steps of owners on their accounts. */
export interface AccountSteps {
  /**
   * Changes the profile, if it is still as the page was made from, and the session lives. Writes
   * `owner.profile_changed` with the names of the changed members.
   */
  changeProfile(
    by: ByOwner,
    before: Profile,
    after: Profile,
    changed: string,
    trace: Trace,
  ): Promise<boolean>
  /**
   * Ends all sessions and accesses of the owner at once, and sets the time of the deletion. Until then
   * the owner can log in, and approve nothing. Writes `owner.deletion_requested`.
   */
  requestDeletion(by: ByOwner, deletionAt: number, trace: Trace): Promise<boolean>
  /**
   * Ends all sessions and accesses of an owner at once. Writes `owner.access_ended`. False where there
   * is no such owner.
   */
  endAccessOf(ownerId: OwnerId, trace: Trace, checked?: CheckedRoles): Promise<boolean>
  /** Writes `owner.deletion_undone`. False where nothing is left to undo. */
  undoDeletion(by: ByOwner, trace: Trace): Promise<boolean>
  /** Owners whose deletion is due, the earliest first. */
  listDueOwners(now: number, limit: number): Promise<readonly OwnerId[]>
  /** As `deleteOwner`, if the deletion is still due: the owner may have undone it. */
  deleteDueOwner(id: OwnerId, trace: Trace): Promise<boolean>
}
