/**
 * Sends events to the receivers of the operator, signed by Standard Webhooks 1.0. Each is sent at least
 * once, by one node at a time, and again after a failure for some days.
 */

import type { Settings } from '../config/settings.ts'
import { parseWebhookKey, type WebhookSettings } from '../config/webhooks.ts'
import { computeHmac, type HmacKey, makeHmacKey } from '../crypto/digest.ts'
import { httpLimits } from '../http/limits.ts'
import type { Fetched, Outbound } from '../http/outbound.ts'
import type { Clock } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import type { ClaimedDelivery, WebhookDelivery } from '../store/contract/queue.ts'
import type { Store } from '../store/store.ts'
import { describeEvent } from './describe.ts'
import type { Metrics } from './metrics.ts'

export const deliveryLimits = {
  /**
   * Deliveries that a node sends at once to all webhooks of one host, and in one turn to each. A request
   * beyond the limit of its host would be refused by this service itself.
   */
  atOnce: httpLimits.outbound.atOncePerHost,
  inTurn: 200,
  /** A node that claimed a delivery and stopped: others send it after so long. */
  claimSeconds: 60,
  /** After a failed try comes a pause: first so long, then each time three times as long. */
  firstPauseSeconds: 10,
  longestPauseSeconds: 6 * 3600,
  /** The pause where this service itself had no place for a request, or was about to end. */
  busySeconds: 2,
  /** After the log was told that a receiver fails, a new failure is not told for so long. */
  tellSeconds: 300,
  /** No further try after so long. */
  giveUpSeconds: 3 * 86_400,
  /** Of the answer only the status counts. */
  answerBytes: 16 * 1024,
} as const

export interface WebhookParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly tell: Tell
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly metrics: Pick<Metrics, 'countWebhook'>
}

interface Receiver extends WebhookSettings {
  readonly keys: readonly HmacKey[]
  /** What the log was told last. */
  isFailing: boolean
  /** When the log was told last that it fails: unix seconds. */
  toldAt: number
}

interface Sending extends WebhookParts {
  readonly isClosed: () => boolean
}

/** JSON in ASCII: the signature is of the sent bytes. */
const writeBody = ({ event }: WebhookDelivery): string =>
  JSON.stringify({
    type: event.type,
    timestamp: new Date(event.at * 1000).toISOString(),
    data: describeEvent(event),
  }).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const signText = (keys: readonly HmacKey[], signed: string): string =>
  keys
    .map((key) => `v1,${Buffer.from(computeHmac(key, signed), 'base64url').toString('base64')}`)
    .join(' ')

const post = (
  { url, keys }: Receiver,
  delivery: WebhookDelivery,
  at: number,
  { outbound }: WebhookParts,
): Promise<Fetched> => {
  const body = writeBody(delivery)
  const { id } = delivery.event
  return outbound.fetch({
    url,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Latchkey',
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': signText(keys, `${id}.${at}.${body}`),
    },
    body,
    mostBytes: deliveryLimits.answerBytes,
  })
}

/** Null for success. An answer that is too long was one all the same. */
const findFault = (answer: Fetched): string | null => {
  if (answer.outcome === 'failed') return answer.reason
  return answer.status >= 200 && answer.status < 300 ? null : `status_${answer.status}`
}

/** Tries that never left this service count, too. So the pause is also bound to the wait so far. */
const pauseAfter = (tries: number, waitedSeconds: number): number =>
  Math.min(
    deliveryLimits.longestPauseSeconds,
    deliveryLimits.firstPauseSeconds * 3 ** (tries - 1),
    deliveryLimits.firstPauseSeconds + 2 * waitedSeconds,
  )

const getNow = ({ clock }: { readonly clock: Clock }): number => Math.floor(clock() / 1000)

/**
 * Told when it changes: a receiver that stays down gets one line, and not one for each event. One that
 * works each other time gets two lines in some minutes.
 */
const tellFault = (receiver: Receiver, reason: string | null, parts: WebhookParts): void => {
  const { id: webhook, isFailing, toldAt } = receiver
  if (isFailing === (reason !== null)) return
  const at = getNow(parts)
  if (reason === null) {
    receiver.isFailing = false
    parts.tell({ level: 'info', message: 'a webhook works again', webhook })
  } else if (at >= toldAt + deliveryLimits.tellSeconds) {
    receiver.isFailing = true
    receiver.toldAt = at
    parts.tell({ level: 'warn', message: 'a webhook fails, and is tried again', webhook, reason })
  }
}

