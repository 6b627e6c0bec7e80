/** Authorizations: what owners approved. */

import { theAuthorization, theOwner } from '../../cache/things.ts'
import type { AuthorizationSteps } from '../../contract/authorization.ts'
import { type Purged, type PurgeStep, type StoreRecord, walk } from '../../sql/record.ts'
import { type Step, sql } from '../../sql/statement.ts'
import { approve } from './approve.ts'
import { authorizationTable, endedVisit, ending, lookedBackTo } from './authorization-row.ts'
import * as authorizations from './authorizations.ts'
import { listAuthorizations } from './list-authorizations.ts'
import * as pauses from './pauses.ts'

/** Authorizations that expired or outlived their visit end for good. They go when nobody looks back at them any more. */
function* purgeAuthorizations(step: PurgeStep): Step<Purged> {
  const { after, now } = step
  const last = yield* walk('authorizations', step)
  if (last === null) return { next: null, went: 0 }
  const ended = yield sql`update authorizations set ${ending(now)}
    where id > ${after} and id <= ${last} and session_id <> ${endedVisit}
      and (expires_at <= ${now} or (session_id <> '' and not exists (select 1 from sessions s
        where s.id = authorizations.session_id and s.expires_at > ${now}))) returning id`
  const gone = yield sql`delete from authorizations
    where id > ${after} and id <= ${last} and expires_at <= ${lookedBackTo(now)} returning id`
  return { next: last, went: ended.length + gone.length }
}

export const authorizationRecord: StoreRecord<AuthorizationSteps> = {
  tables: [authorizationTable],
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
    // An approval may change other authorizations of the owner, too.
    approve: ({ ownerId }) => [theOwner(ownerId)],
    narrowAuthorization: (id) => [theAuthorization(id)],
    changeAuthorizationEnd: ({ id }) => [theAuthorization(id)],
    endAuthorization: (id) => [theAuthorization(id)],
    pauseAuthorizations: ({ ownerId }) => [theOwner(ownerId)],
    resumeAuthorizations: ({ ownerId }) => [theOwner(ownerId)],
  },
  purges: { authorizations: purgeAuthorizations },
}
