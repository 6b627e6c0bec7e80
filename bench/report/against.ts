/** This commit and an earlier one, by what a request takes on each. */
import type { Operation } from '../load/job.ts'
import type { Row } from '../results.ts'
import { renderTable, whole } from './markdown.ts'

/** A database of PostgreSQL begins empty, and no other one does. */
const isOnPostgres = ({ stored }: Row): boolean => stored === 0

const share = (now: number | null | undefined, before: number | null): string =>
  now == null || before === null || before === 0 ? '' : (now / before).toFixed(2)

/** Nothing where no earlier commit was asked for. */
export const renderAgainst = (
  rows: readonly Row[],
  titles: Readonly<Record<Operation, string>>,
): string => {
  const earlier = rows.filter(({ commit }) => commit !== null)
  const [any] = earlier
  if (any === undefined) return ''
  const lines = earlier.map((before) => {
    const now = rows.find(
      (row) =>
        row.kind === 'ours' &&
        row.operation === before.operation &&
        row.commit === null &&
        isOnPostgres(row) === isOnPostgres(before),
    )
    return [
      titles[before.operation] + (isOnPostgres(before) ? ', PostgreSQL' : ''),
      whole(before.perSecond),
      whole(now?.perSecond ?? 0),
      share(now?.perSecond, before.perSecond),
      share(now?.cpuMicroseconds, before.cpuMicroseconds),
    ]
  })
  const head = ['', 'then /s', 'now /s', 'speed, now : then', 'CPU, now : then']
  return `### Against commit ${any.commit}\n\n${renderTable([head, ...lines])}\n`
}
