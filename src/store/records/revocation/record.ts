/** Revocations, for APIs that verify JWTs by themselves. A restored store begins another feed. */
import type { RevocationSteps } from '../../contract/revocation.ts'
import { traceTable } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as revocations from './revocations.ts'

export const revocationRecord: StoreRecord<RevocationSteps> = {
  tables: [
    traceTable(
      'revocations',
      ['id'],
      ['at', 'position', 'subject', 'subject_id', 'final', 'permissions'],
      'none',
    ),
    traceTable('revocation_feed', ['id'], ['epoch', 'position'], 'none'),
  ],
  reads: {
    isRevocationWaiting: revocations.isRevocationWaiting,
    findFeedHead: revocations.findFeedHead,
    listRevocations: revocations.listRevocations,
  },
  steps: { placeRevocations: revocations.placeRevocations },
  invalidates: { placeRevocations: 'nothing' },
  purges: { revocations: revocations.purgeRevocations },
}
