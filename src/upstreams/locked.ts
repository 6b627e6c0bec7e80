/** Disabled and expired accounts of a directory, by the attributes of common ones. */

type ReadAttribute = (attribute: string) => string

const isTrue = (value: string): boolean => value.toLowerCase() === 'true'

/** Seconds from the beginning of 1601 to that of 1970. */
const windowsEpochSeconds = 11_644_473_600n

/** Windows counts steps of 100 ns. 0 and the greatest number stand for no end. */
const isOver = (value: string, at: number): boolean =>
  /^[1-9]\d{0,17}$/.test(value) &&
  BigInt(value) / 10_000_000n - windowsEpochSeconds <= BigInt(Math.floor(at))

const locks: Readonly<Record<string, (value: string, at: number) => boolean>> = {
  /** Active Directory: ACCOUNTDISABLE. */
  userAccountControl: (value) => /^\d{1,10}$/.test(value) && (Number(value) & 2) !== 0,
  accountExpires: isOver,
  /** 389 Directory Server, FreeIPA. */
  nsAccountLock: isTrue,
  /**
   * OpenLDAP (draft-behera-ldap-password-policy section 5.3.3): an administrator has locked the account. Any other
   * time is that of wrong passwords, which strangers can bring about.
   */
  pwdAccountLockedTime: (value) => value === '000001010000Z',
  /** eDirectory. */
  loginDisabled: isTrue,
  /** PingDirectory, OpenDJ. */
  'ds-pwp-account-disabled': isTrue,
}

export const lockAttributes: readonly string[] = Object.keys(locks)

/** @param at unix seconds */
export const isLocked = (read: ReadAttribute, at: number): boolean =>
  Object.entries(locks).some(([attribute, says]) => says(read(attribute), at))
