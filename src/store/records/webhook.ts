/** Webhooks and the queue of their deliveries. */

import { type EventId, getFirstId } from '../../model/ids.ts'
import type { ClaimedDelivery, WebhookDelivery, WebhookSteps } from '../contract/queue.ts'
import { defineTable } from '../sql/columns.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../sql/record.ts'
import { integer, text } from '../sql/row.ts'
import { all, findOne, listOf, type Piece, raw, type Step, sql, touches } from '../sql/statement.ts'
import { decodeEvent } from './event/events.ts'
import {
  cutPiece,
  getPosition,
  type Position,
  parsePosition,
  renderPosition,
} from './event/places.ts'

export const webhookLimits = {
  /** Deliveries of one webhook that wait. Further events wait in the list of events. */
  deliveries: 20_000,
  /** New events are queued in pieces. */
  queuedTogether: 500,
  /** A webhook of some types looks at so many events for a piece. */
  examinedTogether: 50_000,
  /**
   * Beside nodes of an earlier version (decision 0074): an event may be committed so long after the time
   * in its id.
   */
  overlapSeconds: 120,
  /** Rows of a webhook that is gone from the settings. */
  keepSeconds: 4 * 86_400,
} as const

/** A restored service tells of nothing that was before. */
const cursors = defineTable(
  'webhook_cursors',
  { webhook: 'text', reached: 'integer', since: 'integer', position: "text default ''" },
  { key: 'webhook', restored: 'none', isTrace: true, local: { position: "''" } },
)

/** A delivery without a time is done. The row stays for the overlap, so that it is not queued again. */
const deliveries = defineTable(
  'webhook_deliveries',
  { webhook: 'text', eventId: 'text', tries: 'small', dueAt: 'integer?', queuedAt: 'integer' },
  {
    key: 'webhook event_id',
    restored: 'none',
    isTrace: true,
    indexes: [
      'webhook_deliveries_by_due (webhook, due_at)',
      'webhook_deliveries_by_time (queued_at)',
    ],
  },
)

const makeIdAt = (seconds: number): string => getFirstId(seconds * 1000)

/** Holds the row until the step has ended: nodes queue events of one webhook one after the other. */
function* holdCursor(webhook: string, now: number) {
  yield sql`insert into webhook_cursors (webhook, reached, since)
    values (${webhook}, ${now}, ${now})
    on conflict (webhook) do nothing`
  const row = yield* findOne(sql`update webhook_cursors set since = since
      where webhook = ${webhook} returning reached, since, position`)
  const here = yield* getPosition()
  const position = parsePosition(text(row?.position))
  return {
    // Null at the beginning, and after a restore into a database that counts otherwise.
    position: position !== null && position.next <= here.next ? position : null,
    here,
    // Events without a place are looked for from this time on.
    from: Math.max(integer(row?.since), integer(row?.reached) - webhookLimits.overlapSeconds),
  }
}

interface Queuing {
  readonly webhook: string
  readonly types: readonly string[] | null
  readonly now: number
  readonly most: number
}

const matchTypes = (types: readonly string[] | null): readonly Piece[] =>
  types === null ? [] : [sql`type in ${listOf(types)}`]

/** Queues the events of some condition, the oldest first. */
function* queueThose(where: Piece, { webhook, types, now, most }: Queuing): Step<number> {
  const queued =
    yield sql`insert into webhook_deliveries (webhook, event_id, tries, due_at, queued_at)
    select ${webhook}, e.id, 0, cast(${now} as bigint), cast(${now} as bigint) from events e
    where ${all([where, ...matchTypes(types)])} and not exists
      (select 1 from webhook_deliveries d where d.webhook = ${webhook} and d.event_id = e.id)
    order by e.id limit ${most} returning event_id`
  return queued.length
}

/** Queues a piece of what became visible since the position, and moves it. */
function* queueVisible(from: Position, to: Position, queuing: Queuing): Step<number> {
  const whole = cutPiece(from, to)
  const bound = whole.findEnd(webhookLimits.examinedTogether)
  const end = queuing.types === null ? to : whole.endingAt(yield bound).reached
  const piece = cutPiece(from, end, matchTypes(queuing.types))
  const { where, reached } = piece.endingAt(yield piece.findEnd(queuing.most))
  // No limit: a piece ends behind a transaction, so it may have some more.
  const queued = yield* queueThose(where, { ...queuing, most: Number.MAX_SAFE_INTEGER })
  yield* move(queuing, reached)
  return queued
}

