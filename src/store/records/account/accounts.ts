/** What owners change of their accounts themselves, and how they leave. */
import type { OwnerId } from '../../../model/ids.ts'
import type { Profile } from '../../contract/account.ts'
import type { ByOwner } from '../../contract/factor.ts'
import type { CheckedRoles } from '../../contract/owner.ts'
import { text } from '../../sql/row.ts'
import { type Read, type Step, statement } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { ending } from '../authorization/authorization-row.ts'
import { tell } from '../event/events.ts'
import { holdRoles, proven, provenBy } from '../factor/proof.ts'
import { deleteOwner } from '../owner/owners.ts'
import { noteOwner } from '../revocation/revocations.ts'
import { endSessionsOf } from '../session/sessions.ts'

export function* changeProfile(
  { ownerId, session }: ByOwner,
  before: Profile,
  after: Profile,
  changed: string,
  trace: Trace,
): Step<boolean> {
  const rows = yield statement(
    `update owners as o set name = ?, claims = ?, pages = ?, updated_at = ?
     where ${proven} and name = ? and claims = ? returning id`,
    after.name,
    JSON.stringify(after.claims),
    JSON.stringify(after.pages),
    trace.at,
    ...provenBy(ownerId, { session }, trace),
    before.name,
    JSON.stringify(before.claims),
  )
  if (rows.length === 0) return false
  yield* tell('owner.profile_changed', { ownerId }, { changed }, trace)
  return true
}

/** All sessions and accesses. */
function* endAll(ownerId: OwnerId, trace: Trace): Step<void> {
  yield* noteOwner(ownerId, true, trace)
  yield* endSessionsOf(ownerId, null, trace)
  yield statement(
    `update authorizations set ${ending}
     where owner_id = ? and (expires_at is null or expires_at > ?)`,
    trace.at,
    trace.at,
    ownerId,
    trace.at,
  )
}

/** The row of the owner is written first here as well. */
export function* endAccessOf(
  ownerId: OwnerId,
  trace: Trace,
  checked?: CheckedRoles,
): Step<boolean> {
  if (!(yield* holdRoles(ownerId, checked))) return false
  const sql = `update owners set updated_at = updated_at
    where id = ? and deleted_at is null returning id`
  if ((yield statement(sql, ownerId)).length === 0) return false
  yield* endAll(ownerId, trace)
  yield* tell('owner.access_ended', { ownerId }, {}, trace)
  return true
}

/** The row of the owner is written first, so a concurrent approval comes before all of it or fails. */
export function* requestDeletion(
  { ownerId, session }: ByOwner,
  deletionAt: number,
  trace: Trace,
): Step<boolean> {
  const rows = yield statement(
    `update owners as o set deletion_at = ? where ${proven} and deletion_at is null returning id`,
    deletionAt,
    ...provenBy(ownerId, { session }, trace),
  )
  if (rows.length === 0) return false
  yield* endAll(ownerId, trace)
  yield* tell('owner.deletion_requested', { ownerId }, { deletionAt }, trace)
  return true
}

export function* undoDeletion({ ownerId, session }: ByOwner, trace: Trace): Step<boolean> {
  const rows = yield statement(
    `update owners as o set deletion_at = null
     where ${proven} and deletion_at is not null returning id`,
    ...provenBy(ownerId, { session }, trace),
  )
  if (rows.length === 0) return false
  yield* tell('owner.deletion_undone', { ownerId }, {}, trace)
  return true
}

export const listDueOwners = async (
  read: Read,
  now: number,
  limit: number,
): Promise<readonly OwnerId[]> => {
  const sql = `select id from owners where deletion_at is not null and deletion_at <= ?
    order by deletion_at, id limit ?`
  return (await read(sql, [now, limit])).map(({ id }) => text(id) as OwnerId)
}

/** The first statement is the claim: an undo comes before it, or finds no owner. */
export function* deleteDueOwner(id: OwnerId, trace: Trace): Step<boolean> {
  const due = yield statement(
    'update owners set deletion_at = deletion_at where id = ? and deletion_at <= ? returning id',
    id,
    trace.at,
  )
  return due.length === 0 ? false : yield* deleteOwner(id, trace)
}
