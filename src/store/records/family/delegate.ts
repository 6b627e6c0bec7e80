/**
 * Token exchange (RFC 8693): the exchanger gets an authorization of its own under that of the subject token,
 * one for each parent, and a family under it (decision 104).
 */

import type { Authorization } from '../../../model/authorization.ts'
import { intersectDetails, subtractDetails } from '../../../model/detail.ts'
import { createId, getFirstId } from '../../../model/ids.ts'
import { computeDay } from '../../../model/use.ts'
import type { Delegation, LivingToken, StartedFamily } from '../../contract/family.ts'
import type { Trace } from '../../contract/trace.ts'
import { storeLimits } from '../../limits.ts'
import type { Steps } from '../../sql/record.ts'
import { findFirst, integer, permissionsText, text } from '../../sql/row.ts'
import {
  all,
  asSendOnly,
  listOf,
  type Piece,
  type Row,
  raw,
  type Statement,
  type Step,
  sql,
  statement,
  touches,
} from '../../sql/statement.ts'
import { decideDetails } from '../authorization/approve.ts'
import {
  actors,
  authorizationTable,
  decodeAuthorization,
  encodeUnder,
  endedVisit,
  isSealedWith,
  matchUnexpired,
  returnedColumns,
  running,
  writeEnding,
} from '../authorization/authorization-row.ts'
import { getAbout, tellDetails } from '../authorization/authorizations.ts'
import { tell } from '../event/events.ts'
import { matchClientFor } from '../group/client-for.ts'
import { familyColumns } from './rotate.ts'

/** A token that lives, with all that it hangs on. */
const matchLiving = ({ familyId, tokenId, salt }: LivingToken, at: number): Piece =>
  sql`exists (select 1 from ${raw(actors)} join families f on f.authorization_id = a.id
    where f.id = ${familyId} and f.ended = 0 and (f.expires_at is null or f.expires_at > ${at})
      and ${statement(isSealedWith, salt)} and ${running} and ${matchUnexpired(at)}
      and not exists (select 1 from endings e where e.id = ${tokenId}))`

const matchNeeded = ({ chain, clientId, parent }: Delegation, { at }: Trace): Piece =>
  all([
    ...chain.map((one) => matchLiving(one, at)),
    sql`exists (select 1 from clients c join owners o on o.id = ${parent.ownerId}
      where c.id = ${clientId} and c.disabled = 0 and ${matchClientFor})`,
  ])

const isMet = (condition: Piece): Step<boolean> =>
  touches(sql`select 1 as holds where ${condition}`)

/**
 * Events from the login on sort behind it. The clock of the login may have been ahead of theirs, so those of shortly
 * before sort behind it, too. No id sorts before an unknown login.
 */
const getLogin = ({ loggedInAt }: Delegation): string =>
  loggedInAt === null ? '' : getFirstId((loggedInAt - storeLimits.clockSkewSeconds) * 1000)

/** Whether somebody took something from it that no login has lifted since. */
const isTaken = (row: Row, delegation: Delegation): boolean =>
  text(row.taken_by) > '' && text(row.taken_by) >= getLogin(delegation)

/**
 * The client's delegations under the application of the parent: under any approval, so none of them goes around the
 * end of another. The rows are locked, so whoever ends one comes before this step or after it.
 */
const holdBranches = ({ parent, clientId }: Delegation, { at }: Trace): Statement =>
  sql`update authorizations set revision = revision
    where owner_id = ${parent.ownerId} and client_id = ${clientId}
      and exists (select 1 from authorizations p where p.id = authorizations.parent_id
        and p.client_id = ${parent.clientId} and (authorizations.taken_by > '' or
          (p.session_id <> ${endedVisit} and (p.expires_at is null or p.expires_at > ${at}))))
    returning ${returnedColumns}, taken_by`

/** Nothing was ended or paused since they were held: for the statement that begins a delegation. */
const matchUntaken = (delegation: Delegation): Piece => {
  const { parent, clientId } = delegation
  return sql`not exists (select 1 from authorizations b join authorizations p on p.id = b.parent_id
    where b.owner_id = ${parent.ownerId} and b.client_id = ${clientId} and p.client_id = ${parent.clientId}
      and b.taken_by > '' and b.taken_by >= ${getLogin(delegation)} and b.session_id = ${endedVisit})`
}

/** The end that its owner has set for it has come: the place is free for logins after it, as `getLogin` tells their time. */
function* endExpired(row: Row, end: number, { at }: Trace): Step<void> {
  const after = createId(end * 1000, new Uint8Array(10))
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
  const inserted = yield sql`${authorizationTable.insertIf(stored)}
    where ${needed} and ${matchUntaken(delegation)}
    on conflict (owner_id, client_id, duration, session_id) do nothing
    returning (select c.family_salt from clients c where c.id = client_id) as family_salt`
  const row = findFirst(inserted)
  if (row === null) return null
  const whole = salt + text(row.family_salt)
  return { ...begun, salt: whole, duration: 'chosen', sessionId: null }
}

