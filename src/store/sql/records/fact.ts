/** What a store notes about itself. */
import type { FactId, FactSteps } from '../../store.ts'
import { findFact, setFact } from '../facts.ts'
import type { StoreRecord } from '../record.ts'
import { traceTable } from '../table.ts'

export const factRecord: StoreRecord<FactSteps> = {
  tables: [
    // Another root secret may follow. That it was a demo stays true.
    traceTable('facts', ['id'], ['value'], (rows) =>
      rows.filter(([id]) => id === ('demo' satisfies FactId)),
    ),
  ],
  reads: { findFact },
  steps: { setFact },
  invalidates: { setFact: 'nothing' },
}
