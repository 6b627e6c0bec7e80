/** The access log: requests of applications under owners' authorizations. */

import type { AuthorizationId } from '../../../model/ids.ts'
import { computeDay, type NotedUse, type UseDay } from '../../../model/use.ts'
import type { UseSteps, UsesOf } from '../../contract/event.ts'
import { storeLimits } from '../../limits.ts'
import { insertRows } from '../../schema/table.ts'
import type { Purged, PurgeStep, Reads, Steps, StoreRecord } from '../../sql/record.ts'
import { integer, text } from '../../sql/row.ts'
import {
  ask,
  cutPieces,
  findOne,
  listOf,
  type Read,
  type Row,
  type Rows,
  type Step,
  sql,
  touches,
} from '../../sql/statement.ts'
import { existing, matchRemembered } from '../authorization/authorization-row.ts'
import { accessLog, addUses, decodeLines, emptyRow, type LogRow, sortNewest } from './log-row.ts'

function* findRows(day: number, ids: readonly AuthorizationId[]): Step<readonly LogRow[]> {
  const found = new Map<AuthorizationId, LogRow>()
  for (const piece of cutPieces(ids)) {
    const rows: Rows = yield sql`select * from access_log
      where day = ${day} and authorization_id in ${listOf(piece)}`
    for (const row of rows.map(accessLog.decode)) found.set(row.authorizationId, row)
  }
  return ids.map((id) => found.get(id) ?? emptyRow(day, id))
}

/** @returns the first allowed use of the day, of those authorizations that had none yet */
function* writeDay(
  day: number,
  uses: ReadonlyMap<AuthorizationId, readonly NotedUse[]>,
): Step<Map<AuthorizationId, number>> {
  const firstUses = new Map<AuthorizationId, number>()
  // In one order, so that two nodes that write the same rows do not wait for one another in a circle.
  for (let left = [...uses.keys()].sort(); left.length > 0; ) {
    const written = new Set<string>()
    for (const piece of cutPieces(yield* findRows(day, left))) {
      const rows = piece.map((row) => addUses(row, uses.get(row.authorizationId) ?? []))
      // Only an unchanged row: each change gives it a later revision.
      const done: Rows =
        yield sql`${insertRows(accessLog, rows.map(accessLog.encode))} ${accessLog.overwrite}
          where access_log.revision = excluded.revision - 1 returning authorization_id`
      for (const row of done) written.add(text(row.authorization_id))
      for (const [i, { authorizationId, lastAt }] of rows.entries()) {
        const isFirst = piece[i]?.lastAt === null && lastAt !== null
        if (isFirst && written.has(authorizationId)) firstUses.set(authorizationId, lastAt)
      }
    }
    left = left.filter((id) => !written.has(id))
  }
  return firstUses
}

const firstUsesTogether = 50

/**
 * An authorization knows only on which day it was used last, from the first use of that day. So most
 * uses leave its row alone; the row of the day knows the time.
 */
function* noteFirstUses(firstUses: ReadonlyMap<AuthorizationId, number>): Step<void> {
  for (const [at, used] of Map.groupBy(firstUses, ([, at]) => at)) {
    const ids = used.map(([id]) => id).sort()
    for (let from = 0; from < ids.length; from += firstUsesTogether) {
      const some = ids.slice(from, from + firstUsesTogether)
      // Always as many, so that the text is one and the same.
      const padded = Array.from({ length: firstUsesTogether }, (_, i) => some[i] ?? some[0] ?? '')
      yield sql`update authorizations set last_used_at = ${at} where id in ${listOf(padded)}
        and (last_used_at is null or last_used_at < ${at})`
    }
  }
}

/** The name under which `pings` holds the turn of a collector. */
const collectorPrefix = 'uses '

/** False where the batch of this turn was written already. */
export function* claimTurn(collector: string, turn: number): Step<boolean> {
  return yield* touches(sql`insert into pings (id, turn)
    values (${collectorPrefix + collector}, ${turn})
    on conflict (id) do update set turn = excluded.turn
    where pings.turn < excluded.turn returning turn`)
}