/** The delegation of an exchange, and whether the exchange changed it. */
interface Delegated {
  readonly authorization: Authorization
  readonly isChanged: boolean
}

/**
 * Adds to the delegation what an exchange lacks there. After something was taken, only a later login adds.
 *
 * @returns null where somebody else changed it meanwhile, or something has ended
 */
function* extend(row: Row, delegation: Delegation, needed: Piece): Step<Delegated | null> {
  const earlier = decodeAuthorization(row)
  const missing = delegation.permissions.filter((one) => !earlier.permissions.includes(one))
  const lacking = subtractDetails(
    delegation.details,
    intersectDetails(delegation.details, earlier.details),
  )
  if (isTaken(row, delegation) || missing.length + lacking.length === 0) {
    return { authorization: earlier, isChanged: false }
  }
  const permissions = [...earlier.permissions, ...missing].sort()
  const asked = intersectDetails(earlier.details, lacking)
  const details = decideDetails(earlier.details, { details: { asked, approved: lacking } })
  const change = authorizationTable.set({ permissions, details })
  const changed = yield sql`update authorizations set ${change}, revision = revision + 1
    where id = ${earlier.id} and revision = ${integer(row.revision)} and ${needed} returning id`
  if (changed.length === 0) return null
  return { authorization: { ...earlier, permissions, details }, isChanged: true }
}

/** Whether the delegation allows any of what the exchange asks for. */
const isAnyAllowed = (
  { permissions, details }: Delegation,
  given: Pick<Authorization, 'permissions' | 'details'>,
): boolean =>
  permissions.some((one) => given.permissions.includes(one)) ||
  intersectDetails(details, given.details).length > 0

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

/** An exchange is a use of all above it, so what is in use through a branch is not paused as unused. */
const noteUse = ({ chain }: Delegation, { at }: Trace): Statement =>
  asSendOnly(sql`update authorizations set last_used_at = ${at}
    where id in (select f.authorization_id from families f
        where f.id in ${listOf(chain.map(({ familyId }) => familyId))})
      and coalesce(last_used_at, 0) < ${computeDay(at) * 86_400}`)

function* tellOfDelegated(
  authorization: Authorization,
  { id: parentId, clientId: parentClientId }: Delegation['parent'],
  trace: Trace,
): Step<void> {
  const { permissions, details } = authorization
  const told = { permissions: permissionsText(permissions), ...tellDetails(details) }
  const about = getAbout(authorization)
  yield* tell('authorization.delegated', about, { ...told, parentId, parentClientId }, trace)
}

/** The part that other narrowed delegations of the client under the same application still have. */
const limitByOthers = (delegation: Delegation, others: readonly Row[]): Delegation => {
  const limits = others.filter((row) => isTaken(row, delegation)).map(decodeAuthorization)
  return {
    ...delegation,
    permissions: delegation.permissions.filter((one) =>
      limits.every(({ permissions }) => permissions.includes(one)),
    ),
    details: limits.reduce(
      (left, { details }) => intersectDetails(left, details),
      delegation.details,
    ),
  }
}

/** The delegation with all that the exchange asks for and may still have. */
function* settle(
  delegation: Delegation,
  living: readonly Row[],
  needed: Piece,
  trace: Trace,
): Step<Delegated | 'paused' | 'taken' | null> {
  if (living.some((row) => text(row.paused) !== '')) return 'paused'
  const own = encodeUnder(delegation.parent.id)
  const row = living.find(({ duration }) => duration === own) ?? null
  const others = living.filter((one) => one !== row)
  const left = limitByOthers(delegation, others)
  if (row !== null) return yield* extend(row, left, needed)
  if (left.permissions.length + left.details.length === 0) return 'taken'
  const authorization = yield* begin(left, needed, trace)
  return authorization && { authorization, isChanged: true }
}

export const delegate: Steps['delegate'] = function* (delegation, trace) {
  const needed = matchNeeded(delegation, trace)
  for (;;) {
    const rows = yield holdBranches(delegation, trace)
    if (!(yield* isMet(needed))) return null
    const living = rows.filter((row) => row.session_id !== endedVisit)
    const ended = rows.filter((row) => row.session_id === endedVisit)
    if (ended.some((row) => isTaken(row, delegation))) return 'taken'
    const end = (row: Row) => decodeAuthorization(row).expiresAt ?? Number.POSITIVE_INFINITY
    const expired = living.find((row) => end(row) <= trace.at)
    if (expired !== undefined) {
      yield* endExpired(expired, end(expired), trace)
      continue
    }
    const settled = yield* settle(delegation, living, needed, trace)
    if (typeof settled === 'string') return settled
    if (settled === null) continue
    const { authorization, isChanged } = settled
    if (!isAnyAllowed(delegation, authorization)) return 'taken'
    const family = yield* insertFamily(delegation, authorization, needed, trace)
    if (family === null) continue
    yield noteUse(delegation, trace)
    if (isChanged) yield* tellOfDelegated(authorization, delegation.parent, trace)
    return { authorization, family }
  }
}
