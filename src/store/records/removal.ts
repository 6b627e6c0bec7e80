/** What is left of deleted clients and owners. */

import { featureKept, featureOwned } from '../../features/owned.ts'
import {
  type ClientId,
  type Holder,
  holderOfOwner,
  makeClientHolder,
  type OwnerId,
} from '../../model/ids.ts'
import type { Trace } from '../contract/trace.ts'
import { storeLimits } from '../limits.ts'
import type { Steps, StoreRecord } from '../sql/record.ts'
import { findFirst, text } from '../sql/row.ts'
import { findOne, type Piece, raw, type Step, sql, statement, touches } from '../sql/statement.ts'
import type { RemovalSteps } from '../store.ts'
import { deleteItemsOf } from './item.ts'
import { noteAuthorizationsOf } from './revocation.ts'

interface Removed {
  readonly table: 'clients' | 'owners'
  readonly holder: (id: string) => Holder
  /** Tables that may have many rows of one, and some of these in the order of an index. */
  readonly pieces: Readonly<Partial<Record<'authorizations' | 'sessions', string>>>
}

const clientKind: Removed = {
  table: 'clients',
  holder: (id) => makeClientHolder(id as ClientId),
  pieces: {
    authorizations:
      'select id from authorizations where client_id = ? order by client_id, id limit ?',
  },
}

const ownerKind: Removed = {
  table: 'owners',
  holder: (id) => holderOfOwner(id as OwnerId),
  pieces: {
    authorizations: `select id from authorizations where owner_id = ?
      order by owner_id, client_id, duration, session_id limit ?`,
    sessions: 'select id from sessions where owner_id = ? limit ?',
  },
}

/** A piece of what hangs on a deleted row. At the end the row itself goes. */
function* removePiece(kind: Removed, id: string, most: number, trace: Trace): Step<number> {
  let went = 0
  for (const [table, some] of Object.entries(kind.pieces)) {
    const left = most - went
    if (left === 0) return went
    // A client is noted as a whole. An API knows no owners, so each authorization is noted.
    if (kind === ownerKind && table === 'authorizations') {
      yield* noteAuthorizationsOf(statement(some, id, left), trace)
    }
    went += (yield statement(`delete from ${table} where id in (${some}) returning id`, id, left))
      .length
  }
  if (went < most) went += yield* deleteItemsOf(kind.holder(id), most - went)
  if (went === most) return went
  yield statement(`delete from ${kind.table} where id = ?`, id)
  return went + 1
}

/** A piece of a deleted client or owner; nothing where none is left. */
const removeDeleted: Steps['removeDeleted'] = function* (mostRows, trace) {
  for (const kind of [clientKind, ownerKind]) {
    const query = `select id from ${kind.table} where deleted_at is not null order by id limit 1`
    const row = findFirst(yield statement(query))
    if (row !== null) return yield* removePiece(kind, text(row.id), mostRows, trace)
  }
  return 0
}

/** Whether a client keeps owners. Locks its row, so that it gets none until the step ends. */
export function* isKeeper(id: ClientId): Step<boolean> {
  yield sql`select id from clients where id = ${id} for update`
  for (const table of featureKept) {
    if (
      yield* touches(statement(`select 1 as found from ${table} where client_id = ? limit 1`, id))
    )
      return true
  }
  return false
}

/**
 * Deletes a client that meets a condition.
 *
 * @returns its name, or null where there is none
 */
export function* removeClient(
  id: ClientId,
  trace: Trace,
  only: Piece = raw('1 = 1'),
): Step<string | null> {
  const row = yield* findOne(
    sql`update clients set deleted_at = ${trace.at}, disabled = 1, revision = revision + 1
      where id = ${id} and deleted_at is null and ${only} returning name`,
  )
  if (row === null) return null
  yield sql`delete from client_logos where client_id = ${id}`
  yield sql`delete from client_words where id = ${id}`
  yield* removePiece(clientKind, id, storeLimits.purgeRows, trace)
  return text(row.name)
}

const ownTables = [
  'passkeys',
  'one_time_codes',
  'recovery_codes',
  'upstream_links',
  'group_members',
  'upstream_roles',
  'mails',
  'owner_pictures',
  ...featureOwned,
] as const

/** @returns false where there is no such owner */
export function* removeOwner(id: OwnerId, trace: Trace): Step<boolean> {
  // No username has a line break, so this key is nobody's.
  const marked = sql`update owners set deleted_at = ${trace.at}, disabled = 1, deletion_at = null,
      username = '', name = '', username_key = ${`\n${id}`}, email = '', email_verified = 0,
      password_hash = '', password_kind = '', claims = '{}', attributes = '{}', pages = '', roles = '',
      picture_name = '', last_login_at = 0
    where id = ${id} and deleted_at is null returning id`
  if (!(yield* touches(marked))) return false
  yield sql`update groups set revision = revision + 1, changed_at = ${trace.at}
    where id in (select group_id from group_members where owner_id = ${id})`
  // Few rows, and free at once.
  for (const table of ownTables) {
    yield statement(`delete from ${table} where owner_id = ?`, id)
  }
  yield sql`delete from owner_words where id = ${id}`
  yield* removePiece(ownerKind, id, storeLimits.purgeRows, trace)
  return true
}

export const removalRecord: StoreRecord<RemovalSteps> = {
  tables: [],
  reads: {},
  steps: { removeDeleted },
  // The cache forgot these rows when their client or owner was deleted.
  invalidates: 'nothing',
  alone: ['removeDeleted'],
}
