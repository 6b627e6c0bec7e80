/** Events: what happened. */
import type { EventSteps } from '../../contract/event.ts'
import { traceTable } from '../../schema/table.ts'
import { purgeEvents } from '../../sql/purge.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { isDeletedOwner, shortenAddresses, stripFurther } from '../owner/forgetting.ts'
import { appendEvent } from './events.ts'
import { listCommittedEvents, listEvents } from './list-events.ts'

export const eventRecord: StoreRecord<EventSteps> = {
  tables: [
    traceTable(
      'events',
      ['id'],
      [
        'at',
        'type',
        'client_id',
        'owner_id',
        'authorization_id',
        'request_id',
        'details',
        'actor',
        'operator',
        'place',
      ],
      'all',
      // Elsewhere it is older than every event that is written there.
      { place: '0' },
    ),
  ],
  reads: { listEvents, listCommittedEvents, isDeletedOwner },
  steps: { appendEvent },
  invalidates: { appendEvent: 'nothing' },
  purges: { events: purgeEvents, details: stripFurther, addresses: shortenAddresses },
}
