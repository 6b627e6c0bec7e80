/** The access log: requests of applications under owners' authorizations. */
import type { UseSteps } from '../../contract/use.ts'
import { table } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { recordUses } from './record-uses.ts'
import { purgeOrphanedUses, purgeUses } from './use-purge.ts'
import { countUses, listUses } from './uses.ts'

export const useRecord: StoreRecord<UseSteps> = {
  tables: [
    table(
      'access_log',
      ['day', 'authorization_id'],
      ['revision', 'reads', 'writes', 'checks', 'refused', 'last_at', 'lines'],
      'all',
    ),
  ],
  reads: { listUses, countUses },
  steps: { recordUses },
  // The cache does not hold when something was last used.
  invalidates: { recordUses: 'nothing' },
  alone: ['recordUses'],
  purges: { uses: purgeUses, orphanedUses: purgeOrphanedUses },
}
