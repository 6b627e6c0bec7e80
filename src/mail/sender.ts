/**
 * Sends the mails of the queue, one after the other. A node claims a mail before it sends it, and
 * removes it afterwards. So each is sent at least once, by one node at a time. A failed one comes
 * again later.
 */
import { mailKeepSeconds } from '../events/limits.ts'
import type { Metrics } from '../events/metrics.ts'
import { type Deadline, setDeadline } from '../http/outbound.ts'
import { deriveOldestWait, type QueuedMail } from '../model/mail.ts'
import { makeMailboxCounter } from '../owners/counters.ts'
import { canMail } from '../owners/ways-in.ts'
import type { ServiceParts } from '../registries.ts'
import { StoreFault } from '../store/fault.ts'
import { makeOwnerEvent, makeServiceTrace } from '../store/trace.ts'
import { type ComposedMail, type ComposeParts, type OutgoingMail, openComposer } from './compose.ts'
import { mailLimits } from './limits.ts'
import { MailFault, openSmtp, type SendMail } from './smtp.ts'

type SenderParts = ComposeParts & Pick<ServiceParts, 'clock' | 'random' | 'tell'>

type MailMetrics = Pick<Metrics, 'countMail' | 'setMailsQueued'>

type MailOutcome = Exclude<Parameters<Metrics['countMail']>[0], 'retried'>

/** Strangers cannot ask for these. So they cannot use up their number either. */
const ofOperator: readonly QueuedMail['kind'][] = ['invite', 'reset']

/** Sends one mail of the queue: all the mails that it stands for. */
const openDelivery = (
  send: (mail: ComposedMail) => Promise<void>,
  { countMail }: MailMetrics,
  parts: SenderParts,
) => {
  const { store, tell } = parts
  const composeMails = openComposer(parts)
  /**
   * Tells of an outcome. Events are for accounts: those of nobody would have no end. Applications cause mails about
   * their requests, so what they cause beyond the mails of an hour leaves no event.
   */
  const noteOutcome = async (
    outcome: MailOutcome,
    { ownerId, about }: ComposedMail,
    at: number,
  ): Promise<void> => {
    countMail(outcome)
    if (ownerId === null || (outcome === 'held_back' && about === 'asked')) return
    const trace = makeServiceTrace(at, parts)
    await store.appendEvent(makeOwnerEvent(`mail.${outcome}`, ownerId, { mail: about }, trace))
  }
  /**
   * Mails to one mailbox are counted at their first try only. Mails about new browsers are counted
   * where they are queued.
   */
  const hasRoom = async (mail: ComposedMail, { kind, tries }: QueuedMail, at: number) => {
    const isCounted = mail.about !== 'browser' && !ofOperator.includes(kind)
    if (tries > 0 || !isCounted) return true
    const counter = makeMailboxCounter(mail.to, kind)
    return (await store.admitAttempt([counter], makeServiceTrace(at, parts))).outcome === 'admitted'
  }
  /** @returns null where it is to be tried again */
  const trySend = async (mail: ComposedMail, isLast: boolean): Promise<MailOutcome | null> => {
    try {
      await send(mail)
      return 'sent'
    } catch (fault) {
      if (!(fault instanceof MailFault)) throw fault
      tell({ level: 'warn', message: 'a mail was not taken', fault: fault.message })
      return fault.isFinal || isLast ? 'failed' : null
    }
  }
  return async (queued: QueuedMail, at: number): Promise<void> => {
    const { retrySeconds, longestRetrySeconds } = mailLimits
    const nextAt = at + Math.min(retrySeconds * 2 ** queued.tries, longestRetrySeconds)
    if (!(await store.claimMail(queued, nextAt))) return
    const isLast = nextAt >= queued.expiresAt
    for (const [i, mail] of (await composeMails(queued, at)).entries()) {
      // To try all again would send the first ones again, to the same mailbox.
      const isFinal = isLast || i > 0
      const isTaken = await hasRoom(mail, queued, at)
      const outcome = isTaken ? await trySend(mail, isFinal) : 'held_back'
      if (outcome === null) return countMail('retried')
      await noteOutcome(outcome, mail, at)
    }
    await store.removeMail(queued.id)
  }
}

export type Sender = ReturnType<typeof createSender>

export const createSender = (
  transport: SendMail,
  metrics: MailMetrics,
  parts: SenderParts,
  deadline: Deadline = setDeadline,
) => {
  const { store, clock, tell } = parts
  const ending = new AbortController()
  const deliver = openDelivery((mail) => transport(mail, ending.signal), metrics, parts)
  const turn = async (): Promise<void> => {
    const at = Math.floor(clock() / 1000)
    const due = await store.listDueMails(at, mailLimits.inTurn)
    await showQueue(at)
    for (const mail of due) {
      if (isClosed) return
      // The ones before may have taken long, and a claim in the past would be no claim.
      await deliver(mail, Math.floor(clock() / 1000)).catch(noteUnlessStore)
    }
    await showQueue(at)
  }
  const showQueue = async (at: number): Promise<void> => {
    const { waiting, firstExpiresAt } = await store.findMailQueue()
    metrics.setMailsQueued(waiting, deriveOldestWait(firstExpiresAt, mailKeepSeconds, at))
  }
  const note = (fault: unknown): void =>
    tell({ level: 'error', message: 'mails were not sent', fault: String(fault) })
  /** A mail that cannot be made comes again later. That mail stops no other one. */
  const noteUnlessStore = (fault: unknown): void => {
    if (fault instanceof StoreFault) throw fault
    note(fault)
  }
  let running: Promise<void> | null = null
  let isClosed = false
  return {
    /** Sends what is due, and never rejects. A second call while one runs waits for that one. */
    async send(): Promise<void> {
      if (isClosed) return
      running ??= turn()
        .catch(note)
        .finally(() => {
          running = null
        })
      await running
    },
    /** Waits a moment for the mail under way, and sends no other. What is cut off stays queued. */
    async close(): Promise<void> {
      isClosed = true
      if (running === null) return
      const cancel = deadline(mailLimits.closeMilliseconds, () => ending.abort())
      await running
      cancel()
    },
  }
}

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
  parts: SenderParts,
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
  return { ...sender, mailbox: { list: () => sender.send().then(() => shown) } }
}
