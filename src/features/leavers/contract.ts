/** What the check of a directory asks of the store. */
import type { UpstreamAccount } from '../../model/factor.ts'
import type { OwnerId } from '../../model/ids.ts'
import type { Page, Trace } from '../../store/contract/trace.ts'

/** An owner with a linked account in a directory. */
export interface LinkedPerson extends UpstreamAccount {
  readonly ownerId: OwnerId
  /** Unix seconds when the directory disabled the owner, and no operator since; null for an enabled owner. */
  readonly disabledAt: number | null
}

/** How many a directory may disable of its people. */
export interface LeaverBound {
  readonly most: number
  /** Unix seconds. Owners disabled since then count, also if enabled again. */
  readonly since: number
}

/** The outcome of disabling an owner. */
export type LeaverOutcome =
  | 'disabled'
  /** The directory has disabled as many as it may. */
  | 'held'
  /** Nobody else could operate the service. */
  | 'last_operator'
  /** The owner is gone, disabled, not linked to this account, or kept by a client. */
  | 'changed_meanwhile'

/** What is known of the people of a directory. */
export interface DirectoryCheck {
  readonly upstream: string
  /** People whom the latest check did not find, and did not disable. */
  readonly missing: number
  /** Unix seconds when a check began that decided about everybody; before that, of the first check. */
  readonly checkedAt: number
}

/** People whom a directory would have disabled, or does not tell of. */
export interface MissingPeople {
  readonly upstream: string
  /** People whom the latest check left enabled. */
  readonly count: number
  /** Whole hours since a check has decided about everybody. */
  readonly hours: number
}

/** Steps of the checks of directories. */
export interface LeaverSteps {
  /**
   * Whether the check of an upstream is due. Of several nodes, one is told so. The node of a long check claims it again
   * before it is due for others.
   *
   * @param at unix seconds
   */
  claimDirectoryCheck(upstream: string, everySeconds: number, at: number): Promise<boolean>
  /**
   * Owners in the order of their subjects: enabled, or disabled by this directory. Without the owners of clients
   * (`isKeptOwner`).
   */
  listLinkedPeople(
    directory: Pick<UpstreamAccount, 'upstream' | 'issuer'>,
    after: string | null,
    limit: number,
  ): Promise<Page<LinkedPerson>>
  /** Disables the owner of an account as an operator does. Writes `owner.changed` with the upstream. */
  disableLeaver(person: LinkedPerson, bound: LeaverBound, trace: Trace): Promise<LeaverOutcome>
  /** Enables an owner whom this directory has disabled, and no operator since. */
  enableReturner(person: LinkedPerson, trace: Trace): Promise<boolean>
  /** Notes the result of a check. @param checkedAt null where it did not decide about everybody */
  noteDirectoryCheck(
    check: Omit<DirectoryCheck, 'checkedAt'> & { readonly checkedAt: number | null },
  ): Promise<unknown>
  /** @param since unix seconds of the beginning of a check */
  listDirectoryChecks(since: number): Promise<readonly DirectoryCheck[]>
  /** The upstream that has disabled an owner, and no operator since; null for none. */
  findDisabler(ownerId: OwnerId): Promise<string | null>
}
