/** Refused requests, for whoever asks why. No backup has them: they are gone within days. */
import { refusalLimits } from '../../../config/refusal-limits.ts'
import type { RefusalSteps } from '../../contract/refusal.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { findRefusal, listRefusals, recordRefusals } from './refusals.ts'

export const refusalRecord: StoreRecord<RefusalSteps> = {
  tables: [],
  localTables: ['refusals'],
  reads: { findRefusal, listRefusals },
  steps: { recordRefusals },
  invalidates: { recordRefusals: 'nothing' },
  alone: ['recordRefusals'],
  endPurges: [
    {
      sql: `delete from refusals where at <= ? and reference in
        (select reference from refusals order by reference limit ?) returning reference`,
      afterSeconds: refusalLimits.keepSeconds,
    },
  ],
}
