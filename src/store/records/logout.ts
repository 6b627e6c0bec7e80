/** Logins at clients that want to hear of their end, and the notices to them. */
import { logoutLimits as limits } from '../../config/logout-limits.ts'
import { type EventId, idBefore, type OwnerId, type SessionId } from '../../model/ids.ts'
import type { ClientLogin, LogoutNotice, LogoutSteps } from '../contract/queue.ts'
import { defineTable } from '../sql/columns.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../sql/record.ts'
import { flag, integer, text } from '../sql/row.ts'
import { findOne, type Rows, type Step, sql, statement, touches } from '../sql/statement.ts'
import type { Trace } from '../store.ts'
import { tell } from './event/events.ts'

const clientLogins = defineTable<ClientLogin>(
  'client_logins',
  {
    sid: 'text',
    sessionId: {
      sql: 'text not null',
      decode: (value) => text(value) as SessionId,
      encode: String,
    },
    ownerId: 'text',
    clientId: 'text',
    backChannel: 'flag',
    expiresAt: 'beside integer',
  },
  {
    key: 'sid',
    restored: 'none',
    indexes: [
      'client_logins_by_session (session_id)',
      'client_logins_by_owner (owner_id)',
      'client_logins_by_end (expires_at)',
    ],
  },
)

const logoutNotices = defineTable<LogoutNotice>(
  'logout_notices',
  {
    id: 'text',
    clientId: 'text',
    ownerId: 'text',
    sid: 'text',
    tries: 'small',
    dueAt: 'beside integer',
    endedAt: 'integer',
  },
  {
    key: 'id',
    restored: 'none',
    indexes: ['logout_notices_by_client (client_id)', 'logout_notices_by_due (due_at)'],
  },
)

const listClientLogins: Reads['listClientLogins'] = async (read, sessionId) => {
  const rows = await read('select * from client_logins where session_id = ? order by client_id', [
    sessionId,
  ])
  return rows.map(clientLogins.decode)
}

/** Counts no further than the limit, so a full queue costs no more than this. */
const queue = `insert into logout_notices (id, client_id, owner_id, sid, tries, due_at, ended_at)
  select ?, ?, ?, ?, 0, cast(? as bigint), cast(? as bigint)
  where (select count(*) from logout_notices where client_id = ?) < ?
    and (select count(*) from (select 1 as one from logout_notices limit ?) waiting) < ?
  returning id`

/** Queues a notice for each login. One that finds no room is told as failed. */
function* queueNotices(logins: readonly ClientLogin[], trace: Trace): Step<void> {
  const { at } = trace
  const { waitingOfClient, waiting } = limits
  for (const [index, { clientId, ownerId, sid }] of logins.entries()) {
    const id = idBefore<EventId>(trace.eventId, index + 1)
    const about = [id, clientId, ownerId, sid, at, at] as const
    const queued = yield statement(queue, ...about, clientId, waitingOfClient, waiting, waiting)
    if (queued.length > 0) continue
    const details = { reason: 'queue_full', tries: 0 }
    yield* tell('logout.failed', { clientId, ownerId }, details, { ...trace, eventId: id })
  }
}

/** A session that has expired by itself ends without a notice. */
function* tellClients(ended: Rows, trace: Trace): Step<void> {
  const told = ended.filter((row) => integer(row.expires_at) > trace.at && flag(row.back_channel))
  yield* queueNotices(told.map(clientLogins.decode), trace)
}

/** The session has ended. */
export function* endClientLogins(sessionId: SessionId, trace: Trace): Step<void> {
  yield* tellClients(
    yield sql`delete from client_logins
    where session_id = ${sessionId} returning *`,
    trace,
  )
}

/** All sessions of the owner but one have ended. */
export function* endClientLoginsOf(
  ownerId: OwnerId,
  keep: SessionId | null,
  trace: Trace,
): Step<void> {
  yield* tellClients(
    yield sql`delete from client_logins
    where owner_id = ${ownerId} and session_id <> ${keep ?? ''} returning *`,
    trace,
  )
}

/** The same owner logged in anew in this browser: what was logged in stays so. */
export function* moveClientLogins(
  from: SessionId,
  to: { readonly id: SessionId; readonly expiresAt: number },
): Step<void> {
  yield sql`update client_logins set session_id = ${to.id}, expires_at = ${to.expiresAt}
    where session_id = ${from}`
}

/** Keeps the row of the session until the step has ended: whoever ends it then sees the login. */
function* holdSession(sessionId: SessionId, { at }: Trace): Step<number | null> {
  const row = yield* findOne(sql`update sessions set handle = handle
      where id = ${sessionId} and expires_at > ${at} returning expires_at`)
  return row && integer(row.expires_at)
}

const insertLogin = `insert into client_logins
    (sid, session_id, owner_id, client_id, back_channel, expires_at)
  select ?, ?, ?, ?, cast(? as integer), cast(? as bigint)
  where (select count(*) from client_logins where session_id = ?) < ?
  on conflict (sid) do update set back_channel = excluded.back_channel`

export const noteClientLogin: Steps['noteClientLogin'] = function* (login, trace) {
  const { sid, sessionId, ownerId, clientId, backChannel } = login
  const expiresAt = sessionId === null ? null : yield* holdSession(sessionId, trace)
  if (sessionId === null || expiresAt === null) {
    if (backChannel) yield* queueNotices([login], trace)
    return
  }
  const about = [sid, sessionId, ownerId, clientId, Number(backChannel), expiresAt] as const
  yield statement(insertLogin, ...about, sessionId, limits.clientsOfSession)
}

const noneOf = (column: string, ids: readonly string[]): string =>
  ids.length === 0 ? '' : `and ${column} not in (${Array(ids.length).fill('?').join(', ')})`

const claimLogoutNotices: Steps['claimLogoutNotices'] = function* (
  { busy, busyOwners, most, until },
  now,
) {
  const others = `${noneOf('client_id', busy)} ${noneOf('owner_id', busyOwners)}`
  // The outer condition is compared again with the row that another node has just claimed.
  const rows = yield statement(
    `update logout_notices set tries = tries + 1, due_at = ?
     where due_at <= ? and id in
       (select min(id) from logout_notices where due_at <= ? ${others}
        group by client_id order by min(due_at) limit ?)
     returning *`,
    until,
    now,
    now,
    ...busy,
    ...busyOwners,
    most,
  )
  return rows.map(logoutNotices.decode)
}

const finishLogoutNotice: Steps['finishLogoutNotice'] = function* (
  { id, tries, clientId, ownerId },
  outcome,
  trace,
) {
  if (
    !(yield* touches(
      sql`delete from logout_notices where id = ${id} and tries = ${tries} returning id`,
    ))
  )
    return false
  const details = outcome.is === 'failed' ? { reason: outcome.reason, tries } : { tries }
  yield* tell(`logout.${outcome.is}`, { clientId, ownerId }, details, trace)
  return true
}

const postponeLogoutNotice: Steps['postponeLogoutNotice'] = function* ({ id, tries }, dueAt) {
  return yield* touches(sql`update logout_notices set due_at = ${dueAt}
    where id = ${id} and tries = ${tries} returning id`)
}

export const logoutRecord: StoreRecord<LogoutSteps> = {
  tables: [clientLogins, logoutNotices],
  reads: { listClientLogins },
  steps: { noteClientLogin, claimLogoutNotices, finishLogoutNotice, postponeLogoutNotice },
  invalidates: 'nothing',
  endPurges: [purgeAtEnd('client_logins', 'sid', 'expires_at')],
}
