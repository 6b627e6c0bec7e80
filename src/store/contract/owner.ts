/** The contract about owners, their accounts and login sessions, and guessing at their passwords. */
import type { WayIn } from '../../model/factor.ts'
import type { OwnerId, SessionHandle, SessionId } from '../../model/ids.ts'
import type { Owner, OwnerChange } from '../../model/owner.ts'
import type { Session } from '../../model/session.ts'
import type { ByOwner, Ceremony, Login, LoginConfirmation, LoginOutcome } from './factor.ts'
import type { CheckedRoles, FoundPage, Page, Trace, WordsDue } from './trace.ts'

/** Whether an attempt may be made now. */
export type AdmittedAttempt =
  /** `begun`: the waits that this try sets, unless it is right. */
  | { readonly outcome: 'admitted'; readonly begun: readonly BegunWait[] }
  /** `keys` are those that have to wait, the longest of them so many seconds. */
  | { readonly outcome: 'wait'; readonly seconds: number; readonly keys: readonly string[] }

/** A wait that a try has set. */
export interface BegunWait {
  readonly key: string
  readonly seconds: number
}

/** A wait that somebody's further tries meet. */
export interface KeptWait {
  readonly key: string
  /** Unix seconds. */
  readonly until: number
}

/** How guessing is slowed. */
export interface AttemptRule {
  readonly freeTries: number
  readonly longestWaitSeconds: number
  /** The counter starts anew so long after its first or its last try. */
  readonly forgetSeconds: number
  readonly forgetAfter: 'first try' | 'last try'
  /** Every wait is the longest one: for a quota. Without it, waits begin at a second and double. */
  readonly isQuota?: true
}

/** What an attempt is counted by. */
export interface AttemptCounter {
  readonly key: string
  readonly rule: AttemptRule
  /** The one owner it is about. Absent: others share the counter, or nobody is known. */
  readonly ownerId?: OwnerId
}

/** A link (`owners/links.ts`) that a step uses up, and the state of its account when it was made. */
export interface UsedLink {
  readonly link: Ceremony
  readonly email: string
  readonly passwordHash: string
  readonly roles: CheckedRoles
  /** Its use proves the address of its mail; '' for a link of the operator's hand. */
  readonly proves: string
}

/** What an owner brings from another server. */
export interface BroughtAlong {
  /** Names of groups. */
  readonly groups: readonly string[]
  /** The wrapped secret of one-time codes, or null. */
  readonly codes: string | null
}

/** A disabled owner may be leaving too. */
export const ownerStates = ['enabled', 'disabled', 'leaving'] as const

/** Owners that fit all of it. */
export interface OwnerFilter {
  /**
   * Each word (`listWords`) is the beginning of a word of the username, the address or the name. A
   * search without a word finds nobody.
   */
  readonly search?: string
  /** A role, or `any`. */
  readonly role?: string
  readonly state?: (typeof ownerStates)[number]
  /** The last login: not before this time. Unix seconds. */
  readonly loginSince?: number
  /** The last login: before this time, or none. Nobody whose last login is unknown. */
  readonly loginBefore?: number
}

/** The outcome of giving roles. */
export type RolesGiven =
  | { readonly outcome: 'given'; readonly owner: Owner }
  /** Others may have set these ways to log in, and nobody said which of them to keep. */
  | { readonly outcome: 'asks'; readonly ways: readonly WayIn[] }
  /** Another owner has confirmed the address. */
  | { readonly outcome: 'address_taken' }
  | { readonly outcome: 'gone' }