function* move({ webhook, now }: Queuing, position: Position): Step<void> {
  yield sql`update webhook_cursors set position = ${renderPosition(position)}, reached = ${now}
    where webhook = ${webhook} and (reached < ${now} or position <> ${renderPosition(position)})`
}

const queueWebhookEvents: Steps['queueWebhookEvents'] = function* (webhook, types, now) {
  const { position, here, from } = yield* holdCursor(webhook, now)
  yield sql`delete from webhook_deliveries
    where webhook = ${webhook} and due_at is null and event_id < ${makeIdAt(from)}`
  const held = yield* findOne(sql`select count(*) as held from webhook_deliveries
      where webhook = ${webhook} and due_at is not null`)
  const room = Math.min(
    webhookLimits.deliveries - integer(held?.held),
    webhookLimits.queuedTogether,
  )
  if (room <= 0) return 0
  const queuing = { webhook, types, now, most: room }
  // A node of an earlier version writes no places. Without a position, nobody knows what is new.
  const unplaced = all([sql`id >= ${makeIdAt(from)}`, position !== null && raw('place = 0')])
  const queued = yield* queueThose(unplaced, queuing)
  // Less than there is room for is all there is. Otherwise the next call goes on from here.
  if (queued === room) return queued
  if (position === null) {
    yield* move(queuing, here)
    return queued
  }
  const visible = yield* queueVisible(position, here, { ...queuing, most: room - queued })
  return queued + visible
}

const claimWebhookDeliveries: Steps['claimWebhookDeliveries'] = function* (
  webhook,
  most,
  until,
  now,
) {
  // The outer condition is compared again with a row that another node has just claimed.
  const claimed = yield sql`update webhook_deliveries set tries = tries + 1, due_at = ${until}
    where webhook = ${webhook} and due_at <= ${now} and event_id in (select event_id
      from webhook_deliveries where webhook = ${webhook} and due_at <= ${now} order by due_at,
      event_id limit ${most}) returning *`
  if (claimed.length === 0) return []
  const ids = claimed.map((row) => text(row.event_id))
  const rows = yield sql`select * from events where id in ${listOf(ids)}`
  const events = new Map(rows.map((row) => [text(row.id), decodeEvent(row)]))
  const deliveries: WebhookDelivery[] = []
  for (const row of claimed) {
    const event = events.get(text(row.event_id))
    const tries = integer(row.tries)
    if (event !== undefined) {
      deliveries.push({ webhook, event, tries, queuedAt: integer(row.queued_at) })
      continue
    }
    // The event is older than events are kept.
    yield* finishWebhookDelivery({ webhook, eventId: text(row.event_id) as EventId, tries })
  }
  return deliveries.sort((a, b) => (a.event.id < b.event.id ? -1 : 1))
}

const setDue = (
  { webhook, eventId, tries }: ClaimedDelivery,
  dueAt: number | null,
): Step<boolean> =>
  touches(sql`update webhook_deliveries set due_at = ${dueAt}
    where webhook = ${webhook} and event_id = ${eventId} and tries = ${tries} and due_at is not null
      returning event_id`)

const finishWebhookDelivery = (delivery: ClaimedDelivery): Step<boolean> => setDue(delivery, null)

const listWebhookQueues: Reads['listWebhookQueues'] = async (read) => {
  const query = `select webhook, count(*) as waiting, min(queued_at) as oldest_at
    from webhook_deliveries where due_at is not null group by webhook order by webhook`
  return (await read(query, [])).map((row) => ({
    webhook: text(row.webhook),
    waiting: integer(row.waiting),
    oldestAt: integer(row.oldest_at),
  }))
}

export const webhookRecord: StoreRecord<WebhookSteps> = {
  tables: [cursors, deliveries],
  reads: { listWebhookQueues },
  steps: {
    queueWebhookEvents,
    claimWebhookDeliveries,
    finishWebhookDelivery,
    postponeWebhookDelivery: setDue,
  },
  invalidates: 'nothing',
  alone: ['queueWebhookEvents'],
  endPurges: [
    // Of webhooks that are gone from the settings.
    purgeAtEnd('webhook_deliveries', '(webhook, event_id)', 'queued_at', webhookLimits.keepSeconds),
  ],
}
