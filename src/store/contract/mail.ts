/** The contract about the queue of mails. It holds requests for mails: no text, and no link. */
import type { OwnerId } from '../../model/ids.ts'
import type { QueuedMail } from '../../model/mail.ts'

/** What waits to be sent. */
export interface MailQueue {
  readonly waiting: number
  /** Of the oldest; null where none waits. */
  readonly firstExpiresAt: number | null
}

/** Steps on the queue of mails. */
export interface MailSteps {
  /** False where so many are waiting already. */
  queueMail(mail: QueuedMail, mostWaiting: number): Promise<boolean>
  /** Those to be sent by now, the longest due first. */
  listDueMails(now: number, limit: number): Promise<readonly QueuedMail[]>
  findMailQueue(): Promise<MailQueue>
  /**
   * Takes a mail to send it. It stays, and comes again at `nextAt` unless it is removed. False where
   * another node has taken it.
   */
  claimMail(mail: Pick<QueuedMail, 'id' | 'tries'>, nextAt: number): Promise<boolean>
  removeMail(id: QueuedMail['id']): Promise<boolean>
  /** Owners with this email address, in any case of its letters, the disabled ones too. */
  listOwnersOfEmail(email: string, limit: number): Promise<readonly OwnerId[]>
}
