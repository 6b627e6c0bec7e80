/**
 * Schema 12: the access log becomes one row for each authorization and day. Before, the counts of a
 * day had a row, and so had each line; their keys were `DAY ID` and
 * `DAY ID MINUTE ACTION OUTCOME NETWORK RESOURCE`.
 */
import type { AuthorizationId } from '../../model/ids.ts'
import type { NotedUse, Used } from '../../model/use.ts'
import { emptyRow, logColumns, withUses } from '../records/use/log-row.ts'
import { integer, text } from '../sql/row.ts'
import { type Row, type Rows, type Step, sql, statement } from '../sql/statement.ts'

const rowsTogether = 500

const useOf = (row: Row): NotedUse => {
  const [, id, , action, outcome, network = '', ...resource] = text(row.id).split(' ')
  return {
    authorizationId: id as AuthorizationId,
    used: `${resource.join(' ')}:${action}` as Used,
    allowed: outcome === 'allowed',
    network: network === '-' ? '' : network,
    uses: integer(row.uses),
    lastAt: integer(row.last_at),
  }
}

function* moveDay(day: Row): Step<void> {
  const key = text(day.id)
  // A space begins what comes after the key of a day, and `!` comes after the space.
  const entries: Rows = yield statement(
    'select id, uses, last_at from use_entries where id > ? and id < ?',
    key,
    `${key}!`,
  )
  const [number, id] = key.split(' ')
  const lines = withUses(emptyRow(Number(number), id as AuthorizationId), entries.map(useOf))
  const row = {
    ...lines,
    // Counts are kept longer than lines.
    reads: integer(day.reads),
    writes: integer(day.writes),
    checks: integer(day.checks),
    refused: integer(day.refused),
  }
  yield logColumns.insert(row)
}

export function* moveUses(): Step<void> {
  for (let after = ''; ; ) {
    const days: Rows = yield sql`select * from use_days
      where id > ${after}
      order by id limit ${rowsTogether}`
    for (const day of days) yield* moveDay(day)
    if (days.length < rowsTogether) return
    after = text(days.at(-1)?.id)
  }
}
