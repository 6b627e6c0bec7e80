/** Uses: added up by day, and by what is alike within a minute. */
import { limits } from '../../config/limits.ts'
import type { AuthorizationId } from '../../model/ids.ts'
import { dayOf, type NotedUse, type Use, type UseAction, type UseDay } from '../../model/use.ts'
import type { Page, Store, UseBatch, UsesOf } from '../store.ts'
import { lookedBackTo, remembered } from './authorization-row.ts'
import { pageOf } from './page.ts'
import { integer, text } from './row.ts'
import { type Read, type Row, type Step, statement, type Value } from './statement.ts'

/** How the keys of a day begin. */
export const keyOfDay = (day: number): string => String(Math.max(0, day)).padStart(5, '0')

/** The key of a day, and the beginning of the keys of its entries: `20778 01k3hq9v7w0000000000000000`. */
const dayKey = (day: number, id: AuthorizationId): string => `${keyOfDay(day)} ${id}`

/**
 * What comes after that, beginning with the minute of the day: `0734 read allowed 192.0.2.* photos`,
 * with `-` for a network that is not known.
 */
const entryOf = ({ used, allowed, network, lastAt }: NotedUse): string => {
  const minute = String(Math.floor((lastAt % 86_400) / 60)).padStart(4, '0')
  const colon = used.lastIndexOf(':')
  const outcome = allowed ? 'allowed' : 'refused'
  return [minute, used.slice(colon + 1), outcome, network || '-', used.slice(0, colon)].join(' ')
}

const dayIn = (id: string): number => Number(id.slice(0, id.indexOf(' ')))

const decodeUse = (row: Row): Use => {
  const [day, , minute, action, outcome, network = '', ...resource] = text(row.id).split(' ')
  return {
    minute: Number(day) * 1440 + Number(minute),
    resource: resource.join(' '),
    action: action as UseAction,
    allowed: outcome === 'allowed',
    network: network === '-' ? '' : network,
    uses: integer(row.uses),
    lastAt: integer(row.last_at),
  }
}

/** A table whose rows are added to. */
interface Sums {
  readonly insert: string
  readonly columns: number
  readonly conflict: string
}

const daySums: Sums = {
  insert: 'insert into use_days (id, authorization_id, reads, writes, checks, refused) values',
  columns: 6,
  conflict: `on conflict (id) do update set
    reads = use_days.reads + excluded.reads, writes = use_days.writes + excluded.writes,
    checks = use_days.checks + excluded.checks, refused = use_days.refused + excluded.refused`,
}

const entrySums: Sums = {
  insert: 'insert into use_entries (id, authorization_id, uses, last_at) values',
  columns: 4,
  conflict: `on conflict (id) do update set
    uses = use_entries.uses + excluded.uses,
    last_at = case when use_entries.last_at < excluded.last_at then excluded.last_at
      else use_entries.last_at end`,
}

/** Rows go in pieces of these sizes, so that there are only so many texts of statements. */
const sizes = [64, 16, 4, 1] as const

const marks = (count: number, one: string): string => Array(count).fill(one).join(', ')

/** @param rows by their keys, in the order of which two nodes that write the same do not entangle */
function* add({ insert, columns, conflict }: Sums, rows: Map<string, Value[]>): Step<void> {
  const ordered = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  let from = 0
  for (const size of sizes) {
    const sql = `${insert} ${marks(size, `(${marks(columns, '?')})`)} ${conflict}`
    for (; ordered.length - from >= size; from += size) {
      yield statement(sql, ...ordered.slice(from, from + size).flat())
    }
  }
}

const columnOf = ({ used, allowed }: NotedUse): number => {
  if (!allowed) return 5
  return used.endsWith(':read') ? 2 : used.endsWith(':write') ? 3 : 4
}

const sumsOf = (uses: readonly NotedUse[]) => {
  const days = new Map<string, Value[]>()
  const entries = new Map<string, Value[]>()
  for (const use of uses) {
    const { authorizationId, lastAt } = use
    const day = dayKey(dayOf(lastAt), authorizationId)
    const sums = days.get(day) ?? [day, authorizationId, 0, 0, 0, 0]
    const column = columnOf(use)
    sums[column] = Number(sums[column]) + use.uses
    days.set(day, sums)

    const entry = `${day} ${entryOf(use)}`
    const sum = entries.get(entry) ?? [entry, authorizationId, 0, lastAt]
    sum[2] = Number(sum[2]) + use.uses
    sum[3] = Math.max(Number(sum[3]), lastAt)
    entries.set(entry, sum)
  }
  return { days, entries }
}

