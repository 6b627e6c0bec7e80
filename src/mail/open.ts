/** Opens the mail of a service: over SMTP where the settings name a server, else the demo's mailbox. */
import type { Metrics } from '../events/metrics.ts'
import type { Deadline } from '../http/outbound.ts'
import { canMail } from '../owners/ways-in.ts'
import type { ServiceParts } from '../registries.ts'
import type { ComposeParts } from './compose.ts'
import { mailLimits } from './limits.ts'
import { createSender, type Sender } from './sender.ts'
import { openSmtp } from './smtp.ts'
import type { OutgoingMail } from './transport.ts'

/** A mail as the demo shows it. */
export interface ShownMail extends OutgoingMail {
  /** Unix seconds. */
  readonly at: number
}

/** The demo sends no mail: it shows what it would have sent. */
export interface Mailbox {
  /** Newest first, once everything that is due is here. */
  list(): Promise<readonly ShownMail[]>
}

export interface Mail extends Sender {
  /** Null where mails are really sent, or none are. */
  readonly mailbox: Mailbox | null
}

export const openMail = async (
  metrics: Metrics,
  parts: ComposeParts & Pick<ServiceParts, 'clock' | 'tell'>,
  deadline?: Deadline,
): Promise<Mail> => {
  const { settings, clock, tell } = parts
  if (!canMail(parts)) {
    if (settings.signUp === 'open') {
      const message = 'LATCHKEY_SIGN_UP is open without LATCHKEY_SMTP: sign-up takes an invitation'
      tell({ level: 'warn', message })
    }
    return { send: async () => {}, close: async () => {}, mailbox: null }
  }
  if (settings.smtp !== null) {
    const smtp = await openSmtp(settings.smtp, settings.mailFrom ?? '')
    return { ...createSender(smtp, metrics, parts, deadline), mailbox: null }
  }
  const shown: ShownMail[] = []
  const keep = async (mail: OutgoingMail): Promise<void> => {
    shown.unshift({ ...mail, at: Math.floor(clock() / 1000) })
    shown.splice(mailLimits.shown)
  }
  const sender = createSender(keep, metrics, parts, deadline)
  const list = async (): Promise<readonly ShownMail[]> => {
    await sender.send()
    return shown
  }
  return { ...sender, mailbox: { list } }
}
