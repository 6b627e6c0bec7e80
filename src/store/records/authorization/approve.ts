/** Approving: what the owner decides on the consent page becomes, or changes, an authorization. */

import { featureEndings } from '../../../features/endings.ts'
import type { Authorization } from '../../../model/authorization.ts'
import { type Detail, subtractDetails } from '../../../model/detail.ts'
import { mergeApproved } from '../../../model/requester.ts'
import type { Permissions } from '../../../model/resource.ts'
import type { Approval, Proof } from '../../contract/authorization.ts'
import type { Trace } from '../../contract/trace.ts'
import { storeLimits } from '../../limits.ts'
import type { Steps } from '../../sql/record.ts'
import { findFirst, integer, permissions, permissionsText, text } from '../../sql/row.ts'
import {
  all,
  findOne,
  type Piece,
  type Row,
  raw,
  type Step,
  sql,
  touches,
} from '../../sql/statement.ts'
import { tell } from '../event/events.ts'
import { holdOwner, matchProven } from '../factor/proof.ts'
import { matchClientFor } from '../group/client-for.ts'
import { noteAuthorization } from '../revocation.ts'
import {
  approved,
  authorizationColumns,
  authorizationTable,
  decodeAuthorization,
  encodeChosen,
  matchUnexpired,
  returnedColumns,
  running,
  writeEnding,
} from './authorization-row.ts'
import { getAbout, isEndSooner, tellDetails, tellSooner } from './authorizations.ts'
import { doesReachFurther, findGrant, isWhole, setGrant } from './grant.ts'
import { getRefused, getRefusedDetails, takeBack, tellRefused } from './refused.ts'

/** An approval for a visit goes by the login that it is for. */
const getProof = ({ proof, sessionId }: Approval): Proof | null =>
  proof ?? (sessionId === null ? null : { session: sessionId })

/** No request of a feature is over. */
const matchWaiting = (id: Piece, at: number): readonly Piece[] =>
  featureEndings.map((matchOver) => sql`not ${matchOver(id, raw('o.id'), at)}`)

/**
 * The proof holds, and owner and client are enabled. The client is for the owner, who does not leave, and
 * the request has no family yet. A repeated or delayed form must not bring back an access that its owner
 * has ended since. A null id of a family matches none.
 */
const matchPossible = (approval: Approval, trace: Trace): Piece => {
  const { journeyId = null, familyId = null, ownerId } = approval
  const possible = sql`${matchProven(ownerId, getProof(approval), trace)} and o.deletion_at is null
    and exists (select 1 from clients c where c.id = ${approval.clientId} and c.disabled = 0
      and ${matchClientFor})
    and not exists (select 1 from families where id = cast(${familyId} as text))`
  return all([possible, ...matchWaiting(sql`cast(${journeyId} as text)`, trace.at)])
}

const isMet = (condition: Piece): Step<boolean> =>
  touches(sql`select 1 as holds from owners o where ${condition}`)

/**
 * The authorizations without an end that hold the settled permissions. The rows are locked until
 * the step ends, so other transactions change them before it or after. Steps in the same
 * transaction are compared by revision.
 *
 * @returns null where one of the permissions stands for good no more
 */
function* holdSettled({ settled = [], ownerId, clientId }: Approval): Step<readonly Row[] | null> {
  if (settled.length === 0) return []
  const rows = yield sql`update authorizations set revision = revision
    where owner_id = ${ownerId} and client_id = ${clientId} and session_id = '' and parent_id = ''
      and expires_at is null returning id, permissions, revision`
  const held = rows.map((row) => ({ row, allows: permissions(row.permissions) }))
  const found = settled.map((one) => held.find(({ allows }) => allows.includes(one))?.row ?? null)
  // One row for each is enough, and keeps the texts of SQL as few as there are permissions.
  return found.includes(null) ? null : [...new Set(found)].filter((row) => row !== null)
}

/**
 * Finds what has to hold when an approval is first written, or why it is not. The owner's row is held
 * until the step ends.
 */
function* findNeeded(
  approval: Approval,
  trace: Trace,
): Step<Piece | 'unsettled' | 'impossible' | 'paused'> {
  const isProven = yield* holdOwner(approval.ownerId, getProof(approval), trace)
  // Nothing that the owner approved for the client is paused.
  const needed = sql`${matchPossible(approval, trace)} and not exists (select 1 from authorizations a
    where a.owner_id = o.id and a.client_id = ${approval.clientId} and ${raw(approved)}
      and not ${running} and ${matchUnexpired(trace.at)})`
  if (!isProven) return 'impossible'
  if (!(yield* isMet(needed))) {
    return (yield* isMet(matchPossible(approval, trace))) ? 'paused' : 'impossible'
  }
  const settledIn = yield* holdSettled(approval)
  if (settledIn === null) return 'unsettled'
  const unchanged = settledIn.map(
    (row) => sql`exists (select 1 from authorizations s
      where s.id = ${text(row.id)} and s.revision = ${integer(row.revision)})`,
  )
  return all([needed, ...unchanged])
}

/** The same after a part is written: impossible only if owner or client is gone, too. */
function* findRemaining({ ownerId, clientId }: Approval): Step<Piece | 'impossible'> {
  const remaining = sql`o.id = ${ownerId} and o.deleted_at is null
    and exists (select 1 from clients c where c.id = ${clientId} and c.deleted_at is null)`
  return (yield* isMet(remaining)) ? remaining : 'impossible'
}