const lastUsesTogether = 50

const writeLastUses = `update authorizations set last_used_at = ?
  where id in (${marks(lastUsesTogether, '?')}) and (last_used_at is null or last_used_at < ?)`

/** Many were used in the same second: they are written together. */
function* noteLastUses(uses: readonly NotedUse[]): Step<void> {
  const latest = new Map<AuthorizationId, number>()
  for (const { authorizationId: id, allowed, lastAt } of uses) {
    if (allowed) latest.set(id, Math.max(lastAt, latest.get(id) ?? 0))
  }
  for (const [at, used] of Map.groupBy(latest, ([, at]) => at)) {
    const ids = used.map(([id]) => id).sort()
    for (let from = 0; from < ids.length; from += lastUsesTogether) {
      const some = ids.slice(from, from + lastUsesTogether)
      // Always as many, so that the text is one and the same.
      const padded = Array.from({ length: lastUsesTogether }, (_, i) => some[i] ?? some[0] ?? '')
      yield statement(writeLastUses, at, ...padded, at)
    }
  }
}

/** The name under which `pings` holds the turn of a collector. */
export const collectorPrefix = 'uses '

export function* recordUses({ collector, turn, uses }: UseBatch): Step<void> {
  const isNew = yield statement(
    `insert into pings (id, turn) values (?, ?) on conflict (id) do update set turn = excluded.turn
       where pings.turn < excluded.turn returning turn`,
    collectorPrefix + collector,
    turn,
  )
  if (isNew.length === 0) return
  yield* noteLastUses(uses)
  const { days, entries } = sumsOf(uses)
  yield* add(daySums, days)
  yield* add(entrySums, entries)
}

const daysTogether = 31

const countSql = `select u.* from use_days u where u.id in (${marks(daysTogether, '?')})
  and exists (select 1 from authorizations a where a.id = ? and a.owner_id = ? and ${remembered})
  order by u.id desc`

/** The latest first. Their keys are known, so they are looked for one by one. */
const countDays = async (
  read: Read,
  { authorizationId: id, ownerId }: UsesOf,
  [earliest, latest]: readonly [number, number],
  now: number,
): Promise<readonly UseDay[]> => {
  const rows: Row[] = []
  for (let day = latest; day >= earliest; day -= daysTogether) {
    // Always as many, so that the text is one and the same.
    const keys = Array.from({ length: daysTogether }, (_, ago) =>
      dayKey(Math.max(earliest, day - ago), id),
    )
    rows.push(...(await read(countSql, [...keys, id, ownerId, lookedBackTo(now)])))
  }
  return rows.map((row) => ({
    day: dayIn(text(row.id)),
    reads: integer(row.reads),
    writes: integer(row.writes),
    checks: integer(row.checks),
    refused: integer(row.refused),
  }))
}

export const countUses = (
  read: Read,
  ...[of, days, now]: Parameters<Store['countUses']>
): Promise<readonly UseDay[]> => countDays(read, of, [dayOf(now) - days + 1, dayOf(now)], now)

/** A page ends at a day and what comes after it in the key of the entry. */
const placeOf = (row: Row): string => {
  const [day, , ...entry] = text(row.id).split(' ')
  return `${day} ${entry.join(' ')}`
}

export const listUses = async (
  read: Read,
  ...[of, before, limit, now]: Parameters<Store['listUses']>
): Promise<Page<Use>> => {
  const earliest = dayOf(now) - limits.useDays
  const [, beforeDay, beforeEntry = ''] = /^(\d+) (.*)$/.exec(before ?? '') ?? []
  const latest = Math.min(dayOf(now), Number(beforeDay ?? dayOf(now)))
  const rows: Row[] = []
  for (const { day } of await countDays(read, of, [earliest, latest], now)) {
    const key = dayKey(day, of.authorizationId)
    // A space begins what comes after the key, and `!` comes after the space.
    const end = day === Number(beforeDay) ? `${key} ${beforeEntry}` : `${key}!`
    const found = await read(
      `select id, uses, last_at from use_entries where id > ? and id < ? order by id desc limit ?`,
      [key, end, limit + 1 - rows.length],
    )
    rows.push(...found)
    if (rows.length > limit) break
  }
  const page = pageOf(rows, limit, (row) => row, placeOf)
  return { rows: page.rows.map(decodeUse), next: page.next }
}
