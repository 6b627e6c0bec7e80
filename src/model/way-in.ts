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
