/** Events: what happened. */
import type { EventSteps } from '../../contract/event.ts'
import { traceTable } from '../../schema/table.ts'
import type { Purged, PurgeStep, StoreRecord } from '../../sql/record.ts'
import { type Step, sql } from '../../sql/statement.ts'
import { isDeletedOwner, shortenAddresses, stripFurther } from '../owner/forgetting.ts'
import { appendEvent, eventColumns } from './events.ts'
import { listCommittedEvents, listEvents } from './list-events.ts'
import { keepPlace } from './places.ts'

/** Events that were kept for long enough: their ids begin with the time, so the oldest are the first. */
function* purgeEvents({ before, mostRows }: PurgeStep): Step<Purged> {
  yield* keepPlace(['at < ?', before.events])
  const gone = yield sql`delete from events where at < ${before.events}
    and id in (select id from events order by id limit ${mostRows}) returning id`
  return { next: null, went: gone.length }
}

export const eventRecord: StoreRecord<EventSteps> = {
  tables: [
    traceTable(
      'events',
      ['id'],
      eventColumns,
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
