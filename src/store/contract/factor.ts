/** The contract about ways to log in: second factors, and links to accounts at upstreams. */
import type {
  Factors,
  NewUpstreamLink,
  Passkey,
  UpstreamAccount,
  UpstreamLink,
} from '../../model/factor.ts'
import type { Digest, EventId, OwnerId, PasskeyId, SessionId } from '../../model/ids.ts'
import type { Owner } from '../../model/owner.ts'
import type { CheckedRoles, Trace } from './trace.ts'

/** A ceremony that was begun in a browser: finishing it inserts its id, so that it is finished once. */
export interface Ceremony {
  readonly id: string
  /** Unix seconds after which nobody accepts it anyway. */
  readonly expiresAt: number
}

/** The digest of a `jti` and its sender, for an assertion or a proof, which count once each. */
export interface UsedId extends Ceremony {
  /** Unix seconds: nobody can have used it before. Null where its sender does not say; then it is a row. */
  readonly madeAt: number | null
}

/** `unsure`: after a crash or a restore nobody knows. */
export type IdClaim = 'first' | 'again' | 'unsure'

/** A passkey whose signature over the id of a ceremony was verified. */
export interface UsedPasskey extends Pick<Passkey, 'id' | 'counter' | 'backedUp'> {
  readonly kind: 'passkey'
  readonly ceremony: Ceremony
}

/** A factor that was shown, right as far as can be seen without the store. */
export type UsedFactor =
  | UsedPasskey
  /** A code was right for this time step. */
  | { readonly kind: 'one-time code'; readonly step: number; readonly ceremony: Ceremony }
  /** `eventId`: `recovery_code.used` is told beside what the step tells of itself. */
  | {
      readonly kind: 'recovery code'
      readonly code: Digest
      readonly eventId: EventId
      readonly ceremony: Ceremony
    }

/**
 * The credentials of a login: a passkey; or a second factor beside one of two others. These are the
 * password, named by the hash it was checked with, and a linked account at an upstream. Either of
 * them alone suffices only for an owner without further requirements.
 */
export type Login =
  | { readonly passwordHash: string; readonly factor?: UsedFactor }
  | { readonly passkey: UsedPasskey }
  | {
      readonly upstream: UpstreamAccount
      /** The trip to the upstream. */
      readonly ceremony: Ceremony
      /** A trusted upstream has asked for two factors, so nothing more is required. */
      readonly isStrong: boolean
      readonly factor?: UsedFactor
    }

/** What confirms a session. */
export type LoginConfirmation =
  | { readonly passwordHash: string }
  | { readonly passkey: UsedPasskey }
  | {
      readonly upstream: UpstreamAccount
      /** The trip to the upstream. */
      readonly ceremony: Ceremony
    }

/** The outcome of a login. */
export type LoginOutcome =
  | 'accepted'
  /** The owner is gone or disabled, has another password, or more factors or fewer than were shown. */
  | 'refused'
  /** The code was used before, or is none. */
  | 'used'
  /** The ceremony was finished before, with whatever was shown then. */
  | 'finished'
  /** The counter of the passkey did not grow: there may be two of it. Tells `passkey.counter_regressed`. */
  | 'regressed'

/** Who changes factors: the session has to live. */
export interface ByOwner {
  readonly ownerId: OwnerId
  readonly session: SessionId
}

/** `used`: the ceremony was finished before; `refused`: the session has ended. */
export type FactorAdded = 'added' | 'used' | 'refused'

/**
 * Steps on second factors. After a factor or a linked account went, no login of its owner counts as confirmed.
 * The command line of its owner has ended by then, too. The login in use stays confirmed for an owner
 * without a role.
 */
export interface FactorSteps {
  findFactors(ownerId: OwnerId): Promise<Factors>
  /** With its owner, who is not disabled. */
  findPasskey(id: PasskeyId): Promise<{ readonly passkey: Passkey; readonly owner: Owner } | null>
  listRecoveryCodes(ownerId: OwnerId): Promise<readonly Digest[]>
  isFinished(ceremonyId: string): Promise<boolean>
  /** For one that nothing else comes of in the store. False where it was finished before. */
  finishCeremony(ceremony: Ceremony): Promise<boolean>
  /** `taken`: there is a passkey with this id; `full`: the owner has as many as there may be. */
  addPasskey(
    passkey: Passkey,
    mostPasskeys: number,
    ceremony: Ceremony,
    by: ByOwner,
    trace: Trace,
  ): Promise<FactorAdded | 'taken' | 'full'>
  /** `last`: the owner could not log in any more (see `unlinkUpstream`). */
  removePasskey(
    id: PasskeyId,
    ways: readonly string[],
    by: ByOwner,
    trace: Trace,
  ): Promise<'removed' | 'unknown' | 'last' | 'refused'>
  /**
   * Whether the password needs a passkey beside it. `unready`: the owner has no passkey or no recovery
   * codes. The choice ends with the last passkey.
   */
  setPasskeyOnly(isOn: boolean, by: ByOwner, trace: Trace): Promise<'set' | 'unready' | 'refused'>
  /** Sets up one-time codes, in place of those before. `lastStep`: of the code that confirmed them. */
  setOneTimeCodes(
    codes: { readonly secret: string; readonly lastStep: number },
    ceremony: Ceremony,
    by: ByOwner,
    trace: Trace,
  ): Promise<FactorAdded>
  removeOneTimeCodes(by: ByOwner, trace: Trace): Promise<boolean>
  /** Replaces the earlier ones; refused without another factor to stand in for. */
  setRecoveryCodes(
    codes: readonly Digest[],
    ceremony: Ceremony,
    by: ByOwner,
    trace: Trace,
  ): Promise<FactorAdded>
  /** The operator takes all of them away. False where there are none. */
  resetFactors(ownerId: OwnerId, trace: Trace, checked?: CheckedRoles): Promise<boolean>
}

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
    link: NewUpstreamLink,
    ceremony: Ceremony,
    by: ByOwner,
    trace: Trace,
  ): Promise<UpstreamLinked>
  /**
   * Links an account to the one enabled owner who has confirmed an address. An address has to be ASCII. Null without
   * such an owner, for one with a role of the console, and for one with another account of this upstream. Writes
   * `upstream.linked`.
   *
   * @param link its owner is not read
   */
  linkByAddress(link: NewUpstreamLink, email: string, trace: Trace): Promise<Owner | null>
  /** An operator links an account; writes `upstream.linked`. @param checked the roles of the owner */
  linkByOperator(
    link: NewUpstreamLink,
    checked: CheckedRoles,
    trace: Trace,
  ): Promise<Exclude<UpstreamLinked, 'used'>>
  /**
   * Writes `upstream.unlinked`. Groups and roles that the upstream gave go. `last`: the owner could not log in any more. That needs a password, a
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
    link: NewUpstreamLink,
    ceremony: Ceremony,
    trace: Trace,
  ): Promise<'created' | 'taken' | 'address_taken' | 'linked' | 'used'>
  /**
   * The roles of an owner by an upstream, in place of the earlier ones by it. Roles of others stay. A role
   * of the console needs a link made by the owner in a session, or made with the account. Without a link there are none. A role with more of the console ends the other sessions and drops
   * ways of others, as `giveRoles` does; the link to this upstream stays. False where there is no such owner.
   *
   * @param keep the session of this login
   */
  setUpstreamRoles(
    ownerId: OwnerId,
    upstream: string,
    roles: readonly string[],
    keep: SessionId | null,
    trace: Trace,
  ): Promise<boolean>
}
