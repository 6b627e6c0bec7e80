/**
 * Token exchange (RFC 8693): the exchanger gets an authorization of its own under that of the subject token,
 * one for each parent, and a family under it (decision 104).
 */

import type { Authorization } from '../../../model/authorization.ts'
import { subtractDetails } from '../../../model/detail.ts'
import { createId, getIdTime } from '../../../model/ids.ts'
import type { Delegation, LivingToken, StartedFamily } from '../../contract/family.ts'
import type { Trace } from '../../contract/trace.ts'
import type { Steps } from '../../sql/record.ts'
import { findFirst, integer, permissionsText, text } from '../../sql/row.ts'
import {
  all,
  type Piece,
  type Row,
  raw,
  type Step,
  sql,
  statement,
  touches,
} from '../../sql/statement.ts'
import { decideDetails } from '../authorization/approve.ts'
import {
  actors,
  authorizationColumns,
  authorizationTable,
  decodeAuthorization,
  encodeUnder,
  isSealedWith,
  matchUnexpired,
  running,
  writeEnding,
} from '../authorization/authorization-row.ts'
import { getAbout, tellDetails } from '../authorization/authorizations.ts'
import { tell } from '../event/events.ts'
import { familyColumns } from './rotate.ts'

/** A token that lives, with all that it hangs on. */
const matchLiving = ({ familyId, tokenId, salt }: LivingToken, at: number): Piece =>
  sql`exists (select 1 from ${raw(actors)} join families f on f.authorization_id = a.id
    where f.id = ${familyId} and f.ended = 0 and (f.expires_at is null or f.expires_at > ${at})
      and ${statement(isSealedWith, salt)} and ${running} and ${matchUnexpired(at)}
      and not exists (select 1 from endings e where e.id = ${tokenId}))`

const matchNeeded = ({ chain, clientId }: Delegation, { at }: Trace): Piece =>
  all([
    ...chain.map((one) => matchLiving(one, at)),
    sql`exists (select 1 from clients x where x.id = ${clientId} and x.disabled = 0)`,
  ])

const isMet = (condition: Piece): Step<boolean> =>
  touches(sql`select 1 as holds where ${condition}`)

/** The time of the login behind the chain: that of the family of its first token. */
const getLogin = ({ chain }: Delegation): string => getIdTime(chain.at(-1)?.familyId ?? '')

/** Its owner or an operator ended it, and the owner has not logged in for its parent since. */
const isTaken = (delegation: Delegation): Step<boolean> => {
  const { parent, clientId } = delegation
  return touches(sql`select 1 as found from authorizations
    where owner_id = ${parent.ownerId} and client_id = ${clientId} and parent_id = ${parent.id}
      and duration <> ${encodeUnder(parent.id)} and taken_by >= ${getLogin(delegation)}`)
}

/** The end that its owner has set for it has come: the place is free for logins from after that. */
function* endExpired(row: Row, end: number, { at }: Trace): Step<void> {
  const after = createId((end + 1) * 1000, new Uint8Array(10))
  yield sql`update authorizations set ${writeEnding(at)},
      taken_by = case when taken_by < ${after} then ${after} else taken_by end
    where id = ${text(row.authorization_id)} and revision = ${integer(row.revision)}`
}

/** @returns null if another step began it meanwhile, or something has ended */
function* begin(delegation: Delegation, needed: Piece, trace: Trace): Step<Authorization | null> {
  const { id, clientId, parent, permissions, details, salt } = delegation
  const { ownerId, id: parentId } = parent
  const people = { id, clientId, ownerId, parentId }
  const fresh = {
    expiresAt: null,
    createdAt: trace.at,
    approvedFor: null,
    allowedBy: null,
    paused: null,
  }
  const begun = { ...people, permissions, details, salt, ...fresh }
  const stored = { ...begun, duration: encodeUnder(parentId), sessionId: '' }
  const inserted = yield sql`${authorizationTable.insertIf(stored)} where ${needed}
    on conflict (owner_id, client_id, duration, session_id) do nothing
    returning (select c.family_salt from clients c where c.id = client_id) as family_salt`
  const row = findFirst(inserted)
  if (row === null) return null
  const whole = salt + text(row.family_salt)
  return { ...begun, salt: whole, duration: 'chosen', sessionId: null }
}

