/**
 * Changes as nodes on one PostgreSQL tell them to one another (decision 0069). A transaction that
 * changes cached things writes one row with their names, under its own id.
 */
import { invalidates } from '../../sql/records.ts'
import { type Row, type Statement, type Step, statement } from '../../sql/statement.ts'

export const changeLimits = {
  /** Transactions that one check takes in. After more than that, the whole cache is invalidated. */
  transactions: 1000,
  /** The rows of changes are swept so often. Each sweep invalidates the cache of every node. */
  sweepSeconds: 60,
  /** Rows that one sweep deletes at most, so that it stays within the time limit of a statement. */
  sweptRows: 300_000,
  /** A node of an earlier version counts as running for so long after it noted its time. */
  earlierNodeSeconds: 60,
} as const

/** Rows may be gone that somebody has not seen. */
const everything = '*'

/** A row with the same id can only come from a dump of another cluster. */
const insertChanges = `insert into changes (xid, things) values (pg_current_xact_id(), ?)
  on conflict (xid) do update set things = excluded.things`

/** The statement that these steps need beside their own, or null if they change nothing cached. */
export const noteOf = (
  calls: readonly { readonly name: string; readonly args: readonly unknown[] }[],
): Statement | null => {
  const known: Readonly<Record<string, unknown>> = invalidates
  const things = new Set<string>()
  for (const { name, args } of calls) {
    const changed = known[name]
    if (typeof changed === 'function') for (const thing of changed(...args)) things.add(thing)
  }
  return things.size === 0 ? null : statement(insertChanges, [...things].join('\n'))
}

const together = new Map<string, string>()

/** A single statement takes the note along, so it needs no transaction around it. */
export const addNote = (
  statements: readonly Statement[],
  note: Statement | null,
): readonly Statement[] => {
  const [first] = statements
  if (note === null || first === undefined) return statements
  if (statements.length > 1) return [...statements, note]
  let sql = together.get(first.sql)
  if (sql === undefined) {
    sql = `with noted as (${note.sql}) ${first.sql}`
    together.set(first.sql, sql)
  }
  return [statement(sql, ...note.params, ...first.params)]
}

/**
 * Deletes the rows, and says so by a row of its own. Whoever misses a deleted row sees that one.
 * The sweep also deletes rows of another cluster, which came with a dump.
 */
export function* sweepChanges(): Step<void> {
  yield statement(
    `with due as (select extract(epoch from now())::bigint as now where not exists
        (select 1 from changes where swept_at between
          extract(epoch from now())::bigint - ${changeLimits.sweepSeconds}
          and extract(epoch from now())::bigint)),
      swept as (delete from changes where exists (select 1 from due) and xid in
        (select xid from changes order by xid limit ${changeLimits.sweptRows}))
    insert into changes (xid, things, swept_at)
      select pg_current_xact_id(), '${everything}', now from due`,
  )
}

/** What a check has seen, as PostgreSQL tells it apart: `before` all, but for those under way. */
export interface Seen {
  readonly before: string
  readonly underWay: string
  /** The process of PostgreSQL that answered. Behind a pooler another one may answer next. */
  readonly server: number
}

/** No transaction has so high an id. */
const highest: Seen = { before: '18446744073709551615', underWay: '{}', server: 0 }

/**
 * What was committed since. The rows have an index by id, so this reads only new rows, however long
 * a transaction stays open. The order makes sure of the index.
 */
export const askChanges = (seen: Seen | null): Statement => {
  const { before, underWay } = seen ?? highest
  return statement(
    `select pg_current_snapshot()::text as snapshot, pg_backend_pid() as server,
      count(*) as transactions,
      string_agg(things, chr(10)) as things,
      exists (select 1 from pings where id >= 'time 0' and id < 'time g' and turn >
        extract(epoch from now())::bigint - ${changeLimits.earlierNodeSeconds}) as beside_earlier
    from ((select things from changes where xid >= ?::xid8
        order by xid desc limit ${changeLimits.transactions + 1})
      union all select things from changes where xid = any(?::xid8[])) as changed`,
    before,
    underWay,
  )
}

/**
 * Reads the answer of `askChanges`. A node of an earlier version writes no such rows, so beside one
 * nothing is known. Another server may give an old transaction id to a new transaction.
 *
 * @returns null for `things` where anything may have changed
 */
export const decodeChanges = (row: Row | undefined, since: Seen | null) => {
  const [, before, underWay = ''] = String(row?.snapshot).split(':')
  if (before === undefined || row?.beside_earlier !== 'f') return { things: null, seen: null }
  const seen = { before, underWay: `{${underWay}}`, server: Number(row.server) }
  const things = row.things === null ? [] : String(row.things).split('\n')
  const isWhole =
    since?.server === seen.server &&
    Number(row.transactions) <= changeLimits.transactions &&
    !things.includes(everything)
  return { things: isWhole ? things : null, seen }
}
