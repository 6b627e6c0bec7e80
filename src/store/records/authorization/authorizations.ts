/**
 * Authorizations. An ended one keeps its row for a while. No query for a live one finds it, so its
 * tokens are dead.
 */

import type { Authorization } from '../../../model/authorization.ts'
import type { Event } from '../../../model/event.ts'
import type { AuthorizationId, ClientId, OwnerId } from '../../../model/ids.ts'
import type { ScopeName } from '../../../model/resource.ts'
import { allowsNothing } from '../../../model/scope-word.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { first, integer, permissionsText, text } from '../../sql/row.ts'
import { findOne, type Row, type Step, sql, statement } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { tell } from '../event/events.ts'
import { proven } from '../factor/proof.ts'
import { noteAuthorization } from '../revocation/record.ts'
import {
  actors,
  authorizationColumns,
  chosenDuration,
  decodeAuthorization,
  ending,
  existing,
  joinedColumns,
  returnedColumns,
  unexpired,
  unexpiredAt,
} from './authorization-row.ts'

const livingById = `select ${joinedColumns} from ${actors} where a.id = ? and ${unexpired}`

export const findAuthorization: Reads['findAuthorization'] = async (read, id, now) => {
  const row = first(await read(livingById, [id, now, now]))
  return row && decodeAuthorization(row)
}

/** The same inside a step. */
export function* findLiving(id: AuthorizationId, trace: Trace): Step<Authorization | null> {
  const row = first(yield statement(livingById, id, trace.at, trace.at))
  return row && decodeAuthorization(row)
}

export const isApproved: Reads['isApproved'] = async (read, clientId) => {
  const sql = 'select 1 as found from authorizations where client_id = ? limit 1'
  return (await read(sql, [clientId])).length > 0
}

export const findAuthorizations: Reads['findAuthorizations'] = async (
  read,
  ownerId,
  clientId,
  now,
  during,
) => {
  const rows = await read(
    `select ${joinedColumns} from ${actors}
     where a.owner_id = ? and a.client_id = ? and ${unexpired}
       and (cast(? as text) is null or exists
         (select 1 from sessions s where s.id = ? and s.expires_at > ?))
     order by case when a.session_id = '' then 0 else 1 end,
       case when a.expires_at is null then 0 else 1 end, a.expires_at desc, a.id`,
    [ownerId, clientId, now, now, during ?? null, during ?? null, now],
  )
  return rows.map(decodeAuthorization)
}

/**
 * Removes permissions that are not kept; an authorization without any left ends.
 *
 * @returns null where somebody else changed it meanwhile
 */
export function* reduce(
  row: Row,
  isKept: (name: ScopeName) => boolean,
  trace: Trace,
): Step<Authorization | null> {
  const authorization = decodeAuthorization(row)
  const left = authorization.permissions.filter(isKept)
  const permissions = allowsNothing(left) ? [] : left
  const found = sql`id = ${authorization.id} and revision = ${integer(row.revision)}`
  yield* noteAuthorization(authorization.id, false, trace)
  const changed = yield permissions.length === 0
    ? sql`update authorizations set ${ending(trace.at)} where ${found} returning id`
    : sql`update authorizations set permissions = ${permissionsText(permissions)},
        revision = revision + 1 where ${found} returning id`
  return changed.length === 0 ? null : { ...authorization, permissions }
}

/** @param details of the event, beside the remaining permissions */
export function* tellOfReduced(
  authorization: Authorization,
  details: Event['details'],
  trace: Trace,
): Step<void> {
  const { permissions } = authorization
  const type = permissions.length === 0 ? 'authorization.ended' : 'authorization.narrowed'
  const told = { permissions: permissionsText(permissions), ...details }
  yield* tell(type, aboutOf(authorization), told, trace)
}

export const narrowAuthorization: Steps['narrowAuthorization'] = function* (
  id,
  ownerId,
  keep,
  trace,
) {
  for (;;) {
    const row = yield* findOne(sql`select ${authorizationColumns} from authorizations a
        where a.id = ${id} and ${unexpiredAt(trace.at)} and ${existing}`)
    if (row === null || (ownerId !== null && row.owner_id !== ownerId)) return null
    const found = decodeAuthorization(row)
    if (found.permissions.every((one) => keep.includes(one))) return found
    const narrowed = yield* reduce(row, (one) => keep.includes(one), trace)
    if (narrowed === null) continue
    yield* tellOfReduced(narrowed, {}, trace)
    return narrowed
  }
}

export const changeAuthorizationEnd: Steps['changeAuthorizationEnd'] = function* (change, trace) {
  const { id, ownerId, session, expiresAt } = change
  const row =
    yield* findOne(sql`update authorizations as a set duration = ${chosenDuration(id)}, session_id = '',
        expires_at = ${expiresAt}, revision = revision + 1
      where a.id = ${id} and a.owner_id = ${ownerId} and ${unexpiredAt(trace.at)} and ${existing}
        and exists (select 1 from owners o where ${proven(ownerId, { session }, trace)})
      returning ${returnedColumns}`)
  if (row === null) return null
  const changed = decodeAuthorization(row)
  yield* tell('authorization.end_changed', aboutOf(changed), { expiresAt }, trace)
  return changed
}

export const endAuthorization: Steps['endAuthorization'] = function* (id, ownerId, trace) {
  const row = yield* findOne(sql`update authorizations as a set ${ending(trace.at)}
      where a.id = ${id} and ${unexpiredAt(trace.at)} and ${existing}
        and a.owner_id = coalesce(${ownerId}, a.owner_id) returning client_id, owner_id`)
  if (row === null) return false
  const about = {
    clientId: text(row.client_id) as ClientId,
    ownerId: text(row.owner_id) as OwnerId,
    authorizationId: id,
  }
  yield* tell('authorization.ended', about, {}, trace)
  return true
}

export const aboutOf = (authorization: Authorization) => ({
  clientId: authorization.clientId,
  ownerId: authorization.ownerId,
  authorizationId: authorization.id,
})