/** True if it was delivered. */
const send = async (
  receiver: Receiver,
  delivery: WebhookDelivery,
  parts: Sending,
): Promise<boolean> => {
  const { store, tell, metrics, isClosed } = parts
  const { webhook, tries, event, queuedAt } = delivery
  const claimed: ClaimedDelivery = { webhook, tries, eventId: event.id }
  const reason = findFault(await post(receiver, delivery, getNow(parts), parts))
  const at = getNow(parts)
  // The receiver has no part in it: this service was too busy, or broke off since it ends.
  if (reason === 'too_busy' || (reason !== null && isClosed())) {
    await store.postponeWebhookDelivery(claimed, at + deliveryLimits.busySeconds)
    return false
  }
  tellFault(receiver, reason, parts)
  if (reason === null) {
    metrics.countWebhook(webhook, 'delivered')
    await store.finishWebhookDelivery(claimed)
    return true
  }
  const dueAt = at + pauseAfter(tries, Math.max(0, at - queuedAt))
  if (dueAt < queuedAt + deliveryLimits.giveUpSeconds) {
    metrics.countWebhook(webhook, 'retried')
    await store.postponeWebhookDelivery(claimed, dueAt)
    return false
  }
  metrics.countWebhook(webhook, 'failed')
  const message = 'a webhook was given up'
  tell({ level: 'warn', message, webhook, event: event.id, reason, tries })
  await store.finishWebhookDelivery(claimed)
  return false
}

/**
 * Sends a piece of what is due. True if more may be sent in this turn: a receiver that takes nothing
 * would only hold up the others.
 */
const sendPiece = async (receiver: Receiver, parts: Sending): Promise<boolean> => {
  if (parts.isClosed()) return false
  const at = getNow(parts)
  const { atOnce, claimSeconds } = deliveryLimits
  const until = at + claimSeconds
  const due = await parts.store.claimWebhookDeliveries(receiver.id, atOnce, until, at)
  const delivered = await Promise.all(due.map((delivery) => send(receiver, delivery, parts)))
  return delivered.includes(true)
}

/**
 * One turn for the receivers on one host: new events are queued, and all that is due is sent. The
 * receivers take turns, since the host may get so many requests at once from all of them.
 */
const deliverTo = async (receivers: readonly Receiver[], parts: Sending): Promise<void> => {
  for (const { id, events } of receivers) {
    await parts.store.queueWebhookEvents(id, events, getNow(parts))
  }
  const { inTurn, atOnce } = deliveryLimits
  let taking = receivers
  for (let sent = 0; sent < inTurn && taking.length > 0; sent += atOnce) {
    const further: Receiver[] = []
    for (const receiver of taking) if (await sendPiece(receiver, parts)) further.push(receiver)
    taking = further
  }
}

export const createWebhooks = (parts: WebhookParts) => {
  const receivers: readonly Receiver[] = parts.settings.webhooks.map((webhook) => ({
    ...webhook,
    keys: webhook.secrets.map((secret) => makeHmacKey(parseWebhookKey(secret) ?? new Uint8Array())),
    isFailing: false,
    toldAt: Number.NEGATIVE_INFINITY,
  }))
  const hosts = [...Map.groupBy(receivers, ({ url }) => new URL(url).hostname).values()]
  const noteFault = (fault: unknown): void =>
    parts.tell({ level: 'error', message: 'webhooks were not sent', fault: String(fault) })
  const turn = async (): Promise<void> => {
    const sending = { ...parts, isClosed: () => isClosed }
    await Promise.all(hosts.map((host) => deliverTo(host, sending).catch(noteFault)))
  }
  let underWay: Promise<void> | null = null
  let isClosed = false
  return {
    /** Sends what is due. The delivery never rejects, and never runs twice at once. */
    deliver(): Promise<void> {
      if (isClosed || receivers.length === 0) return Promise.resolve()
      underWay ??= turn().finally(() => {
        underWay = null
      })
      return underWay
    },
    /** Waits for what is under way, and sends nothing more. */
    async close(): Promise<void> {
      isClosed = true
      await underWay
    },
  }
}
