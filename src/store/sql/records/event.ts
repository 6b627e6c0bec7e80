/** Events: what happened. */
import type { EventSteps } from '../../event-steps.ts'
import { appendEvent } from '../events.ts'
import { isDeletedOwner, shortenAddresses, stripFurther } from '../forgetting.ts'
import { listCommittedEvents, listEvents } from '../list-events.ts'
import { purgeEvents } from '../purge.ts'
import type { StoreRecord } from '../record.ts'
import { traceTable } from '../table.ts'

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
