/** Counters for charts. */
import type { CountSteps } from '../../contract/count.ts'
import { traceTable } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { addCounts, listCounts } from './counts.ts'

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
  invalidates: { addCounts: 'nothing' },
  alone: ['addCounts'],
  endPurges: [
    {
      sql: `delete from counts where (span, at, kind, client_id, name) in
        (select span, at, kind, client_id, name from counts where expires_at <= ?
         order by expires_at limit ?) returning n`,
      afterSeconds: 0,
    },
  ],
}
