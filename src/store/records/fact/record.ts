/** What a store notes about itself. */

import { traceTable } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import type { FactId, FactSteps } from '../../store.ts'
import { findFact, setFact } from './facts.ts'

/** Another root secret may follow. That it was a demo stays true, and clients keep the subjects they know. */
const kept: readonly FactId[] = ['demo', 'pairwise secret']

export const factRecord: StoreRecord<FactSteps> = {
  tables: [
    traceTable('facts', ['id'], ['value'], (rows) =>
      rows.filter(([id]) => kept.some((known) => known === id)),
    ),
  ],
  reads: { findFact },
  steps: { setFact },
  invalidates: { setFact: 'nothing' },
}
