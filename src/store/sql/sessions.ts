/** Login sessions; an authorization for one visit goes with its session. */
import type { OwnerId, SessionId } from '../../model/ids.ts'
import type { Owner } from '../../model/owner.ts'
import type { Session } from '../../model/session.ts'
import type { Trace } from '../store.ts'
import { tell } from './events.ts'
import { decodeOwner } from './owner-row.ts'
import { holdOwner, proven, provenBy } from './proof.ts'
import { first, integer, text } from './row.ts'
import { type Read, type Row, type Step, statement } from './statement.ts'

export const findSession = async (
  read: Read,
  id: SessionId,
  now: number,
): Promise<{ session: Session; owner: Owner } | null> => {
  const row = first(
    await read(
      `select o.*, s.started_at, s.expires_at
       from sessions s join owners o on o.id = s.owner_id
       where s.id = ? and s.expires_at > ? and o.disabled = 0`,
      [id, now],
    ),
  )
  if (row === null) return null
  const owner = decodeOwner(row)
  const startedAt = integer(row.started_at)
  const expiresAt = integer(row.expires_at)
  return { session: { id, ownerId: owner.id, startedAt, expiresAt }, owner }
}

/** Removes a session and the authorizations for its visit. */
function* removeSession(id: SessionId): Step<Row | null> {
  const row = first(
    yield statement('delete from sessions where id = ? returning owner_id, expires_at', id),
  )
  if (row !== null) {
    yield statement(
      'delete from authorizations where owner_id = ? and session_id = ?',
      text(row.owner_id),
      id,
    )
  }
  return row
}

/** Ends all sessions of an owner but one. */
export function* endSessionsOf(ownerId: OwnerId, keep: SessionId | null): Step<void> {
  yield statement('delete from sessions where owner_id = ? and id <> ?', ownerId, keep ?? '')
  yield statement(
    `delete from authorizations where owner_id = ? and session_id <> '' and session_id <> ?`,
    ownerId,
    keep ?? '',
  )
}

export function* startSession(
  session: Session,
  passwordHash: string,
  replaces: SessionId | null,
  trace: Trace,
): Step<boolean> {
  const { id, ownerId, startedAt, expiresAt } = session
  const proof = { passwordHash }
  if (!(yield* holdOwner(ownerId, proof, trace))) return false
  const started = yield statement(
    `insert into sessions (id, owner_id, started_at, expires_at)
     select ?, o.id, cast(? as bigint), cast(? as bigint) from owners o where ${proven}
     returning id`,
    id,
    startedAt,
    expiresAt,
    ...provenBy(ownerId, proof, trace),
  )
  if (started.length === 0) return false
  if (replaces !== null) yield* removeSession(replaces)
  yield* tell('login.succeeded', { ownerId }, {}, trace)
  return true
}

export function* endSession(id: SessionId, trace: Trace): Step<boolean> {
  const row = yield* removeSession(id)
  if (row === null || integer(row.expires_at) <= trace.at) return false
  yield* tell('session.ended', { ownerId: text(row.owner_id) as OwnerId }, {}, trace)
  return true
}