/**
 * Adds to the delegation what an exchange lacks there. After something was taken, only a later login adds.
 *
 * @returns null where somebody else changed it meanwhile, or something has ended
 */
function* extend(
  row: Row,
  delegation: Delegation,
  needed: Piece,
): Step<{ readonly authorization: Authorization; readonly isExtended: boolean } | null> {
  const earlier = decodeAuthorization(row)
  const missing = delegation.permissions.filter((one) => !earlier.permissions.includes(one))
  const lacking = subtractDetails(delegation.details, earlier.details)
  const isLater = text(row.taken_by) < getLogin(delegation)
  if (!isLater || missing.length + lacking.length === 0) {
    return { authorization: earlier, isExtended: false }
  }
  const permissions = [...earlier.permissions, ...missing].sort()
  const details = decideDetails(earlier.details, { details: { asked: [], approved: lacking } })
  const change = authorizationTable.set({ permissions, details })
  const changed = yield sql`update authorizations set ${change}, revision = revision + 1
    where id = ${earlier.id} and revision = ${integer(row.revision)} and ${needed} returning id`
  if (changed.length === 0) return null
  return { authorization: { ...earlier, permissions, details }, isExtended: true }
}

/** Whether the delegation allows any of what the exchange asks for. */
const isAnyAllowed = ({ permissions, details }: Delegation, given: Authorization): boolean =>
  permissions.some((one) => given.permissions.includes(one)) ||
  subtractDetails(details, given.details).length < details.length

/** @returns null where the delegation, or something above it, has ended */
function* insertFamily(
  { familyId, expiresAt }: Delegation,
  { id, salt }: Authorization,
  needed: Piece,
  { at }: Trace,
): Step<StartedFamily['family'] | null> {
  const inserted = yield sql`insert into families (${raw(familyColumns)})
    select cast(${familyId} as text), a.id, 0, cast(${at} as bigint), cast(${at} as bigint),
      cast(${expiresAt} as bigint), 0, 0
    from ${raw(actors)} where a.id = ${id} and ${statement(isSealedWith, salt)} and ${running}
      and ${matchUnexpired(at)} and ${needed}
    on conflict (id) do nothing returning id`
  if (inserted.length === 0) return null
  const begun = { generation: 0, rotatedAt: at, expiresAt, hasEndings: false }
  return { id: familyId, authorizationId: id, ...begun }
}

/** The one delegation of this client under the parent, with the event that last took something. */
function* findEarlier({ parent, clientId }: Delegation): Step<Row | null> {
  return findFirst(
    yield sql`select ${authorizationColumns}, a.taken_by from authorizations a
      where a.owner_id = ${parent.ownerId} and a.client_id = ${clientId}
        and a.duration = ${encodeUnder(parent.id)} and a.session_id = ''`,
  )
}

export const delegate: Steps['delegate'] = function* (delegation, trace) {
  const needed = matchNeeded(delegation, trace)
  for (;;) {
    if (!(yield* isMet(needed))) return null
    if (yield* isTaken(delegation)) return 'taken'
    const row = yield* findEarlier(delegation)
    const end = row && decodeAuthorization(row).expiresAt
    if (row !== null && end !== null && end <= trace.at) {
      yield* endExpired(row, end, trace)
      continue
    }
    const begun = row === null ? yield* begin(delegation, needed, trace) : null
    const found = row === null ? null : yield* extend(row, delegation, needed)
    const authorization = begun ?? found?.authorization ?? null
    if (authorization === null) continue
    if (authorization.paused) return 'paused'
    if (!isAnyAllowed(delegation, authorization)) return 'taken'
    const family = yield* insertFamily(delegation, authorization, needed, trace)
    if (family === null) continue
    if (begun !== null || found?.isExtended) {
      const { permissions, details } = authorization
      const { id: parentId, clientId: parentClientId } = delegation.parent
      const about = getAbout(authorization)
      const told = { permissions: permissionsText(permissions), ...tellDetails(details) }
      yield* tell('authorization.delegated', about, { ...told, parentId, parentClientId }, trace)
    }
    return { authorization, family }
  }
}