const recordUses: Steps['recordUses'] = function* ({ collector, turn, uses }) {
  if (!(yield* claimTurn(collector, turn))) return
  const days = [...Map.groupBy(uses, ({ lastAt }) => computeDay(lastAt))].sort(([a], [b]) => a - b)
  for (const [day, ofDay] of days) {
    const byAuthorization = Map.groupBy(ofDay, ({ authorizationId }) => authorizationId)
    yield* noteFirstUses(yield* writeDay(day, byAuthorization))
  }
}

const daysTogether = 31

/** The latest first, some at a time. Their keys are known, so they are looked for one by one. */
async function* findDays(
  read: Read,
  { authorizationId: id, ownerId }: UsesOf,
  [earliest, latest]: readonly [number, number],
  now: number,
): AsyncGenerator<Rows> {
  for (let day = latest; day >= earliest; day -= daysTogether) {
    // Always as many, so that the text is one and the same.
    const days = Array.from({ length: daysTogether }, (_, ago) => Math.max(earliest, day - ago))
    yield await ask(
      read,
      sql`select u.* from access_log u where u.day in ${listOf(days)} and u.authorization_id = ${id}
        and exists (select 1 from authorizations a where a.id = ${id} and a.owner_id = ${ownerId}
          and ${matchRemembered(now)} and ${existing})
        order by u.day desc`,
    )
  }
}

const countUses: Reads['countUses'] = async (read, of, days, now) => {
  const today = computeDay(now)
  const counted: UseDay[] = []
  for await (const rows of findDays(read, of, [today - days + 1, today], now)) {
    for (const row of rows) {
      const { authorizationId, revision, lastAt, lines, ...counts } = accessLog.decode(row)
      counted.push(counts)
    }
  }
  return counted
}

const listLines = (row: Row) => {
  const day = integer(row.day)
  return sortNewest(decodeLines(day, row.lines)).map((one) => ({ day, ...one }))
}

/** A page ends at a day, and at the place of a line in it; a purge, at a day and an authorization. */
const endPattern = /^(\d+) (.*)$/

const listUses: Reads['listUses'] = async (read, of, days, before, limit, now) => {
  const today = computeDay(now)
  const [, lastDay, lastPlace = ''] = endPattern.exec(before ?? '') ?? []
  const latest = lastDay === undefined ? today : Math.min(today, Number(lastDay))
  const found: ReturnType<typeof listLines> = []
  for await (const rows of findDays(read, of, [today - days + 1, latest], now)) {
    const lines = rows.flatMap(listLines)
    found.push(...lines.filter(({ day, place }) => day !== Number(lastDay) || place < lastPlace))
    if (found.length > limit) break
  }
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const isMore = found.length > limit && last !== undefined
  return { rows: page.map(({ line }) => line), next: isMore ? `${last.day} ${last.place}` : null }
}

/**
 * The oldest are the first in the order of the key. Collectors that stopped long ago go as well. The day
 * of `before.accessLog` is the first that stays.
 */
function* purgeUses({ now, before, mostRows }: PurgeStep): Step<Purged> {
  const firstDay = computeDay(before.accessLog)
  const days = yield sql`delete from access_log
    where day < ${firstDay} and (day, authorization_id) in (select day, authorization_id
      from access_log where day < ${firstDay} order by day, authorization_id limit ${mostRows})
      returning day`
  const collectors = yield sql`delete from pings where id in (select id from pings
    where id > ${collectorPrefix} and id < ${`${collectorPrefix}~`}
      and turn < ${(now - storeLimits.useCollectorSeconds) * 1000}
    order by id limit ${mostRows - days.length}) returning id`
  return { next: null, went: days.length + collectors.length }
}

/** Of authorizations that are gone: nobody can read them any more. */
function* purgeOrphanedUses({ after, mostRows }: PurgeStep): Step<Purged> {
  const [, day = '0', id = ''] = endPattern.exec(after) ?? []
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
  tables: [accessLog],
  reads: { listUses, countUses },
  steps: { recordUses },
  // The cache does not hold when something was last used.
  invalidates: 'nothing',
  alone: ['recordUses'],
  purges: { uses: purgeUses, orphanedUses: purgeOrphanedUses },
}