/** The one authorization of this owner, client, duration and visit; an expired one makes room. */
function* findEarlier(approval: Approval, trace: Trace): Step<Row | 'gone' | null> {
  const { ownerId, clientId, duration, sessionId } = approval
  if (approval.grant !== undefined) return yield* findGrant(approval, trace)
  const session = sessionId ?? ''
  yield sql`update authorizations set ${writeEnding(trace.at)}
    where owner_id = ${ownerId} and client_id = ${clientId} and duration = ${duration}
      and session_id = ${session} and expires_at <= ${trace.at}`
  const rows = yield sql`select ${authorizationColumns} from authorizations a
    where a.owner_id = ${ownerId} and a.client_id = ${clientId} and a.duration = ${duration}
      and a.session_id = ${session}`
  return findFirst(rows)
}

const decide = (earlier: Permissions, { asked, permissions }: Approval): Permissions => {
  const kept = earlier.filter((one) => !asked.includes(one))
  return [...new Set([...kept, ...permissions])].sort()
}

/** The details after a decision, the latest last. The oldest make room for new ones. */
export const decideDetails = (
  earlier: readonly Detail[],
  { details }: Pick<Approval, 'details'>,
): readonly Detail[] => {
  if (details === undefined) return earlier
  const kept = [...subtractDetails(earlier, details.asked), ...details.approved]
  const { detailsOfAuthorization: most, detailCharacters: characters } = storeLimits
  const left = kept.slice(-most)
  while (JSON.stringify(left).length > characters) left.shift()
  return left
}

/**
 * Changes an authorization as it was found.
 *
 * @returns null if another step changed it meanwhile, or a condition does not hold any more
 */
const changeFound = (row: Row, change: Piece, needed: Piece): Step<Row | null> =>
  findOne(sql`update authorizations set ${change}, revision = revision + 1
    where id = ${decodeAuthorization(row).id} and revision = ${integer(row.revision)}
      and exists (select 1 from owners o where ${needed}) returning ${returnedColumns}`)

/** @returns null where it could not be changed */
function* changeEarlier(
  row: Row,
  approval: Approval,
  needed: Piece,
  trace: Trace,
): Step<Authorization | null> {
  const earlier = decodeAuthorization(row)
  const { expiresAt, requester, grant } = approval
  const permissions = decide(isWhole(approval) ? [] : earlier.permissions, approval)
  const details = decideDetails(isWhole(approval) ? [] : earlier.details, approval)
  const approvedFor = requester
    ? mergeApproved(earlier.approvedFor, requester)
    : earlier.approvedFor
  const decided = { permissions, details, expiresAt, approvedFor, ...setGrant(approval) }
  const isNarrower =
    earlier.permissions.some((one) => !permissions.includes(one)) ||
    subtractDetails(earlier.details, details).length > 0
  const isShorter = isEndSooner(earlier.expiresAt, expiresAt)
  // Tokens from before are worth less now, so APIs have to hear of it.
  if (isNarrower || isShorter || grant) yield* noteAuthorization(earlier.id, false, trace)
  const changed = yield* changeFound(row, authorizationTable.set(decided), needed)
  return changed && decodeAuthorization(changed)
}

/** @returns null if another step began one meanwhile, or a condition does not hold any more */
function* begin(approval: Approval, needed: Piece, trace: Trace): Step<Authorization | null> {
  const {
    asked: _,
    settled: __,
    proof: ___,
    journeyId: ____,
    familyId: _____,
    requester,
    grant,
    ...said
  } = approval
  const approvedFor = requester ? mergeApproved(null, requester) : null
  const permissions = decide([], approval)
  const details = decideDetails([], approval)
  const fresh = { parentId: null, allowedBy: null, paused: null }
  const begun = { ...said, ...fresh, permissions, details, createdAt: trace.at, approvedFor }
  const inserted =
    yield sql`${authorizationTable.insertIf({ ...begun, sessionId: said.sessionId ?? '', ...setGrant(approval) })}
    from owners o where ${needed} on conflict do nothing
    returning (select c.family_salt from clients c where c.id = client_id) as family_salt`
  const row = findFirst(inserted)
  const duration = grant === undefined || said.sessionId !== null ? said.duration : 'chosen'
  return row && { ...begun, duration, salt: said.salt + text(row.family_salt) }
}

/**
 * The first writing statement compares all conditions. If it sets an earlier authorization apart,
 * the approval is decided, and the rest follows in any case: no half of it remains.
 */
export const approve: Steps['approve'] = function* (approval, trace) {
  for (let isDecided = false; ; ) {
    const needed = yield* isDecided ? findRemaining(approval) : findNeeded(approval, trace)
    if (typeof needed === 'string') return { outcome: needed }
    const { grant, duration } = approval
    const row = yield* findEarlier(approval, trace)
    if (row === 'gone') return { outcome: 'impossible' }
    if (row !== null && doesReachFurther(row, approval)) {
      if (grant !== undefined) return { outcome: 'unsettled' }
      // The row keeps its end, and all that it allows until then, and leaves its place to a new one.
      const apart = sql`duration = ${encodeChosen(decodeAuthorization(row).id)}`
      if ((yield* changeFound(row, apart, needed)) !== null) isDecided = true
      continue
    }
    const authorization = yield* row === null
      ? begin(approval, needed, trace)
      : changeEarlier(row, approval, needed, trace)
    if (authorization === null) continue
    yield* takeBack(approval, authorization, trace)
    const { permissions, details, expiresAt } = authorization
    const told = {
      permissions: permissionsText(permissions),
      ...tellSooner(row !== null && isEndSooner(decodeAuthorization(row).expiresAt, expiresAt)),
      ...tellDetails(details),
      ...tellRefused(getRefused(approval), getRefusedDetails(approval)),
    }
    const about = getAbout(authorization)
    yield* tell('authorization.approved', about, { ...told, duration }, trace)
    return { outcome: 'approved', authorization }
  }
}
