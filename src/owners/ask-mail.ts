/**
 * Asking for a mail. A request does the same work whoever it is about, and whether there is such an
 * account: it counts the request and queues it. The sender finds out the rest later.
 */

import type { Settings } from '../config/settings.ts'
import { mailKeepSeconds } from '../events/limits.ts'
import { type Given, type MailId, makeId } from '../model/ids.ts'
import type { QueuedMail } from '../model/mail.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { makeMailCounters } from './counters.ts'
import { ownerLimits } from './limits.ts'

export type WantedMail = Pick<QueuedMail, 'kind' | 'ownerId' | 'about' | 'language' | 'waits'>

export interface MailParts extends Given {
  readonly settings: Settings
  readonly store: Store
}

/**
 * @returns the id of the mail
 * @throws Refusal `temporarily_unavailable` where too many wait
 */
export const queueMail = async (
  wanted: WantedMail,
  at: number,
  parts: MailParts,
  mostWaiting: number = ownerLimits.mailsWaiting,
): Promise<MailId> => {
  const expiresAt = at + mailKeepSeconds
  const mail = { ...wanted, id: makeId<MailId>(parts), nextAt: at, tries: 0, expiresAt }
  if (await parts.store.queueMail(mail, mostWaiting)) return mail.id
  throw new Refusal('temporarily_unavailable', 'mails_waiting', 'too many mails wait to be sent', {
    headers: { 'Retry-After': '60' },
  })
}

/**
 * The same for a stranger.
 *
 * @returns the id of the mail, or the seconds to wait where this address or name asked too often
 */
export const askForMail = async (
  wanted: WantedMail,
  address: string,
  trace: Trace,
  parts: MailParts,
): Promise<MailId | number> => {
  const admitted = await parts.store.admitAttempt(
    makeMailCounters(address, wanted, parts.settings.limits),
    trace,
  )
  if (admitted.outcome === 'wait') return admitted.seconds
  const ofStrangers = Math.floor(ownerLimits.mailsWaiting * ownerLimits.mailsOfStrangers)
  return queueMail(wanted, trace.at, parts, ofStrangers)
}
