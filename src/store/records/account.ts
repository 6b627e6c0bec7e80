/** Steps of owners on their accounts. Their rows are those of other records. */

import type { OwnerId } from '../../model/ids.ts'
import { getOwnerKey, listOwnerKeys } from '../cache/things.ts'
import type { AccountSteps } from '../contract/owner.ts'
import type { Trace } from '../contract/trace.ts'
import type { Reads, Steps, StoreRecord } from '../sql/record.ts'
import { text } from '../sql/row.ts'
import { findOne, type Step, sql, touches } from '../sql/statement.ts'
import { writeEnding } from './authorization/authorization-row.ts'
import { tell } from './event/events.ts'
import { holdRoles, matchProven } from './factor/proof.ts'
import { decodeOwner, keepOwnerWords, ownerTable } from './owner/owners.ts'
import { deleteOwner } from './owner/record.ts'
import { noteOwner } from './revocation.ts'
import { endSessionsOf } from './session.ts'

const changeProfile: Steps['changeProfile'] = function* (by, before, after, changed, trace) {
  const { ownerId, session } = by
  const change = ownerTable.set({ ...after, updatedAt: trace.at })
  const row = yield* findOne(sql`update owners as o set ${change}
    where ${matchProven(ownerId, { session }, trace)} and name = ${before.name}
      and claims = ${JSON.stringify(before.claims)} returning *`)
  if (row === null) return false
  const owner = decodeOwner(row)
  yield* keepOwnerWords(owner, { ...owner, name: before.name })
  yield* tell('owner.profile_changed', { ownerId }, { changed }, trace)
  return true
}

function* endAll(ownerId: OwnerId, trace: Trace): Step<void> {
  yield* noteOwner(ownerId, true, trace)
  yield* endSessionsOf(ownerId, null, trace)
  yield sql`update authorizations set ${writeEnding(trace.at)}
    where owner_id = ${ownerId} and (expires_at is null or expires_at > ${trace.at})`
}

const endAccessOf: Steps['endAccessOf'] = function* (ownerId, trace, checked) {
  if (!(yield* holdRoles(ownerId, checked))) return false
  const held = sql`update owners set updated_at = updated_at
    where id = ${ownerId} and deleted_at is null returning id`
  if (!(yield* touches(held))) return false
  yield* endAll(ownerId, trace)
  yield* tell('owner.access_ended', { ownerId }, {}, trace)
  return true
}

/** The row of the owner is written first, so a concurrent approval comes before all of it or fails. */
const requestDeletion: Steps['requestDeletion'] = function* (by, deletionAt, trace) {
  const { ownerId, session } = by
  const row = yield* findOne(sql`update owners as o set deletion_at = ${deletionAt}
    where ${matchProven(ownerId, { session }, trace)} and deletion_at is null returning *`)
  if (row === null) return false
  yield* keepOwnerWords(decodeOwner(row))
  yield* endAll(ownerId, trace)
  yield* tell('owner.deletion_requested', { ownerId }, { deletionAt }, trace)
  return true
}

const undoDeletion: Steps['undoDeletion'] = function* ({ ownerId, session }, trace) {
  const row = yield* findOne(sql`update owners as o set deletion_at = null
    where ${matchProven(ownerId, { session }, trace)} and deletion_at is not null returning *`)
  if (row === null) return false
  yield* keepOwnerWords(decodeOwner(row))
  yield* tell('owner.deletion_undone', { ownerId }, {}, trace)
  return true
}

const listDueOwners: Reads['listDueOwners'] = async (read, now, limit) => {
  const query = `select id from owners where deletion_at is not null and deletion_at <= ?
    order by deletion_at, id limit ?`
  return (await read(query, [now, limit])).map(({ id }) => text(id) as OwnerId)
}

/** The first statement is the claim: an undo comes before it, or finds no owner. */
const deleteDueOwner: Steps['deleteDueOwner'] = function* (id, trace) {
  const due = yield sql`update owners set deletion_at = deletion_at
    where id = ${id} and deletion_at <= ${trace.at} returning id`
  return due.length === 0 ? false : yield* deleteOwner(id, trace)
}

export const accountRecord: StoreRecord<AccountSteps> = {
  tables: [],
  reads: { listDueOwners },
  steps: { changeProfile, requestDeletion, endAccessOf, undoDeletion, deleteDueOwner },
  invalidates: {
    changeProfile: ({ ownerId }) => [getOwnerKey(ownerId)],
    requestDeletion: ({ ownerId }) => [getOwnerKey(ownerId)],
    endAccessOf: (ownerId) => [getOwnerKey(ownerId)],
    undoDeletion: ({ ownerId }) => [getOwnerKey(ownerId)],
    deleteDueOwner: listOwnerKeys,
  },
}
