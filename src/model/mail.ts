/** Mails that wait. Their texts and links are made when they are sent. */
import type { MailId, OwnerId } from './ids.ts'
import type { Language } from './language.ts'

/** Its occasion. */
export type MailKind =
  /** Somebody forgot the password; `about`: the name or address that was typed. */
  | 'forgot'
  /** Somebody wants an account; `about`: the address. */
  | 'signup'
  /** An owner wants to prove an address; `about`: the address. */
  | 'verify'
  /** The address of an owner is to change; `about`: the address until now. */
  | 'moving'

/** A mail in the queue, as it is stored. */
export interface QueuedMail {
  readonly id: MailId
  readonly kind: MailKind
  /** Null where the sender has to look the owner up. */
  readonly ownerId: OwnerId | null
  readonly about: string
  readonly language: Language
  /** Unix seconds. */
  readonly nextAt: number
  readonly tries: number
  /** Unix seconds; after that it is given up. */
  readonly expiresAt: number
}
