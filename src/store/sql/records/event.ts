/** Events: what happened, newest first. */
import type { EventSteps } from '../../store.ts'
import { appendEvent, listEvents } from '../events.ts'
import { purgeEvents } from '../purge.ts'
import type { StoreRecord } from '../record.ts'
import { traceTable } from '../table.ts'

export const eventRecord: StoreRecord<EventSteps> = {
  tables: [
    traceTable(
      'events',
      ['id'],
      ['at', 'type', 'client_id', 'owner_id', 'authorization_id', 'request_id', 'details', 'actor'],
      'all',
    ),
  ],
  reads: { listEvents },
  steps: { appendEvent },
  invalidates: { appendEvent: 'nothing' },
  purges: { events: purgeEvents },
}
