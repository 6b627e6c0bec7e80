/** Uses that were kept for long enough, or whose authorization is gone, go in small steps. */
import { limits } from '../../config/limits.ts'
import { dayOf } from '../../model/use.ts'
import type { Purged } from './purge.ts'
import { first, integer, text } from './row.ts'
import { type Step, statement, type Value } from './statement.ts'
import { collectorPrefix } from './uses.ts'

/**
 * The oldest are the first in the order of the key; entries never outlast the row of their day. Collectors that
 * stopped long ago go as well.
 */
export function* purgeUses(now: number, before: number, rows: number): Step<number> {
  const entries = yield statement(
    `delete from use_entries where (day, authorization_id, entry) in
       (select day, authorization_id, entry from use_entries where day < ?
        order by day, authorization_id, entry limit ?) returning day`,
    Math.max(dayOf(now) - limits.useDays, dayOf(before)),
    rows,
  )
  const days = yield statement(
    `delete from use_days where (day, authorization_id) in
       (select day, authorization_id from use_days where day < ?
        order by day, authorization_id limit ?) returning day`,
    dayOf(before),
    rows - entries.length,
  )
  const collectors = yield statement(
    `delete from pings where id in (select id from pings where id > ? and id < ? and turn < ?
       order by id limit ?) returning id`,
    collectorPrefix,
    `${collectorPrefix}~`,
    (now - limits.useCollectorSeconds) * 1000,
    rows - entries.length - days.length,
  )
  return entries.length + days.length + collectors.length
}

/** `day authorization` as the walk keeps its place. */
const placeOf = (after: string): readonly Value[] => {
  const [day = '', id = ''] = after.split(' ')
  return [Number(day), id]
}

const within = '(u.day, u.authorization_id) > (?, ?) and (u.day, u.authorization_id) <= (?, ?)'
const orphaned = 'not exists (select 1 from authorizations a where a.id = u.authorization_id)'

/**
 * Uses of authorizations that have ended: nobody can read them any more. A day has its row for as
 * long as there is any entry of it, so the entries are found by way of the days.
 */
export function* purgeOrphanedUses(after: string, _now: number, rows: number): Step<Purged> {
  const from = placeOf(after)
  const last = first(
    yield statement(
      `select day, authorization_id from
         (select day, authorization_id from use_days where (day, authorization_id) > (?, ?)
          order by day, authorization_id limit ?) walked
       order by day desc, authorization_id desc limit 1`,
      ...from,
      rows,
    ),
  )
  if (last === null) return { next: null, went: 0 }
  const range = [...from, integer(last.day), text(last.authorization_id)]
  const entries = yield statement(
    `delete from use_entries where (day, authorization_id, entry) in
       (select e.day, e.authorization_id, e.entry from use_days u cross join use_entries e
        where ${within} and ${orphaned} and e.day = u.day and e.authorization_id = u.authorization_id
        limit ?) returning day`,
    ...range,
    rows,
  )
  // There may be more: the walk goes on from here only when none of them is left.
  if (entries.length > 0) return { next: after, went: entries.length }
  const days = yield statement(
    `delete from use_days where (day, authorization_id) in
       (select u.day, u.authorization_id from use_days u where ${within} and ${orphaned})
     returning day`,
    ...range,
  )
  return { next: `${integer(last.day)} ${text(last.authorization_id)}`, went: days.length }
}
