/** Approving: what the owner decides on the consent page becomes, or changes, an authorization. */
import type { Authorization } from '../../model/authorization.ts'
import type { Event } from '../../model/event.ts'
import { type EventId, idBefore } from '../../model/ids.ts'
import type { Permissions } from '../../model/resource.ts'
import type { Approval, Proof } from '../approval.ts'
import type { Trace } from '../store.ts'
import {
  authorizationColumns,
  chosenDuration,
  decodeAuthorization,
  ending,
  unexpired,
} from './authorization-row.ts'
import { aboutOf, reduce, tellOfReduced } from './authorizations.ts'
import { tell } from './events.ts'
import { holdOwner, proven, provenBy } from './proof.ts'
import { first, integer, permissionsText } from './row.ts'
import { type Row, type Step, statement, type Value } from './statement.ts'

/** An approval for a visit goes by the login that it is for. */
const proofOf = ({ proof, sessionId }: Approval): Proof | null =>
  proof ?? (sessionId === null ? null : { session: sessionId })

/**
 * That the request has earned no family yet: a form that is sent again, or was on its way meanwhile,
 * must not bring back what its owner has ended since. Asks for the id; null fits none.
 */
const unanswered = 'not exists (select 1 from families where id = cast(? as text))'

/** Whether client and owner can act and what was proven holds: without that nothing is approved. */
function* isPossible(approval: Approval, trace: Trace): Step<boolean> {
  if (!(yield* holdOwner(approval.ownerId, proofOf(approval), trace))) return false
  const rows = yield statement(
    `select 1 as possible from clients where id = ? and disabled = 0 and ${unanswered}`,
    approval.clientId,
    approval.journeyId ?? null,
  )
  return rows.length > 0
}

const provenFor = (approval: Approval, trace: Trace): readonly Value[] =>
  provenBy(approval.ownerId, proofOf(approval), trace)

/** The one authorization of this owner, client, duration and visit; an expired one makes room. */
function* findEarlier(approval: Approval, trace: Trace): Step<Row | null> {
  const { ownerId, clientId, duration, sessionId } = approval
  const slot = [ownerId, clientId, duration, sessionId ?? ''] as const
  yield statement(
    `update authorizations set ${ending} where owner_id = ? and client_id = ? and duration = ?
       and session_id = ? and expires_at <= ?`,
    trace.at,
    trace.at,
    ...slot,
    trace.at,
  )
  const rows = yield statement(
    `select ${authorizationColumns} from authorizations a
     where a.owner_id = ? and a.client_id = ? and a.duration = ? and a.session_id = ?`,
    ...slot,
  )
  return first(rows)
}

const decide = (earlier: Permissions, { asked, permissions }: Approval): Permissions => {
  const kept = earlier.filter((one) => !asked.includes(one))
  return [...new Set([...kept, ...permissions])].sort()
}

/** Whether the end that is chosen now would go to permissions as well that nobody was asked about. */
const wouldProlong = (row: Row, { asked, expiresAt }: Approval): boolean => {
  const earlier = decodeAuthorization(row)
  const isBeyond = earlier.permissions.some((one) => !asked.includes(one))
  return isBeyond && earlier.sessionId === null && earlier.expiresAt !== expiresAt
}

/**
 * Changes an authorization as it was found.
 *
 * @returns false where somebody else changed it meanwhile, or what is needed holds no more
 */
function* changeFound(
  row: Row,
  columns: string,
  values: readonly Value[],
  approval: Approval,
  trace: Trace,
): Step<boolean> {
  const changed = yield statement(
    `update authorizations set ${columns}, revision = revision + 1
     where id = ? and revision = ? and exists (select 1 from owners o where ${proven})
       and ${unanswered} returning id`,
    ...values,
    decodeAuthorization(row).id,
    integer(row.revision),
    ...provenFor(approval, trace),
    approval.journeyId ?? null,
  )
  return changed.length > 0
}

