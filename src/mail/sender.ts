/**
 * Sends the mails of the queue, one after the other. A node claims a mail before it sends it, and
 * removes it afterwards. So each is sent at least once, by one node at a time. A failed one comes
 * again later.
 */
import { mailLimits } from '../config/mail-limits.ts'
import type { Metrics } from '../events/metrics.ts'
import type { EventType } from '../model/event.ts'
import type { QueuedMail } from '../model/mail.ts'
import { mailboxCounter } from '../owners/counters.ts'
import { type Parts, serviceTrace } from '../parts.ts'
import { type ComposedMail, type ComposeParts, composeMails } from './compose.ts'
import { MailFault, type SendMail } from './transport.ts'

type SenderParts = ComposeParts & Pick<Parts, 'clock' | 'tell'>

/** The part of the metrics that is about mails. */
type MailMetrics = Pick<Metrics, 'countMail' | 'setMailsQueued'>

type MailOutcome = Parameters<Metrics['countMail']>[0]

/** Tells of an outcome. Events are for accounts: those of nobody would have no end. */
const noteOutcome = async (
  outcome: MailOutcome,
  mail: ComposedMail,
  at: number,
  parts: SenderParts,
): Promise<void> => {
  if (mail.ownerId === null) return
  const type: EventType = `mail.${outcome}`
  const { eventId: id, requestId, actor } = serviceTrace(at, parts)
  const of = { clientId: null, ownerId: mail.ownerId, authorizationId: null }
  const details = { mail: mail.about }
  await parts.store.appendEvent({ id, at, type, ...of, requestId, actor, details })
}

/** Mails to one mailbox are counted at their first try only. */
const hasRoom = async (
  mail: ComposedMail,
  tries: number,
  at: number,
  parts: SenderParts,
): Promise<boolean> => {
  if (tries > 0) return true
  const trace = serviceTrace(at, parts)
  const admitted = await parts.store.admitAttempt([mailboxCounter(mail.to)], trace)
  return admitted.outcome === 'admitted'
}

/** @returns null where it is to be tried again */
const trySend = async (
  mail: ComposedMail,
  isLast: boolean,
  send: SendMail,
  { tell }: SenderParts,
): Promise<MailOutcome | null> => {
  try {
    await send(mail)
    return 'sent'
  } catch (fault) {
    if (!(fault instanceof MailFault)) throw fault
    tell({ level: 'warn', message: 'a mail was not taken', fault: fault.message })
    return fault.isFinal || isLast ? 'failed' : null
  }
}

const retryAfter = (tries: number): number =>
  Math.min(mailLimits.retrySeconds * 2 ** tries, mailLimits.longestRetrySeconds)

const deliver = async (
  queued: QueuedMail,
  at: number,
  send: SendMail,
  metrics: MailMetrics,
  parts: SenderParts,
): Promise<void> => {
  const { id, tries, expiresAt } = queued
  const nextAt = at + retryAfter(tries)
  if (!(await parts.store.claimMail(queued, nextAt))) return
  const isLast = nextAt >= expiresAt
  for (const mail of await composeMails(queued, at, parts)) {
    const isTaken = await hasRoom(mail, tries, at, parts)
    const outcome = isTaken ? await trySend(mail, isLast, send, parts) : 'held_back'
    if (outcome === null) return
    metrics.countMail(outcome)
    await noteOutcome(outcome, mail, at, parts)
  }
  await parts.store.removeMail(id)
}

/** @returns sends what is due, and never rejects; a second call while one runs waits for that one */
export const createSender = (
  send: SendMail,
  metrics: MailMetrics,
  parts: SenderParts,
): (() => Promise<void>) => {
  const { store, clock, tell } = parts
  const turn = async (): Promise<void> => {
    const at = Math.floor(clock() / 1000)
    const due = await store.listDueMails(at, mailLimits.inTurn)
    for (const mail of due) await deliver(mail, at, send, metrics, parts)
    metrics.setMailsQueued(await store.countMails())
  }
  const note = (fault: unknown): void =>
    tell({ level: 'error', message: 'mails were not sent', fault: String(fault) })
  let running: Promise<void> | null = null
  return () => {
    running ??= turn()
      .catch(note)
      .finally(() => {
        running = null
      })
    return running
  }
}
