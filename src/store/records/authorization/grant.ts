/** Grants that their client names (OpenID Grant Management): such a decision is about one authorization alone. */
import { subtractDetails } from '../../../model/detail.ts'
import { isApprovedFor } from '../../../model/requester.ts'
import type { Approval } from '../../contract/authorization.ts'
import type { Trace } from '../../contract/trace.ts'
import { flag } from '../../sql/row.ts'
import { findOne, type Row, type Step, sql } from '../../sql/statement.ts'
import {
  authorizationColumns,
  decodeAuthorization,
  encodeChosen,
  grantable,
  matchUnexpired,
} from './authorization-row.ts'

/** The grant that is decided about; null before it begins. Ids are public, so it may be another's. */
export function* findGrant(approval: Approval, trace: Trace): Step<Row | 'gone' | null> {
  const { id, ownerId, clientId, grant } = approval
  const row = yield* findOne(sql`select ${authorizationColumns},
      case when ${matchUnexpired(trace.at)} and a.owner_id = ${ownerId} and a.client_id = ${clientId}
        and ${grantable} then 1 else 0 end as is_given
      from authorizations a where a.id = ${id}`)
  if (row === null) return grant === 'create' ? null : 'gone'
  return flag(row.is_given) ? row : 'gone'
}

/** Whether it leaves nothing of what was approved before. */
export const isWhole = ({ grant }: Approval): boolean => grant === 'create' || grant === 'replace'

/** A grant ends as it was decided now, and what was sealed under it before ends at once. */
export const setGrant = ({ grant, id, sessionId, salt }: Approval) =>
  grant === undefined ? {} : { duration: encodeChosen(id), sessionId: sessionId ?? '', salt }

/**
 * Whether this decision would reach permissions outside the request: prolong them, or give them to
 * a client that has changed since.
 */
export const doesReachFurther = (row: Row, approval: Approval): boolean => {
  const { asked, expiresAt, requester } = approval
  if (isWhole(approval)) return false
  const earlier = decodeAuthorization(row)
  const isBeyond =
    earlier.permissions.some((one) => !asked.includes(one)) ||
    subtractDetails(earlier.details, approval.details?.asked ?? []).length > 0
  // An ordinary one of this visit has the end of the visit.
  const isOfVisit = approval.grant === undefined && earlier.sessionId !== null
  const prolongs = !isOfVisit && earlier.expiresAt !== expiresAt
  const isChanged = requester !== undefined && !isApprovedFor(earlier.approvedFor, requester)
  return isBeyond && (prolongs || isChanged)
}
