/** What mails go by: an SMTP server, or the mailbox of the demo. */
import type { RenderedMail } from './letters.ts'

export interface OutgoingMail extends RenderedMail {
  readonly to: string
}

/** A mail that was not taken. */
export class MailFault extends Error {
  /** Whether the same mail would fail again. */
  readonly isFinal: boolean

  /** @param said a code of the program or server, without a name or a secret */
  constructor(said: string, isFinal: boolean) {
    super(said)
    this.isFinal = isFinal
  }
}

/**
 * @param signal ends it, since the service ends
 * @throws MailFault
 */
export type SendMail = (mail: OutgoingMail, signal: AbortSignal) => Promise<void>
