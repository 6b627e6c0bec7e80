/** Uses are read out of the access log, for their owner alone. */
import { dayOf, type Use, type UseDay } from '../../../model/use.ts'
import { integer } from '../../sql/row.ts'
import type { Read, Row, Rows } from '../../sql/statement.ts'
import type { Page, Store, UsesOf } from '../../store.ts'
import { existing, lookedBackTo, remembered } from '../authorization/authorization-row.ts'
import { decodeLines, newestFirst } from './log-lines.ts'
import { decodeDay } from './log-row.ts'

const daysTogether = 31

const findSql = `select u.* from access_log u
  where u.day in (${Array(daysTogether).fill('?').join(', ')}) and u.authorization_id = ?
  and exists (select 1 from authorizations a where a.id = ? and a.owner_id = ? and ${remembered} and ${existing.sql})
  order by u.day desc`

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
    yield await read(findSql, [...days, id, id, ownerId, lookedBackTo(now)])
  }
}

export const countUses = async (
  read: Read,
  ...[of, days, now]: Parameters<Store['countUses']>
): Promise<readonly UseDay[]> => {
  const today = dayOf(now)
  const counted: UseDay[] = []
  for await (const rows of findDays(read, of, [today - days + 1, today], now)) {
    counted.push(...rows.map(decodeDay))
  }
  return counted
}

const linesOf = (row: Row) => {
  const day = integer(row.day)
  return newestFirst(decodeLines(day, row.lines)).map((one) => ({ day, ...one }))
}

/** A page ends at a day, and at the place of a line in it. */
const endPattern = /^(\d+) (.*)$/

export const listUses = async (
  read: Read,
  ...[of, days, before, limit, now]: Parameters<Store['listUses']>
): Promise<Page<Use>> => {
  const today = dayOf(now)
  const [, lastDay, lastPlace = ''] = endPattern.exec(before ?? '') ?? []
  const latest = lastDay === undefined ? today : Math.min(today, Number(lastDay))
  const found: ReturnType<typeof linesOf> = []
  for await (const rows of findDays(read, of, [today - days + 1, latest], now)) {
    const lines = rows.flatMap(linesOf)
    found.push(...lines.filter(({ day, place }) => day !== Number(lastDay) || place < lastPlace))
    if (found.length > limit) break
  }
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const isMore = found.length > limit && last !== undefined
  return { rows: page.map(({ line }) => line), next: isMore ? `${last.day} ${last.place}` : null }
}
