/** Counters of wrong passwords and codes. */
import type { GuessingSteps } from '../../contract/owner.ts'
import { traceTable } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { admitAttempt, clearAttempts } from './attempts.ts'

export const attemptRecord: StoreRecord<GuessingSteps> = {
  tables: [traceTable('attempts', ['key'], ['tries', 'blocked_until', 'forget_at'], 'all')],
  reads: {},
  steps: { admitAttempt, clearAttempts },
  invalidates: { admitAttempt: 'nothing', clearAttempts: 'nothing' },
  endPurges: [
    {
      sql: `delete from attempts where key in
        (select key from attempts where forget_at <= ? order by forget_at limit ?) returning key`,
      afterSeconds: 0,
    },
  ],
}
