/** Events: what happened. */
import type { EventSteps } from '../../contract/event.ts'
import type { Purged, PurgeStep, StoreRecord } from '../../sql/record.ts'
import { type Step, sql } from '../../sql/statement.ts'
import { isDeletedOwner, shortenAddresses, stripFurther } from '../owner/forgetting.ts'
import { appendEvent, eventTable } from './events.ts'
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
  tables: [eventTable],
  reads: { listEvents, listCommittedEvents, isDeletedOwner },
  steps: { appendEvent },
  invalidates: { appendEvent: 'nothing' },
  purges: { events: purgeEvents, details: stripFurther, addresses: shortenAddresses },
}
