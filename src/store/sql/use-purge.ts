/** Uses that were kept for long enough, or whose authorization is gone, go in small steps. */
import { limits } from '../../config/limits.ts'
import { dayOf } from '../../model/use.ts'
import { type Purged, walk } from './purge.ts'
import { type Step, statement } from './statement.ts'
import { collectorPrefix, keyOfDay } from './uses.ts'

const oldest = (table: string): string =>
  `delete from ${table} where id < ? and id in (select id from ${table} order by id limit ?)
   returning id`

/**
 * The oldest are the first in the order of the key; entries never outlast the row of their day.
 * Collectors that stopped long ago go as well.
 */
export function* purgeUses(now: number, before: number, rows: number): Step<number> {
  const firstDay = Math.max(dayOf(now) - limits.useDays, dayOf(before))
  const entries = yield statement(oldest('use_entries'), keyOfDay(firstDay), rows)
  const left = rows - entries.length
  const days = yield statement(oldest('use_days'), keyOfDay(dayOf(before)), left)
  const collectors = yield statement(
    `delete from pings where id in (select id from pings where id > ? and id < ? and turn < ?
       order by id limit ?) returning id`,
    collectorPrefix,
    `${collectorPrefix}~`,
    (now - limits.useCollectorSeconds) * 1000,
    left - days.length,
  )
  return entries.length + days.length + collectors.length
}

function* purgeOrphans(table: string, after: string, rows: number): Step<Purged> {
  const last = yield* walk(table, after, rows)
  if (last === null) return { next: null, went: 0 }
  const gone = yield statement(
    `delete from ${table} where id > ? and id <= ? and not exists
       (select 1 from authorizations a where a.id = ${table}.authorization_id) returning id`,
    after,
    last,
  )
  return { next: last, went: gone.length }
}

/** Of authorizations that are gone: nobody can read them any more. */
export const purgeOrphanedEntries = (after: string, _now: number, rows: number): Step<Purged> =>
  purgeOrphans('use_entries', after, rows)

export const purgeOrphanedDays = (after: string, _now: number, rows: number): Step<Purged> =>
  purgeOrphans('use_days', after, rows)
