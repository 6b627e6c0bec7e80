/** A row of the access log: what one authorization was used for on one day (UTC). */
import type { AuthorizationId } from '../../../model/ids.ts'
import type { NotedUse, UseDay } from '../../../model/use.ts'
import { defineTable } from '../../sql/columns.ts'
import type { Row } from '../../sql/statement.ts'
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

/**
 * One row for each authorization and day, which many uses change. The day leads the key, so what is written
 * is near its end. From the first use of a day on `authorizations.last_used_at` is the first use of the last
 * day; the row of that day knows the last.
 */
export const accessLog = defineTable<LogRow>(
  'access_log',
  {
    day: 'small',
    authorizationId: 'text',
    revision: 'small',
    reads: 'integer',
    writes: 'integer',
    checks: 'integer',
    refused: 'integer',
    lastAt: 'integer?',
    lines: 'text',
  },
  { key: 'day authorization_id', restored: 'all' },
)

export const decodeDay = (row: Row): UseDay => {
  const { authorizationId, revision, lastAt, lines, ...day } = accessLog.decode(row)
  return day
}

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
