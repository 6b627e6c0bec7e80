/** Counters for charts. */

import {
  type CountedThing,
  type CountKind,
  type CountSpan,
  countSpans,
  type KeptCount,
  otherClients,
} from '../../model/metric.ts'
import type { CountSteps } from '../contract/event.ts'
import { recordLimits } from '../limits.ts'
import { insertRows } from '../schema/table.ts'
import { defineTable } from '../sql/columns.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../sql/record.ts'
import { integer, text } from '../sql/row.ts'
import { all, ask, listOf, type Step, sql } from '../sql/statement.ts'
import { claimTurn } from './use/record.ts'

export const countLimits = {
  /** Clients with rows of their own in one period. All others are added up. */
  clients: {
    funnel: 100,
    guests: 50,
    lax: 1000,
    laxGuests: 50,
    acts: 1000,
    namedActs: 1000,
    actGuests: 50,
  },
  /** Rows that one chart reads. */
  rowsRead: 100_000,
  rowsTogether: 50,
} as const

interface CountRow extends Omit<KeptCount, 'count'> {
  /** The last time; null where nobody asks for it. */
  readonly lastAt: number | null
  readonly span: CountSpan
  readonly expiresAt: number
  readonly n: number
}

/** Numbers of the past open nothing. */
const countTable = defineTable<CountRow>(
  'counts',
  {
    span: 'text',
    at: 'integer',
    kind: 'text',
    clientId: 'text',
    name: 'text',
    expiresAt: 'integer',
    n: 'integer',
    lastAt: 'integer?',
  },
  {
    key: 'span at kind client_id name',
    restored: 'all',
    isTrace: true,
    indexes: ['counts_by_end (expires_at)'],
  },
)

const actKinds: readonly CountKind[] = ['acts', 'namedActs', 'actGuests']

const clientKinds = Object.keys(countLimits.clients) as (keyof typeof countLimits.clients)[]

/** Kinds with a row for each day alone. */
const dailyKinds: readonly CountKind[] = ['lax', 'laxGuests', ...actKinds]

/** The clients of a batch that have no place in a period. */
function* findCrowded(
  { span, at }: Pick<CountRow, 'span' | 'at'>,
  kind: keyof typeof countLimits.clients,
  counts: readonly CountedThing[],
): Step<ReadonlySet<string>> {
  const rows = yield sql`select distinct client_id from counts
    where span = ${span} and at = ${at} and kind = ${kind}`
  const placed = new Set(rows.map((row) => text(row.client_id)))
  const isIncluded = placed.has(otherClients) ? 1 : 0
  const room = countLimits.clients[kind] - placed.size + isIncluded
  const sums = new Map<string, number>()
  for (const { clientId, count } of counts) {
    if (clientId === otherClients || placed.has(clientId)) continue
    sums.set(clientId, (sums.get(clientId) ?? 0) + count)
  }
  // The most frequent take the places that are left.
  const others = [...sums].sort(([, a], [, b]) => b - a).map(([id]) => id)
  return new Set(others.slice(Math.max(0, room)))
}

