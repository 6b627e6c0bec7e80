/** The actions and lists of operators that features have. */
import type { Operation } from '../operations/operation.ts'
import { streamOperations } from './signals/operations.ts'
import { issuerChangeOperations } from './trusted-issuers/operation-changes.ts'
import { issuerOperations } from './trusted-issuers/operations.ts'

export const featureOperations: Readonly<Record<string, Operation>> = {
  ...issuerOperations,
  ...issuerChangeOperations,
  ...streamOperations,
}
