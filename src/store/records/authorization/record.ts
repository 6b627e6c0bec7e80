/** Authorizations: what owners approved. */

import { theAuthorization, theOwner } from '../../cache/things.ts'
import type { AuthorizationSteps } from '../../contract/authorization.ts'
import { type RestoreRule, table } from '../../schema/table.ts'
import { purgeAuthorizations } from '../../sql/purge.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { withValues } from '../../transfer/restored-rows.ts'
import { approve } from './approve.ts'
import { endedVisit } from './authorization-row.ts'
import * as authorizations from './authorizations.ts'
import { listAuthorizations } from './list-authorizations.ts'
import * as pauses from './pauses.ts'

/**
 * Approvals stay, and so do ended ones. Approvals for a visit end, since sessions are not restored.
 */
const withoutSessions: RestoreRule = (rows, columns, newSalt) => {
  const session = columns.indexOf('session_id')
  return rows
    .filter((row) => row[session] === '' || row[session] === endedVisit)
    .map((row) => withValues(columns, row, { salt: newSalt() }))
}

export const authorizationRecord: StoreRecord<AuthorizationSteps> = {
  tables: [
    table(
      'authorizations',
      ['id'],
      [
        'client_id',
        'owner_id',
        'permissions',
        'duration',
        'session_id',
        'expires_at',
        'created_at',
        'last_used_at',
        'salt',
        'approved_for',
        'revision',
        'paused',
        'resumed_at',
      ],
      withoutSessions,
    ),
  ],
  reads: {
    findAuthorization: authorizations.findAuthorization,
    findAuthorizations: authorizations.findAuthorizations,
    isApproved: authorizations.isApproved,
    listAuthorizations: listAuthorizations,
    listUnusedAuthorizations: pauses.listUnusedAuthorizations,
  },
  steps: {
    approve,
    narrowAuthorization: authorizations.narrowAuthorization,
    changeAuthorizationEnd: authorizations.changeAuthorizationEnd,
    endAuthorization: authorizations.endAuthorization,
    pauseAuthorizations: pauses.pauseAuthorizations,
    resumeAuthorizations: pauses.resumeAuthorizations,
  },
  invalidates: {
    // It may change others of the same owner, too.
    approve: ({ ownerId }) => [theOwner(ownerId)],
    narrowAuthorization: (id) => [theAuthorization(id)],
    changeAuthorizationEnd: ({ id }) => [theAuthorization(id)],
    endAuthorization: (id) => [theAuthorization(id)],
    pauseAuthorizations: ({ ownerId }) => [theOwner(ownerId)],
    resumeAuthorizations: ({ ownerId }) => [theOwner(ownerId)],
  },
  purges: { authorizations: purgeAuthorizations },
}