/** Merges equal rows. All nodes keep one order, so that none waits for another in a circle. */
const mergeRows = (counts: readonly CountedThing[]): readonly CountedThing[] => {
  const rows = new Map<string, CountedThing>()
  for (const one of counts) {
    const key = JSON.stringify([one.kind, one.clientId, one.name])
    rows.set(key, { ...one, count: one.count + (rows.get(key)?.count ?? 0) })
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

/** @param time within the period */
function* addToPeriod(span: CountSpan, time: number, counts: readonly CountedThing[]): Step<void> {
  const { seconds, keepSeconds } = recordLimits.countSpans[span]
  const at = Math.floor(time / seconds) * seconds
  let placed = counts
  for (const kind of clientKinds) {
    const alike = counts.filter((one) => one.kind === kind)
    if (alike.length === 0) continue
    const crowded = yield* findCrowded({ span, at }, kind, alike)
    placed = placed.map((one) =>
      one.kind === kind && crowded.has(one.clientId) ? { ...one, clientId: otherClients } : one,
    )
  }
  const rows = mergeRows(placed)
  for (let from = 0; from < rows.length; ) {
    // Two sizes only, so that there are only two texts of statements.
    const size = rows.length - from >= countLimits.rowsTogether ? countLimits.rowsTogether : 1
    const values = rows.slice(from, from + size).map(({ count: n, ...one }) => {
      const kept = dailyKinds.includes(one.kind) ? recordLimits.laxSeconds : keepSeconds
      const lastAt = actKinds.includes(one.kind) ? time : null
      return countTable.encode({ span, at, ...one, expiresAt: at + kept, n, lastAt })
    })
    yield sql`${insertRows(countTable, values)} on conflict (span, at, kind, client_id, name)
      do update set n = counts.n + excluded.n, last_at =
        case when counts.last_at > excluded.last_at then counts.last_at else excluded.last_at end`
    from += size
  }
}

/** Further uses of the same hour are not noted. */
const useSeconds = 3600

/** Notes the last use of clients that got tokens. In one order, so that two nodes never wait in a circle. */
function* noteUses(at: number, counts: readonly CountedThing[]): Step<void> {
  const tokens = counts.filter(({ kind, name }) => kind !== 'namedActs' && name === 'token')
  const used = [...new Set(tokens.map(({ clientId }) => clientId))].sort()
  for (let from = 0; from < used.length; ) {
    const size = used.length - from >= countLimits.rowsTogether ? countLimits.rowsTogether : 1
    yield sql`update clients set last_used_at = ${at}
      where coalesce(last_used_at, 0) < ${at - useSeconds}
      and deleted_at is null and id in ${listOf(used.slice(from, from + size))}`
    from += size
  }
}

const addCounts: Steps['addCounts'] = function* ({ collector, turn, at, counts }) {
  if (!(yield* claimTurn(`counts ${collector}`, turn))) return
  const acts = counts.filter(({ kind }) => actKinds.includes(kind))
  if (acts.length > 0) yield* noteUses(at, acts)
  const frequent = counts.filter(({ kind }) => !dailyKinds.includes(kind))
  for (const span of countSpans) {
    yield* addToPeriod(span, at, span === 'day' ? counts : frequent)
  }
}

const listCounts: Reads['listCounts'] = async (read, { span, kinds, clientId }, from) => {
  const where = all([
    sql`span = ${span} and at >= ${from} and kind in ${listOf(kinds)}`,
    clientId !== null && sql`client_id = ${clientId}`,
  ])
  const query = sql`select * from counts where ${where}
    order by at, kind, client_id, name limit ${countLimits.rowsRead}`
  return (await ask(read, query)).map((row) => {
    const { span, expiresAt, n: count, lastAt, ...kept } = countTable.decode(row)
    return { ...kept, count }
  })
}

const listDailySums: Reads['listDailySums'] = async (read, kinds, clientId, from) => {
  const where = all([
    sql`span = 'day' and at >= ${from} and kind in ${listOf(kinds)}`,
    clientId !== null && sql`client_id = ${clientId}`,
  ])
  const query = sql`select kind, client_id, name, max(at) as at, cast(sum(n) as bigint) as n
    from counts where ${where} group by kind, client_id, name
    order by client_id, name, kind limit ${countLimits.rowsRead}`
  return (await ask(read, query)).map((row) => ({
    at: integer(row.at),
    kind: text(row.kind) as CountKind,
    clientId: text(row.client_id),
    name: text(row.name),
    count: integer(row.n),
  }))
}

/** Each day by its key: the rows of all clients would be many. */
const listActs: Reads['listActs'] = async (read, clientId, now) => {
  const { seconds } = recordLimits.countSpans.day
  const today = Math.floor(now / seconds)
  const days = Array.from({ length: recordLimits.actDays }, (_, i) => (today - i) * seconds)
  const query = sql`select at, name, cast(sum(n) as bigint) as n, max(last_at) as last_at from counts
    where span = 'day' and at in ${listOf(days)} and kind in ${listOf(actKinds)}
      and client_id = ${clientId}
    group by at, name order by at, name`
  return (await ask(read, query)).map((row) => ({
    at: integer(row.at),
    name: text(row.name),
    count: integer(row.n),
    lastAt: integer(row.last_at ?? 0),
  }))
}

export const countRecord: StoreRecord<CountSteps> = {
  tables: [countTable],
  reads: { listCounts, listDailySums, listActs },
  steps: { addCounts },
  invalidates: 'nothing',
  alone: ['addCounts'],
  endPurges: [purgeAtEnd('counts', '(span, at, kind, client_id, name)', 'expires_at')],
}
