/** Webhooks and the queue of their deliveries. */
import { webhookLimits } from '../../../config/webhook-limits.ts'
import type { WebhookSteps } from '../../contract/webhook.ts'
import { traceTable } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as webhooks from './webhooks.ts'

export const webhookRecord: StoreRecord<WebhookSteps> = {
  tables: [
    // A restored service tells of nothing that was before.
    traceTable('webhook_cursors', ['webhook'], ['reached', 'since', 'position'], 'none', {
      position: "''",
    }),
    traceTable(
      'webhook_deliveries',
      ['webhook', 'event_id'],
      ['tries', 'due_at', 'queued_at'],
      'none',
    ),
  ],
  reads: { listWebhookQueues: webhooks.listWebhookQueues },
  steps: {
    queueWebhookEvents: webhooks.queueWebhookEvents,
    claimWebhookDeliveries: webhooks.claimWebhookDeliveries,
    finishWebhookDelivery: webhooks.finishWebhookDelivery,
    postponeWebhookDelivery: webhooks.postponeWebhookDelivery,
  },
  invalidates: {
    queueWebhookEvents: 'nothing',
    claimWebhookDeliveries: 'nothing',
    finishWebhookDelivery: 'nothing',
    postponeWebhookDelivery: 'nothing',
  },
  alone: ['queueWebhookEvents'],
  endPurges: [
    {
      // Of webhooks that are gone from the settings.
      sql: `delete from webhook_deliveries where (webhook, event_id) in
        (select webhook, event_id from webhook_deliveries where queued_at <= ?
         order by queued_at limit ?) returning event_id`,
      afterSeconds: webhookLimits.keepSeconds,
    },
  ],
}
