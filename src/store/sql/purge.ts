/** Purges in the order of a table's key: they delete rows that no read can find. */
import { limits } from '../../config/limits.ts'
import { storeLimits } from '../limits.ts'
import {
  endedVisit,
  ending,
  lookedBackTo,
  unexpired,
} from '../records/authorization/authorization-row.ts'
import { keepPlace } from '../records/event/places.ts'
import type { Purged, PurgeStep } from './record.ts'
import { first, text } from './row.ts'
import { countOnly, type Step, statement } from './statement.ts'

/** The last key of the next so many rows. */
function* walk(table: string, after: string, rows: number): Step<string | null> {
  const sql = `select max(id) as last from
    (select id from ${table} where id > ? order by id limit ?) walked`
  const row = first(yield statement(sql, after, rows))
  return row?.last == null ? null : text(row.last)
}

/**
 * Families that expired, ended or lost their authorization. A row stays while its journey or its
 * code could be used again: without the row they would count as fresh.
 */
export function* purgeFamilies({ after, now, mostRows }: PurgeStep): Step<Purged> {
  const last = yield* walk('families', after, mostRows)
  if (last === null) return { next: null, went: 0 }
  const gone = yield statement(
    `delete from families where id > ? and id <= ? and started_at < ?
       and (ended = 1 or expires_at <= ? or not exists
         (select 1 from authorizations a where a.id = families.authorization_id and ${unexpired}))
     returning id`,
    after,
    last,
    now - storeLimits.journeySeconds - limits.purgeAfterSeconds,
    now,
    now,
    now,
  )
  return { next: last, went: gone.length }
}

/**
 * Endings of tokens that have expired on every node. An index by the end would be a second tree to
 * write in each revocation, so the purge walks.
 */
export function* purgeEndings({ after, now, mostRows }: PurgeStep): Step<Purged> {
  const last = yield* walk('endings', after, mostRows)
  if (last === null) return { next: null, went: 0 }
  const gone = yield statement(
    `delete from endings where id > ? and id <= ? and expires_at <= ? ${countOnly}`,
    after,
    last,
    now - limits.purgeAfterSeconds,
  )
  return { next: last, went: gone.length }
}

/** Authorizations that expired or outlived their visit end for good, and go when nobody looks back at them any more. */
export function* purgeAuthorizations({ after, now, mostRows }: PurgeStep): Step<Purged> {
  const last = yield* walk('authorizations', after, mostRows)
  if (last === null) return { next: null, went: 0 }
  const ended = yield statement(
    `update authorizations set ${ending} where id > ? and id <= ? and session_id <> ?
       and (expires_at <= ? or (session_id <> '' and not exists
         (select 1 from sessions s where s.id = authorizations.session_id and s.expires_at > ?)))
     returning id`,
    now,
    now,
    after,
    last,
    endedVisit,
    now,
    now,
  )
  const gone = yield statement(
    'delete from authorizations where id > ? and id <= ? and expires_at <= ? returning id',
    after,
    last,
    lookedBackTo(now),
  )
  return { next: last, went: ended.length + gone.length }
}

/** Events that were kept for long enough: their ids begin with the time, so the oldest are the first. */
export function* purgeEvents({ before, mostRows }: PurgeStep): Step<Purged> {
  yield* keepPlace(['at < ?', before.events])
  const gone = yield statement(
    `delete from events where at < ? and id in (select id from events order by id limit ?)
     returning id`,
    before.events,
    mostRows,
  )
  return { next: null, went: gone.length }
}
