/**
 * Sends events to the receivers of the operator, signed by Standard Webhooks 1.0. Each is sent at least
 * once, by one node at a time, and again after a failure for some days.
 */
import { webhookLimits as limits } from '../config/webhook-limits.ts'
import { type WebhookSettings, webhookKey } from '../config/webhooks.ts'
import { type HmacKey, hmac, hmacKey } from '../crypto/hmac.ts'
import type { Fetched, Outbound } from '../http/outbound.ts'
import type { Parts } from '../parts.ts'
import type { ClaimedDelivery, WebhookDelivery } from '../store/webhook-steps.ts'
import { describeEvent } from './describe.ts'
import type { Metrics } from './metrics.ts'

export interface WebhookParts extends Pick<Parts, 'settings' | 'store' | 'clock' | 'tell'> {
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly metrics: Pick<Metrics, 'countWebhook'>
}

interface Receiver extends WebhookSettings {
  readonly keys: readonly HmacKey[]
  /** Why the last try failed, as the log was told; null after a success. */
  fault: string | null
}

/** JSON in ASCII: the signature is of the sent bytes. */
const bodyOf = ({ event }: WebhookDelivery): string =>
  JSON.stringify({
    type: event.type,
    timestamp: new Date(event.at * 1000).toISOString(),
    data: describeEvent(event),
  }).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const signaturesOf = (keys: readonly HmacKey[], signed: string): string =>
  keys
    .map((key) => `v1,${Buffer.from(hmac(key, signed), 'base64url').toString('base64')}`)
    .join(' ')

const post = (
  { url, keys }: Receiver,
  delivery: WebhookDelivery,
  at: number,
  { outbound }: WebhookParts,
): Promise<Fetched> => {
  const body = bodyOf(delivery)
  const { id } = delivery.event
  return outbound.fetch({
    url,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Latchkey',
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': signaturesOf(keys, `${id}.${at}.${body}`),
    },
    body,
    mostBytes: limits.answerBytes,
  })
}

/** Null for success. An answer that is too long was one all the same. */
const faultOf = (answer: Fetched): string | null => {
  if (answer.outcome === 'failed') return answer.reason
  return answer.status >= 200 && answer.status < 300 ? null : `status_${answer.status}`
}

const pauseAfter = (tries: number): number =>
  Math.min(limits.longestPauseSeconds, limits.firstPauseSeconds * 3 ** (tries - 1))

const now = ({ clock }: Pick<Parts, 'clock'>): number => Math.floor(clock() / 1000)

/** Told when it changes: a receiver that stays down gets one line, and not one for each event. */
const tellFault = (receiver: Receiver, reason: string | null, { tell }: WebhookParts): void => {
  if (receiver.fault === reason) return
  receiver.fault = reason
  const { id: webhook } = receiver
  if (reason === null) tell({ level: 'info', message: 'a webhook works again', webhook })
  else tell({ level: 'warn', message: 'a webhook fails, and is tried again', webhook, reason })
}

const send = async (
  receiver: Receiver,
  delivery: WebhookDelivery,
  parts: WebhookParts,
): Promise<void> => {
  const { store, tell, metrics } = parts
  const { webhook, tries, event, queuedAt } = delivery
  const claimed: ClaimedDelivery = { webhook, tries, eventId: event.id }
  const reason = faultOf(await post(receiver, delivery, now(parts), parts))
  tellFault(receiver, reason, parts)
  if (reason === null) {
    metrics.countWebhook(webhook, 'delivered')
    await store.finishWebhookDelivery(claimed)
    return
  }
  const dueAt = now(parts) + pauseAfter(tries)
  if (dueAt < queuedAt + limits.giveUpSeconds) {
    metrics.countWebhook(webhook, 'retried')
    await store.postponeWebhookDelivery(claimed, dueAt)
    return
  }
  metrics.countWebhook(webhook, 'failed')
  tell({
    level: 'warn',
    message: 'a webhook was given up',
    webhook,
    event: event.id,
    reason,
    tries,
  })
  await store.finishWebhookDelivery(claimed)
}

/** One turn for one receiver: new events are queued, and all that is due is sent. */
const deliverTo = async (
  receiver: Receiver,
  isClosed: () => boolean,
  parts: WebhookParts,
): Promise<void> => {
  const { store } = parts
  const { id, events } = receiver
  await store.queueWebhookEvents(id, events, now(parts))
  for (let sent = 0; sent < limits.inTurn; ) {
    const at = now(parts)
    const until = at + limits.claimSeconds
    if (isClosed()) return
    const due = await store.claimWebhookDeliveries(id, limits.atOnce, until, at)
    if (due.length === 0) return
    await Promise.all(due.map((delivery) => send(receiver, delivery, parts)))
    sent += due.length
  }
}

export interface Webhooks {
  /** Sends what is due. It never rejects, and never runs twice at once. */
  deliver(): Promise<void>
  /** Waits for what is under way, and sends nothing more. */
  close(): Promise<void>
}

export const createWebhooks = (parts: WebhookParts): Webhooks => {
  const receivers: readonly Receiver[] = parts.settings.webhooks.map((webhook) => ({
    ...webhook,
    keys: webhook.secrets.map((secret) => hmacKey(webhookKey(secret) ?? new Uint8Array())),
    fault: null,
  }))
  const noteFault = (fault: unknown): void =>
    parts.tell({ level: 'error', message: 'webhooks were not sent', fault: String(fault) })
  const turn = async (): Promise<void> => {
    await Promise.all(
      receivers.map((one) => deliverTo(one, () => isClosed, parts).catch(noteFault)),
    )
  }
  let underWay: Promise<void> | null = null
  let isClosed = false
  return {
    deliver() {
      if (isClosed || receivers.length === 0) return Promise.resolve()
      underWay ??= turn().finally(() => {
        underWay = null
      })
      return underWay
    },
    async close() {
      isClosed = true
      await underWay
    },
  }
}
