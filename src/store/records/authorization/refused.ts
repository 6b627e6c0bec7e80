/** What an owner refuses on the consent page: other authorizations of the client lose it, too. */

import type { Authorization } from '../../../model/authorization.ts'
import {
  type Detail,
  listDetailNames,
  makeDetailKey,
  subtractDetails,
} from '../../../model/detail.ts'
import type { Event } from '../../../model/event.ts'
import { type EventId, idBefore } from '../../../model/ids.ts'
import type { Permissions } from '../../../model/resource.ts'
import type { Approval } from '../../contract/authorization.ts'
import type { Trace } from '../../contract/trace.ts'
import { type Row, raw, type Step, sql } from '../../sql/statement.ts'
import {
  approved,
  authorizationColumns,
  decodeAuthorization,
  matchUnexpired,
} from './authorization-row.ts'
import { reduce, tellOfReduced } from './authorizations.ts'

export const getRefused = ({ asked, permissions }: Approval): Permissions =>
  asked.filter((one) => !permissions.includes(one))

/**
 * Removes refused permissions from the owner's other authorizations of the client: the latest
 * decision holds.
 */
export function* takeBack(
  approval: Approval,
  { id, ownerId, clientId }: Authorization,
  trace: Trace,
): Step<void> {
  const refused = getRefused(approval)
  const refusedDetails = getRefusedDetails(approval)
  const keys = refusedDetails.map(makeDetailKey)
  if (refused.length === 0 && keys.length === 0) return
  const takenFrom = (row: Row) => {
    const { permissions, details } = decodeAuthorization(row)
    return {
      permissions: permissions.filter((one) => refused.includes(one)),
      details: details.filter((one) => keys.includes(makeDetailKey(one))),
    }
  }
  const losesAny = (row: Row): boolean => Object.values(takenFrom(row)).flat().length > 0
  for (let told = 0; ; ) {
    const others = yield sql`select ${authorizationColumns} from authorizations a
      where a.owner_id = ${ownerId} and a.client_id = ${clientId} and a.id <> ${id}
        and ${raw(approved)} and ${matchUnexpired(trace.at)}`
    const other = others.find(losesAny)
    if (other === undefined) return
    const taken = takenFrom(other)
    const reduced = yield* reduce(other, (one) => !taken.permissions.includes(one), keys, trace)
    if (reduced === null) continue
    const eventId = idBefore<EventId>(trace.eventId, ++told)
    const details = tellRefused(taken.permissions, taken.details)
    yield* tellOfReduced(reduced, details, { ...trace, eventId })
  }
}

export const getRefusedDetails = ({ details }: Approval): readonly Detail[] =>
  details === undefined ? [] : subtractDetails(details.asked, details.approved)

export const tellRefused = (refused: Permissions, details: readonly Detail[]): Event['details'] => {
  const names = [...refused, ...listDetailNames(details)]
  return names.length > 0 ? { refused: [...new Set(names)].join(' ') } : {}
}