/** Keeps its end, and all that it allows until then, and leaves its place to a new one. */
const setApart = (row: Row, approval: Approval, trace: Trace): Step<boolean> => {
  const alone = chosenDuration(decodeAuthorization(row).id)
  return changeFound(row, 'duration = ?', [alone], approval, trace)
}

/** @returns null where it could not be changed */
function* changeEarlier(row: Row, approval: Approval, trace: Trace): Step<Authorization | null> {
  const earlier = decodeAuthorization(row)
  const { expiresAt } = approval
  const permissions = decide(earlier.permissions, approval)
  const values = [permissionsText(permissions), expiresAt]
  const columns = 'permissions = ?, expires_at = ?'
  const isChanged = yield* changeFound(row, columns, values, approval, trace)
  return isChanged ? { ...earlier, permissions, expiresAt } : null
}

/** @returns null where somebody else began one meanwhile, or what is needed holds no more */
function* begin(approval: Approval, trace: Trace): Step<Authorization | null> {
  const { asked: _, proof: __, journeyId = null, ...said } = approval
  const permissions = decide([], approval)
  const begun = yield statement(
    `insert into authorizations (id, client_id, owner_id, permissions, duration, session_id,
       expires_at, created_at, last_used_at, salt, revision)
     select ?, ?, o.id, ?, ?, ?, cast(? as bigint), cast(? as bigint), null, ?, 0
     from owners o where ${proven} and ${unanswered}
     on conflict (owner_id, client_id, duration, session_id) do nothing returning id`,
    said.id,
    said.clientId,
    permissionsText(permissions),
    said.duration,
    said.sessionId ?? '',
    said.expiresAt,
    trace.at,
    said.salt,
    ...provenFor(approval, trace),
    journeyId,
  )
  if (begun.length === 0) return null
  return { ...said, permissions, createdAt: trace.at, lastUsedAt: null }
}

const refusedBy = ({ asked, permissions }: Approval): Permissions =>
  asked.filter((one) => !permissions.includes(one))

/** Takes what was refused out of whatever else the owner approved for the client: the latest decision holds. */
function* takeBack(
  approval: Approval,
  { id, ownerId, clientId }: Authorization,
  trace: Trace,
): Step<void> {
  const refused = refusedBy(approval)
  if (refused.length === 0) return
  const takenFrom = (row: Row): Permissions =>
    decodeAuthorization(row).permissions.filter((one) => refused.includes(one))
  for (let told = 0; ; ) {
    const others = yield statement(
      `select ${authorizationColumns} from authorizations a
       where a.owner_id = ? and a.client_id = ? and a.id <> ? and ${unexpired}`,
      ownerId,
      clientId,
      id,
      trace.at,
      trace.at,
    )
    const other = others.find((row) => takenFrom(row).length > 0)
    if (other === undefined) return
    const taken = takenFrom(other)
    const reduced = yield* reduce(other, (one) => !taken.includes(one), trace)
    if (reduced === null) continue
    const eventId = idBefore<EventId>(trace.eventId, ++told)
    const details = tellRefused(taken)
    yield* tellOfReduced(reduced, details, { ...trace, eventId })
  }
}

const tellRefused = (refused: Permissions): Event['details'] =>
  refused.length > 0 ? { refused: permissionsText(refused) } : {}

export function* approve(approval: Approval, trace: Trace): Step<Authorization | null> {
  for (;;) {
    if (!(yield* isPossible(approval, trace))) return null
    const row = yield* findEarlier(approval, trace)
    const isApart = row !== null && wouldProlong(row, approval)
    if (isApart && !(yield* setApart(row, approval, trace))) continue
    const approved = yield* row === null || isApart
      ? begin(approval, trace)
      : changeEarlier(row, approval, trace)
    if (approved === null) continue
    yield* takeBack(approval, approved, trace)
    const details = {
      permissions: permissionsText(approved.permissions),
      ...tellRefused(refusedBy(approval)),
      duration: approved.duration,
    }
    yield* tell('authorization.approved', aboutOf(approved), details, trace)
    return approved
  }
}
