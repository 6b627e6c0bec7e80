/** The access log: requests of applications under owners' authorizations. */
import { limits } from '../../../config/limits.ts'
import { dayOf } from '../../../model/use.ts'
import type { UseSteps } from '../../contract/use.ts'
import { table } from '../../schema/table.ts'
import type { Purged, PurgeStep, StoreRecord } from '../../sql/record.ts'
import { integer, text } from '../../sql/row.ts'
import { findOne, type Step, sql, statement } from '../../sql/statement.ts'
import { collectorPrefix, recordUses } from './record-uses.ts'
import { countUses, listUses } from './uses.ts'

/**
 * The oldest are the first in the order of the key. Collectors that stopped long ago go as well. The day
 * of `before.accessLog` is the first that stays.
 */
export function* purgeUses({ now, before, mostRows }: PurgeStep): Step<Purged> {
  const firstDay = dayOf(before.accessLog)
  const days = yield sql`delete from access_log
    where day < ${firstDay} and (day, authorization_id) in (select day, authorization_id
      from access_log where day < ${firstDay} order by day, authorization_id limit ${mostRows})
      returning day`
  const collectors = yield statement(
    `delete from pings where id in (select id from pings where id > ? and id < ? and turn < ?
       order by id limit ?) returning id`,
    collectorPrefix,
    `${collectorPrefix}~`,
    (now - limits.useCollectorSeconds) * 1000,
    mostRows - days.length,
  )
  return { next: null, went: days.length + collectors.length }
}

/** `20778 01k3hq9v7w0000000000000000` */
const placePattern = /^(\d+) (.*)$/

/** Of authorizations that are gone: nobody can read them any more. A day is also given by itself, so that one partition is read. */
export function* purgeOrphanedUses({ after, mostRows }: PurgeStep): Step<Purged> {
  const [, day = '0', id = ''] = placePattern.exec(after) ?? []
  const last =
    yield* findOne(sql`select day, authorization_id from (select day, authorization_id from access_log
        where day >= ${Number(day)} and (day, authorization_id) > (${Number(day)}, ${id})
        order by day, authorization_id limit ${mostRows}) walked
      order by day desc, authorization_id desc limit 1`)
  if (last === null) return { next: null, went: 0 }
  const [lastDay, lastId] = [integer(last.day), text(last.authorization_id)]
  const gone = yield sql`delete from access_log
    where day >= ${Number(day)} and day <= ${lastDay} and (day, authorization_id) > (${Number(day)},
      ${id}) and (day, authorization_id) <= (${lastDay}, ${lastId}) and not exists (select 1
      from authorizations a where a.id = access_log.authorization_id) returning day`
  return { next: `${lastDay} ${lastId}`, went: gone.length }
}

export const useRecord: StoreRecord<UseSteps> = {
  tables: [
    table(
      'access_log',
      ['day', 'authorization_id'],
      ['revision', 'reads', 'writes', 'checks', 'refused', 'last_at', 'lines'],
      'all',
    ),
  ],
  reads: { listUses, countUses },
  steps: { recordUses },
  // The cache does not hold when something was last used.
  invalidates: { recordUses: 'nothing' },
  alone: ['recordUses'],
  purges: { uses: purgeUses, orphanedUses: purgeOrphanedUses },
}
