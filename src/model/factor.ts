/** What an owner logs in with beside the password, or instead of it. */
import type { OwnerId, PasskeyId } from './ids.ts'
import { findConsoleRole } from './owner.ts'
import type { AuthenticationContext } from './session.ts'

/** A passkey: a key pair in a device, of which the public half is kept here (WebAuthn level 3). */
export interface Passkey {
  /** The credential id, base64url, as the device chose it. */
  readonly id: PasskeyId
  readonly ownerId: OwnerId
  /** What its owner calls it. */
  readonly name: string
  /** A COSE key (RFC 9052), base64url. */
  readonly publicKey: string
  /** How often the device says that it signed; 0 for good where it does not count. */
  readonly counter: number
  /** How a browser may reach the device, in the words of WebAuthn. */
  readonly transports: readonly string[]
  /** Whether its key may be copied to other devices of the owner; never changes. */
  readonly backupEligible: boolean
  /** Whether such a copy existed when it was last used. */
  readonly backedUp: boolean
  /** Unix seconds. */
  readonly createdAt: number
  /** Null = never. */
  readonly lastUsedAt: number | null
}

/** One-time codes by the clock (RFC 6238), made by an application of the owner's. */
export interface OneTimeCodes {
  /** Wrapped under the root secret. */
  readonly secret: string
  /** The time step of the latest code that was used: no code of it or before it counts again. */
  readonly lastStep: number
  readonly createdAt: number
}

/** All that an owner has set up. */
export interface Factors {
  /** The oldest first. */
  readonly passkeys: readonly Passkey[]
  readonly oneTimeCodes: OneTimeCodes | null
  /** How many recovery codes are left. Recovery codes stand in for another factor, and are none by themselves. */
  readonly recoveryCodes: number
  /** The owner chose that the password alone does not log in, but needs a passkey beside it. */
  readonly passkeyOnly: boolean
  /** When the password before this one was in use, in unix seconds; null = there was none. */
  readonly formerPassword: { readonly from: number; readonly until: number } | null
}

/** Whether the password alone does not log in. */
export const needsSecondFactor = ({ passkeyOnly, oneTimeCodes }: Factors): boolean =>
  passkeyOnly || oneTimeCodes !== null

/**
 * Whether only a passkey or a new login confirms a login. A password alone is weaker than what these
 * owners logged in with.
 */
export const needsStrongProof = (
  owner: Parameters<typeof findConsoleRole>[0],
  { passkeyOnly }: Pick<Factors, 'passkeyOnly'>,
): boolean => passkeyOnly || findConsoleRole(owner) !== null

/** Whether there is a factor that recovery codes can stand in for. */
export const hasFactor = ({ passkeys, oneTimeCodes }: Factors): boolean =>
  passkeys.length > 0 || oneTimeCodes !== null

/** Of passkeys, or of links to upstreams: those that a stranger with the former password could have added. */
export const filterSuspect = <Added extends { readonly createdAt: number }>(
  added: readonly Added[],
  { formerPassword }: Pick<Factors, 'formerPassword'>,
): readonly Added[] =>
  formerPassword === null
    ? []
    : added.filter(
        ({ createdAt }) => createdAt >= formerPassword.from && createdAt <= formerPassword.until,
      )

/** The highest `acr` that the owner can log in with. */
export const getHighestContext = ({ passkeys, oneTimeCodes }: Factors): AuthenticationContext => {
  if (passkeys.length > 0) return 'phr'
  return oneTimeCodes === null ? '1' : '2'
}

/** A way to log in that somebody else than its owner may have set. */
export interface WayIn {
  /** Names this state of it: another password or address is another way. */
  readonly id: string
  readonly kind: 'passkey' | 'upstream' | 'password' | 'email'
  /** What its owner, or the settings, call it. That of an address is the address; '' for a password. */
  readonly name: string
  /** Since when it is there, in unix seconds. */
  readonly at: number
}

/** An account at an upstream: another service that logs people in here. */
export interface UpstreamAccount {
  /** The id of the upstream in the settings. */
  readonly upstream: string
  /** Who vouches for the subject. An id that is given to another provider opens no account. */
  readonly issuer: string
  /** What the issuer calls the account, for good. */
  readonly subject: string
}

/**
 * The maker of a link: its owner in a session, the step for a new account, a matching address, or an operator.
 * '' is unknown, or an owner whose account others had linked before.
 */
export type LinkMaker = 'owner' | 'account' | 'address' | 'operator' | ''

/** A link between an owner and an account: it opens the owner's account. */
export interface UpstreamLink extends UpstreamAccount {
  readonly ownerId: OwnerId
  /** What its owner knows it by, such as an email address: shown, and never compared. */
  readonly label: string
  readonly createdAt: number
  /** Null = never. */
  readonly lastUsedAt: number | null
  readonly madeBy: LinkMaker
}

/** A link before the step that makes it. */
export type NewUpstreamLink = Omit<UpstreamLink, 'madeBy'>
