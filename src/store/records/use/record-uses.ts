/** Uses are written: one row of the access log for each authorization and day that they are of. */
import type { AuthorizationId } from '../../../model/ids.ts'
import { dayOf, type NotedUse } from '../../../model/use.ts'
import { text } from '../../sql/row.ts'
import { type Rows, type Step, sql, statement, touches } from '../../sql/statement.ts'
import type { UseBatch } from '../../store.ts'
import { emptyRow, type LogRow, logColumns, withUses } from './log-row.ts'

const marks = (count: number, one: string): string => Array(count).fill(one).join(', ')

/** Rows go in pieces of these sizes, so that there are only so many texts of statements. */
const sizes = [64, 16, 4, 1] as const

function* inPieces<Entry>(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let from = 0
  for (const size of sizes) {
    for (; entries.length - from >= size; from += size) yield entries.slice(from, from + size)
  }
}

const { names, encode, decode } = logColumns

/** Only an unchanged row: each change gives it a later revision. */
const write = (rows: number): string => `insert into access_log (${names.join(', ')})
  values ${marks(rows, `(${marks(names.length, '?')})`)}
  on conflict (day, authorization_id) do update set revision = excluded.revision,
    reads = excluded.reads, writes = excluded.writes, checks = excluded.checks,
    refused = excluded.refused, last_at = excluded.last_at, lines = excluded.lines
  where access_log.revision = excluded.revision - 1
  returning authorization_id`

/** What was collected of one day, by authorization. */
type UsesOfDay = Map<AuthorizationId, readonly NotedUse[]>

function* findRows(day: number, ids: readonly AuthorizationId[]): Step<readonly LogRow[]> {
  const found = new Map<AuthorizationId, LogRow>()
  for (const piece of inPieces(ids)) {
    const rows: Rows = yield statement(
      `select ${names.join(', ')} from access_log
       where day = ? and authorization_id in (${marks(piece.length, '?')})`,
      day,
      ...piece,
    )
    for (const row of rows.map(decode)) found.set(row.authorizationId, row)
  }
  return ids.map((id) => found.get(id) ?? emptyRow(day, id))
}

/** @returns the first allowed use of the day, of those authorizations that had none yet */
function* writeDay(day: number, uses: UsesOfDay): Step<Map<AuthorizationId, number>> {
  const firstUses = new Map<AuthorizationId, number>()
  // In one order, so that two nodes that write the same rows do not wait for one another in a circle.
  for (let left = [...uses.keys()].sort(); left.length > 0; ) {
    const written = new Set<string>()
    for (const piece of inPieces(yield* findRows(day, left))) {
      const rows = piece.map((row) => withUses(row, uses.get(row.authorizationId) ?? []))
      const done: Rows = yield statement(write(rows.length), ...rows.flatMap(encode))
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

const writeFirstUses = `update authorizations set last_used_at = ?
  where id in (${marks(firstUsesTogether, '?')}) and (last_used_at is null or last_used_at < ?)`

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
      yield statement(writeFirstUses, at, ...padded, at)
    }
  }
}

/** The name under which `pings` holds the turn of a collector. */
export const collectorPrefix = 'uses '

/** False where the batch of this turn was written already. */
export function* claimTurn(collector: string, turn: number): Step<boolean> {
  return yield* touches(sql`insert into pings (id, turn)
    values (${collectorPrefix + collector}, ${turn})
    on conflict (id) do update set turn = excluded.turn
    where pings.turn < excluded.turn returning turn`)
}

export function* recordUses({ collector, turn, uses }: UseBatch): Step<void> {
  if (!(yield* claimTurn(collector, turn))) return
  const days = [...Map.groupBy(uses, ({ lastAt }) => dayOf(lastAt))].sort(([a], [b]) => a - b)
  for (const [day, ofDay] of days) {
    const byAuthorization = Map.groupBy(ofDay, ({ authorizationId }) => authorizationId)
    yield* noteFirstUses(yield* writeDay(day, byAuthorization))
  }
}
