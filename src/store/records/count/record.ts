/** Counters for charts. */
import {
  type CountedThing,
  type CountKind,
  type CountSpan,
  countSpans,
  type KeptCount,
  otherClients,
} from '../../../model/metric.ts'
import type { CountBatch, CountSteps } from '../../contract/count.ts'
import { recordLimits } from '../../limits.ts'
import { traceTable } from '../../schema/table.ts'
import { purgeAtEnd, type StoreRecord } from '../../sql/record.ts'
import { integer, text } from '../../sql/row.ts'
import { type Read, type Row, type Step, sql, statement } from '../../sql/statement.ts'
import { claimTurn } from '../use/record.ts'

export const countLimits = {
  /** Clients with rows of their own in one period. All others are added up. */
  clients: { funnel: 100, guests: 50 },
  /** Rows that one chart reads. */
  rowsRead: 100_000,
  /** Rows in one statement. */
  rowsTogether: 50,
} as const

export const countTables: readonly string[] = [
  `create table counts (
    span text not null,
    at bigint not null,
    kind text not null,
    client_id text not null,
    name text not null,
    expires_at bigint not null,
    n bigint not null,
    primary key (span, at, kind, client_id, name)
  )`,
  'create index counts_by_end on counts (expires_at)',
]

const columns = 'span, at, kind, client_id, name, expires_at, n'

interface Period {
  readonly span: CountSpan
  readonly at: number
}

const periodOf = (span: CountSpan, at: number): Period => {
  const { seconds } = recordLimits.countSpans[span]
  return { span, at: Math.floor(at / seconds) * seconds }
}

/** Kinds with rows of single clients. */
const clientKinds = ['funnel', 'guests'] as const

/** The most frequent first: they take the places that are left. */
const clientsIn = (counts: readonly CountedThing[]): readonly string[] => {
  const sums = new Map<string, number>()
  for (const { clientId, count } of counts) sums.set(clientId, (sums.get(clientId) ?? 0) + count)
  sums.delete(otherClients)
  return [...sums].sort(([, a], [, b]) => b - a).map(([id]) => id)
}

/** The clients of a batch that have no place in a period. */
function* findCrowded(
  { span, at }: Period,
  kind: (typeof clientKinds)[number],
  counts: readonly CountedThing[],
): Step<ReadonlySet<string>> {
  const rows = yield sql`select distinct client_id from counts
    where span = ${span} and at = ${at} and kind = ${kind}`
  const placed = new Set(rows.map((row) => text(row.client_id)))
  const others = clientsIn(counts).filter((id) => !placed.has(id))
  const isIncluded = placed.has(otherClients) ? 1 : 0
  const room = countLimits.clients[kind] - placed.size + isIncluded
  return new Set(others.slice(Math.max(0, room)))
}

/** Merges equal rows. All nodes keep one order, so that none waits for another in a circle. */
const mergedRows = (counts: readonly CountedThing[]): readonly CountedThing[] => {
  const rows = new Map<string, CountedThing>()
  for (const one of counts) {
    const key = JSON.stringify([one.kind, one.clientId, one.name])
    rows.set(key, { ...one, count: one.count + (rows.get(key)?.count ?? 0) })
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

const insert = (rows: number): string => `insert into counts (${columns})
  values ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?)').join(', ')}
  on conflict (span, at, kind, client_id, name) do update set n = counts.n + excluded.n`

function* addToPeriod(period: Period, counts: readonly CountedThing[]): Step<void> {
  const { span, at } = period
  let placed = counts
  for (const kind of clientKinds) {
    const alike = counts.filter((one) => one.kind === kind)
    if (alike.length === 0) continue
    const crowded = yield* findCrowded(period, kind, alike)
    placed = placed.map((one) =>
      one.kind === kind && crowded.has(one.clientId) ? { ...one, clientId: otherClients } : one,
    )
  }
  const expiresAt = at + recordLimits.countSpans[span].keepSeconds
  const rows = mergedRows(placed)
  for (let from = 0; from < rows.length; ) {
    // Two sizes only, so that there are only two texts of statements.
    const size = rows.length - from >= countLimits.rowsTogether ? countLimits.rowsTogether : 1
    const values = rows
      .slice(from, from + size)
      .flatMap(({ kind, clientId, name, count }) => [
        span,
        at,
        kind,
        clientId,
        name,
        expiresAt,
        count,
      ])
    yield statement(insert(size), ...values)
    from += size
  }
}

function* addCounts({ collector, turn, at, counts }: CountBatch): Step<void> {
  if (!(yield* claimTurn(`counts ${collector}`, turn))) return
  for (const span of countSpans) yield* addToPeriod(periodOf(span, at), counts)
}

const decode = (row: Row): KeptCount => ({
  at: integer(row.at),
  kind: text(row.kind) as CountKind,
  clientId: text(row.client_id),
  name: text(row.name),
  count: integer(row.n),
})

const listCounts = async (
  read: Read,
  ...[{ span, kinds, clientId }, from]: Parameters<CountSteps['listCounts']>
): Promise<readonly KeptCount[]> => {
  const ofClient = clientId === null ? '' : 'and client_id = ?'
  const rows = await read(
    `select * from counts where span = ? and at >= ?
       and kind in (${kinds.map(() => '?').join(', ')}) ${ofClient}
     order by at, kind, client_id, name limit ?`,
    [span, from, ...kinds, ...(clientId === null ? [] : [clientId]), countLimits.rowsRead],
  )
  return rows.map(decode)
}

export const countRecord: StoreRecord<CountSteps> = {
  tables: [
    traceTable(
      'counts',
      ['span', 'at', 'kind', 'client_id', 'name'],
      ['expires_at', 'n'],
      // Numbers of the past open nothing.
      'all',
    ),
  ],
  reads: { listCounts },
  steps: { addCounts },
  invalidates: 'nothing',
  alone: ['addCounts'],
  endPurges: [purgeAtEnd('counts', '(span, at, kind, client_id, name)', 'expires_at')],
}
