/** Logins at clients that want to hear of their end, and the notices to them. */

import { type EventId, idBefore, type OwnerId, type SessionId } from '../../model/ids.ts'
import type { ClientLogin, LogoutNotice, LogoutSteps } from '../contract/queue.ts'
import type { Trace } from '../contract/trace.ts'
import { defineTable } from '../sql/columns.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../sql/record.ts'
import { flag, integer, text } from '../sql/row.ts'
import { all, findOne, listOf, type Piece, type Step, sql, touches } from '../sql/statement.ts'
import { tell } from './event/events.ts'

export const logoutLimits = {
  /** A session remembers so many clients that want to hear of its end. */
  clientsOfSession: 100,
  /** Notices that wait, of one client and of all. Beyond that a notice fails at once. */
  waitingOfClient: 1000,
  waiting: 100_000,
} as const

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

/** Queues a notice for each login. One that finds no room is told as failed. */
function* queueNotices(logins: readonly ClientLogin[], trace: Trace): Step<void> {
  const { at } = trace
  const { waitingOfClient, waiting } = logoutLimits
  for (const [index, { clientId, ownerId, sid }] of logins.entries()) {
    const id = idBefore<EventId>(trace.eventId, index + 1)
    // Counts no further than the limit, so a full queue costs no more than this.
    const queued = sql`insert into logout_notices
        (id, client_id, owner_id, sid, tries, due_at, ended_at)
      select ${id}, ${clientId}, ${ownerId}, ${sid}, 0, cast(${at} as bigint), cast(${at} as bigint)
      where (select count(*) from logout_notices where client_id = ${clientId}) < ${waitingOfClient}
        and (select count(*) from (select 1 as one from logout_notices limit ${waiting}) waiting)
          < ${waiting}
      returning id`
    if (yield* touches(queued)) continue
    const details = { reason: 'queue_full', tries: 0 }
    yield* tell('logout.failed', { clientId, ownerId }, details, { ...trace, eventId: id })
  }
}

/** A session that has expired by itself ends without a notice. */
function* endLogins(which: Piece, trace: Trace): Step<void> {
  const ended = yield sql`delete from client_logins where ${which} returning *`
  const told = ended.filter((row) => integer(row.expires_at) > trace.at && flag(row.back_channel))
  yield* queueNotices(told.map(clientLogins.decode), trace)
}

export const endClientLogins = (sessionId: SessionId, trace: Trace): Step<void> =>
  endLogins(sql`session_id = ${sessionId}`, trace)

/** All sessions of the owner but one have ended. */
export const endClientLoginsOf = (
  ownerId: OwnerId,
  keep: SessionId | null,
  trace: Trace,
): Step<void> => endLogins(sql`owner_id = ${ownerId} and session_id <> ${keep ?? ''}`, trace)

/** The same owner logged in anew in this browser: what was logged in stays so. */
export function* moveClientLogins(
  from: SessionId,
  to: { readonly id: SessionId; readonly expiresAt: number },
): Step<void> {
  yield sql`update client_logins set session_id = ${to.id}, expires_at = ${to.expiresAt}
    where session_id = ${from}`
}

export const noteClientLogin: Steps['noteClientLogin'] = function* (login, trace) {
  const { sid, sessionId, ownerId, clientId, backChannel } = login
  // Keeps the row of the session until the step has ended: whoever ends it then sees the login.
  const holding = sql`update sessions set handle = handle
    where id = ${sessionId} and expires_at > ${trace.at} returning expires_at`
  const held = sessionId === null ? null : yield* findOne(holding)
  if (held === null) {
    if (backChannel) yield* queueNotices([login], trace)
    return
  }
  yield sql`insert into client_logins
      (sid, session_id, owner_id, client_id, back_channel, expires_at)
    select ${sid}, ${sessionId}, ${ownerId}, ${clientId}, cast(${Number(backChannel)} as integer),
      cast(${integer(held.expires_at)} as bigint)
    where (select count(*) from client_logins where session_id = ${sessionId})
      < ${logoutLimits.clientsOfSession}
    on conflict (sid) do update set back_channel = excluded.back_channel`
}

const claimLogoutNotices: Steps['claimLogoutNotices'] = function* (claim, now) {
  const { busy, busyOwners, most, until } = claim
  const due = all([
    sql`due_at <= ${now}`,
    busy.length > 0 && sql`client_id not in ${listOf(busy)}`,
    busyOwners.length > 0 && sql`owner_id not in ${listOf(busyOwners)}`,
  ])
  // The outer condition is compared again with the row that another node has just claimed.
  const rows = yield sql`update logout_notices set tries = tries + 1, due_at = ${until}
    where due_at <= ${now} and id in (select min(id) from logout_notices where ${due}
      group by client_id order by min(due_at) limit ${most})
    returning *`
  return rows.map(logoutNotices.decode)
}

const finishLogoutNotice: Steps['finishLogoutNotice'] = function* (notice, outcome, trace) {
  const { id, tries, clientId, ownerId } = notice
  const ended = sql`delete from logout_notices where id = ${id} and tries = ${tries} returning id`
  if (!(yield* touches(ended))) return false
  const details = outcome.is === 'failed' ? { reason: outcome.reason, tries } : { tries }
  yield* tell(`logout.${outcome.is}`, { clientId, ownerId }, details, trace)
  return true
}

const postponeLogoutNotice: Steps['postponeLogoutNotice'] = ({ id, tries }, dueAt) =>
  touches(sql`update logout_notices set due_at = ${dueAt}
    where id = ${id} and tries = ${tries} returning id`)

export const logoutRecord: StoreRecord<LogoutSteps> = {
  tables: [clientLogins, logoutNotices],
  reads: { listClientLogins },
  steps: { noteClientLogin, claimLogoutNotices, finishLogoutNotice, postponeLogoutNotice },
  invalidates: 'nothing',
  endPurges: [purgeAtEnd('client_logins', 'sid', 'expires_at')],
}