/** Steps on owners. */
export interface OwnerSteps {
  findOwner(id: OwnerId, also?: 'disabled'): Promise<Owner | null>
  /** By any spelling of the username (`usernameKey`). */
  findOwnerByName(username: string, also?: 'disabled'): Promise<Owner | null>
  /**
   * The enabled owner with a password who proved this email address, by any spelling of it
   * (`usernameKey`). An address has to be ASCII.
   */
  findOwnerByEmail(email: string): Promise<Owner | null>
  listOwners(after: string | null, limit: number): Promise<Page<Owner>>
  /**
   * Whose username or address is the search comes first. Then the rarest part of the filter leads. The order is `usernameKey`, within the found word
   * or the last login if one of these leads. A page examines a limited number of owners,
   * so it may be short or empty and have a next one. `after`: the `next` of the page before.
   */
  listOwnersBy(filter: OwnerFilter, after: string | null, limit: number): Promise<FoundPage<Owner>>
  /**
   * Keeps the words and last logins of owners whom an older version made, in the order of ids. Says
   * of how many.
   */
  noteOwnerWords(due: WordsDue): Promise<number>
  /** The kinds (`getHashKind`) of all imported password hashes, each once. */
  listPasswordKinds(): Promise<readonly string[]>
  /**
   * `taken`: by the username, the id, or the confirmed address. A username must not be the confirmed address
   * of another owner, who logs in by it.
   *
   * @param secret `given`: others know the password or the second factor. The event tells so
   */
  createOwner(owner: Owner, trace: Trace, secret?: 'given'): Promise<'created' | 'taken'>
  /** The same with groups and a second factor, or nothing of it. Each of the groups has to be there. */
  importOwner(
    owner: Owner,
    brought: BroughtAlong,
    trace: Trace,
  ): Promise<'created' | 'taken' | 'unknown_group'>
  /** Disabling ends all sessions. `address_taken`: another owner has confirmed the address. */
  changeOwner(
    id: OwnerId,
    change: OwnerChange,
    trace: Trace,
    checked?: CheckedRoles,
  ): Promise<Owner | 'address_taken' | null>
  /** Ways to log in that others than the owner, and this operator (`getOperatorKey`), may have set. */
  listWaysOfOthers(id: OwnerId, operator: string): Promise<readonly WayIn[]>
  /**
   * The same as `changeOwner`. Roles with more of the console end all sessions, and drop waiting mails. Ways of others go, but for those to keep; null: it asks, and nothing is written.
   */
  giveRoles(
    id: OwnerId,
    change: OwnerChange & { readonly roles: readonly string[] },
    keep: readonly string[] | null,
    trace: Trace,
  ): Promise<RolesGiven>
  /**
   * Ends all sessions of the owner, and by the new salt all seals under the owner's authorizations;
   * these stay. `by`: the owner does it, in a session or by a link; null = the operator. The session
   * stays and has to live, and the checked password has to be the present one. A link is used up, and
   * has to be of the present state. One that was mailed to the present address confirms it, unless
   * another owner has confirmed it. Writes `owner.password_changed`.
   */
  changePassword(
    id: OwnerId,
    password: { readonly hash: string; readonly salt: string },
    by: { readonly session: SessionId; readonly passwordHash: string } | UsedLink | null,
    trace: Trace,
    checked?: CheckedRoles,
  ): Promise<Owner | null>
  /**
   * The owner proved an email address by a link, which is used up. A username that is the address from
   * before follows. Null where the link is used, or of another state. `address_taken`: another owner
   * has confirmed it, or has the name that would follow. Then nothing is used up.
   */
  confirmEmail(
    id: OwnerId,
    email: string,
    by: UsedLink,
    trace: Trace,
  ): Promise<Owner | 'address_taken' | null>
  /**
   * Creates the owner that a link invites anybody with its address to be, and uses the link up.
   * `address_taken`: another owner has confirmed it, and nothing is used up.
   */
  signUp(
    owner: Owner,
    link: Ceremony,
    trace: Trace,
  ): Promise<'created' | 'taken' | 'address_taken' | 'used'>
  /**
   * Replaces the hash of the same password. Sessions and seals stay. Null where another hash is in
   * force by now, or the owner is gone or disabled.
   */
  rehashPassword(
    id: OwnerId,
    hash: { readonly former: string; readonly next: string },
    trace: Trace,
  ): Promise<Owner | null>
  /** The same with the sessions of an owner; username, address and links are free at once. */
  deleteOwner(id: OwnerId, trace: Trace, checked?: CheckedRoles): Promise<boolean>
}

