/** Mails that wait. Their texts and links are made when they are sent. */
import type { MailId, OwnerId, SessionHandle } from './ids.ts'

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
  /** An owner logged in with a new browser; `about`: the login, as JSON. */
  | 'browser'
  /** An application asks for a decision; `about`: the page for that. */
  | 'asked'
  /** The operator sends an invitation. */
  | 'invite'
  /** The operator sends a link to choose a new password. */
  | 'reset'

/** A login with a browser that was not known. A mail holds no text that a stranger chose. */
export interface NewBrowser {
  /** The address at the time: whoever logged in may change it meanwhile. */
  readonly to: string
  /** Unix seconds. */
  readonly at: number
  /** '' where it is not known. */
  readonly network: string
  /** Names that the service knows; null for others. */
  readonly program: string | null
  readonly system: string | null
  /** Leads its owner to this login; absent in a mail of an earlier version. */
  readonly session?: SessionHandle
}

/** A mail in the queue, as it is stored. */
export interface QueuedMail {
  readonly id: MailId
  readonly kind: MailKind
  /** Null where the sender has to look the owner up. */
  readonly ownerId: OwnerId | null
  readonly about: string
  readonly language: string
  /** Whether an application waits in the browser that asked. */
  readonly waits: boolean
  /** Unix seconds. */
  readonly nextAt: number
  readonly tries: number
  /** Unix seconds; after that it is given up. */
  readonly expiresAt: number
}

/**
 * How long the oldest mail of a queue has waited, in seconds; 0 where none waits.
 *
 * @param firstExpiresAt its end (unix seconds); null where none waits
 * @param keepSeconds so long after it was queued, a mail ends
 */
export const deriveOldestWait = (
  firstExpiresAt: number | null,
  keepSeconds: number,
  at: number,
): number => (firstExpiresAt === null ? 0 : Math.max(0, at - (firstExpiresAt - keepSeconds)))
