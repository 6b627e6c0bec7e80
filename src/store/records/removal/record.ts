/** What is left of deleted clients and owners. */
import type { RemovalSteps } from '../../contract/removal.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { removeDeleted } from './removals.ts'

export const removalRecord: StoreRecord<RemovalSteps> = {
  tables: [],
  reads: {},
  steps: { removeDeleted },
  // The cache forgot these rows when their client or owner was deleted.
  invalidates: { removeDeleted: 'nothing' },
  alone: ['removeDeleted'],
}