/** Steps on login sessions. */
export interface SessionSteps {
  /** The live session together with its owner, who is not disabled. */
  findSession(id: SessionId, now: number): Promise<{ session: Session; owner: Owner } | null>
  /**
   * Logs in, and uses up the factor beside or instead of the password. `replaces`: the same step
   * ends the earlier session of this browser. Writes `login.succeeded` as an act of the owner; a
   * refusal, as an act of the actor in `trace`. `browser`: the event says that it was new.
   */
  startSession(
    session: Session,
    login: Login,
    replaces: SessionId | null,
    trace: Trace,
    browser?: 'known' | 'new',
  ): Promise<LoginOutcome>
  /**
   * The owner of a session proves once more to be there: by the password, a passkey, or a linked
   * account at an upstream, each alone. Where `needsStrongProof`, only by a passkey.
   */
  confirmSession(by: ByOwner, login: LoginConfirmation, trace: Trace): Promise<LoginOutcome>
  /** Notes a request of the session, at most once an hour (`accountLimits.seenSeconds`). */
  noteSession(id: SessionId, at: number): Promise<void>
  endSession(id: SessionId, trace: Trace): Promise<boolean>
  /** The live ones, newest first; `before` is the handle of the last one of the page before. */
  listSessions(
    ownerId: OwnerId,
    before: SessionHandle | null,
    limit: number,
    now: number,
  ): Promise<Page<Session>>
  /**
   * Ends one of this owner's sessions, with the approvals for its visit; writes `session.ended`.
   */
  endSessionOf(ownerId: OwnerId, handle: SessionHandle, trace: Trace): Promise<boolean>
  /** All of the owner but one; tells `session.ended` where there was any. @returns how many */
  endOtherSessions(
    ownerId: OwnerId,
    keep: SessionId,
    trace: Trace,
    checked?: CheckedRoles,
  ): Promise<number>
}

/** Counters that slow down guessing. */
export interface GuessingSteps {
  /**
   * Counts one attempt in every counter, before it is made, unless one of them has to wait: then
   * nothing is written.
   */
  admitAttempt(counters: readonly AttemptCounter[], trace: Trace): Promise<AdmittedAttempt>
  /** The attempt was right: `forget` start anew, `giveBack` get their one attempt back. */
  clearAttempts(
    forget: readonly AttemptCounter[],
    giveBack: readonly AttemptCounter[],
    trace: Trace,
  ): Promise<void>
  /** The waits of this owner's own counters, the longest first. */
  listWaits(ownerId: OwnerId, now: number): Promise<readonly KeptWait[]>
  /** Owners with such a wait. */
  countWaitingOwners(now: number): Promise<number>
  /**
   * Forgets all tries of this owner's own counters, and of the given ones. Writes `owner.unlocked` where one
   * of them had to wait, with their number. False where there is no such owner.
   */
  endWaits(
    ownerId: OwnerId,
    also: readonly AttemptCounter[],
    trace: Trace,
    checked?: CheckedRoles,
  ): Promise<boolean>
}

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
  /** Ends all sessions and accesses of an owner. Writes `owner.access_ended`. False without such an owner. */
  endAccessOf(ownerId: OwnerId, trace: Trace, checked?: CheckedRoles): Promise<boolean>
  /** Writes `owner.deletion_undone`. False where nothing is left to undo. */
  undoDeletion(by: ByOwner, trace: Trace): Promise<boolean>
  /** Owners whose deletion is due, the earliest first. */
  listDueOwners(now: number, limit: number): Promise<readonly OwnerId[]>
  /** As `deleteOwner`, if the deletion is still due: the owner may have undone it. */
  deleteDueOwner(id: OwnerId, trace: Trace): Promise<boolean>
}
