/** A row of the access log: what one authorization was used for on one day (UTC). */
import type { AuthorizationId } from '../../../model/ids.ts'
import type { NotedUse, UseDay } from '../../../model/use.ts'
import { integer, integerOrNull, text } from '../../sql/row.ts'
import type { Row, Value } from '../../sql/statement.ts'
import { addToLines, noLines } from './log-lines.ts'

/** A row of the access log. */
export interface LogRow extends UseDay {
  readonly authorizationId: AuthorizationId
  /** Grows with each change. A writer names the revision that it read. */
  readonly revision: number
  /** Unix seconds of the last allowed use of the day, or null. */
  readonly lastAt: number | null
  /** As `log-lines.ts` packs them. */
  readonly lines: string
}

export const logColumns = [
  'day',
  'authorization_id',
  'revision',
  'reads',
  'writes',
  'checks',
  'refused',
  'last_at',
  'lines',
] as const

export const decodeDay = (row: Row): UseDay => ({
  day: integer(row.day),
  reads: integer(row.reads),
  writes: integer(row.writes),
  checks: integer(row.checks),
  refused: integer(row.refused),
})

export const decodeRow = (row: Row): LogRow => ({
  ...decodeDay(row),
  authorizationId: text(row.authorization_id) as AuthorizationId,
  revision: integer(row.revision),
  lastAt: integerOrNull(row.last_at),
  lines: text(row.lines),
})

export const emptyRow = (day: number, authorizationId: AuthorizationId): LogRow => ({
  day,
  authorizationId,
  revision: 0,
  reads: 0,
  writes: 0,
  checks: 0,
  refused: 0,
  lastAt: null,
  lines: noLines,
})

const countOf = ({ used, allowed }: NotedUse): 'reads' | 'writes' | 'checks' | 'refused' => {
  if (!allowed) return 'refused'
  return used.endsWith(':read') ? 'reads' : used.endsWith(':write') ? 'writes' : 'checks'
}

/** The row with more uses of its day. */
export const withUses = (row: LogRow, uses: readonly NotedUse[]): LogRow => {
  const sums = { ...row }
  for (const use of uses) {
    sums[countOf(use)] += use.uses
    if (use.allowed) sums.lastAt = Math.max(use.lastAt, sums.lastAt ?? 0)
  }
  return { ...sums, revision: row.revision + 1, lines: addToLines(row.day, row.lines, uses) }
}

/** In the order of the columns. */
export const valuesOf = (row: LogRow): readonly Value[] => [
  row.day,
  row.authorizationId,
  row.revision,
  row.reads,
  row.writes,
  row.checks,
  row.refused,
  row.lastAt,
  row.lines,
]
