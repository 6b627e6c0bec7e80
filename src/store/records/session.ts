/** Login sessions. The cache holds nothing that an owner approved for one session. */

import { tellAgent } from '../../http/user-agent.ts'
import { commandLineId } from '../../model/client.ts'
import { needsStrongProof } from '../../model/factor.ts'
import type { OwnerId, SessionId } from '../../model/ids.ts'
import { findConsoleRole } from '../../model/owner.ts'
import { deriveContext, type Session } from '../../model/session.ts'
import type { Proof } from '../contract/authorization.ts'
import type { Login } from '../contract/factor.ts'
import type { SessionSteps } from '../contract/owner.ts'
import type { Trace } from '../contract/trace.ts'
import { recordLimits } from '../limits.ts'
import { defineTable } from '../sql/columns.ts'
import { pageOf } from '../sql/page.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../sql/record.ts'
import { flag, integer, permissions, text } from '../sql/row.ts'
import {
  all,
  ask,
  findOne,
  type Row,
  type Rows,
  type Step,
  sql,
  touches,
} from '../sql/statement.ts'
import { endedVisit, writeEnding } from './authorization/authorization-row.ts'
import { tell } from './event/events.ts'
import {
  applyFactor,
  finishCeremony,
  holdOwner,
  holdRoles,
  matchProven,
  useLink,
} from './factor/proof.ts'
import { endClientLogins, endClientLoginsOf, moveClientLogins } from './logout.ts'
import { decodeOwner } from './owner/owners.ts'
import { noteAuthorizationsOf, noteVisits } from './revocation.ts'

const sessions = defineTable<Session>(
  'sessions',
  {
    id: 'text',
    ownerId: 'text references owners (id) on delete cascade',
    startedAt: 'integer',
    expiresAt: 'integer',
    handle: "text default ''",
    userAgent: "text default ''",
    network: "text default ''",
    methods: "words default 'pwd'",
    confirmedAt: 'integer default 0',
    seenAt: 'integer default 0',
  },
  {
    key: 'id',
    restored: 'none',
    indexes: ['sessions_by_owner (owner_id)', 'sessions_by_end (expires_at)'],
  },
)

const decodeBeside = sessions.decodeAs('s')
const sessionSql = `select o.*, ${sessions.selectedAs('s')}
  from sessions s join owners o on o.id = s.owner_id
  where s.id = ? and s.expires_at > ? and o.disabled = 0`

const findSession: Reads['findSession'] = async (read, id, now) => {
  const [row] = await read(sessionSql, [id, now])
  return row === undefined ? null : { session: decodeBeside(row), owner: decodeOwner(row) }
}

const listSessions: Reads['listSessions'] = async (read, ownerId, before, limit, now) => {
  const where = all([
    sql`owner_id = ${ownerId} and expires_at > ${now}`,
    before !== null && sql`handle < ${before}`,
  ])
  const query = sql`select * from sessions where ${where} order by handle desc limit ${limit + 1}`
  const rows = await ask(read, query)
  return pageOf(rows, limit, sessions.decode, (session) => session.handle)
}

/** Removes a session and ends the authorizations for its visit. */
function* removeSession(id: SessionId, trace: Trace): Step<Row | null> {
  const row = yield* findOne(
    sql`delete from sessions where id = ${id} returning owner_id, expires_at`,
  )
  if (row !== null) {
    const ownerId = text(row.owner_id) as OwnerId
    yield* noteVisits(ownerId, { only: id }, trace)
    yield sql`update authorizations set ${writeEnding(trace.at)}
      where owner_id = ${ownerId} and session_id = ${id}`
  }
  return row
}

/** Ends all sessions of an owner but one. */
export function* endSessionsOf(ownerId: OwnerId, keep: SessionId | null, trace: Trace): Step<Rows> {
  const ended = yield sql`delete from sessions
    where owner_id = ${ownerId} and id <> ${keep ?? ''} returning expires_at`
  yield* noteVisits(ownerId, { allBut: keep }, trace)
  yield sql`update authorizations set ${writeEnding(trace.at)} where owner_id = ${ownerId}
    and session_id <> '' and session_id <> ${keep ?? ''} and session_id <> ${endedVisit}`
  yield* endClientLoginsOf(ownerId, keep, trace)
  return ended
}

/** The login of `latchkey login` stands for the role and the factors that its owner had. */
export function* endCommandLine(ownerId: OwnerId, trace: Trace): Step<void> {
  const those = sql`owner_id = ${ownerId} and client_id = ${commandLineId}
    and session_id <> ${endedVisit}`
  yield* noteAuthorizationsOf(sql`select id from authorizations where ${those}`, trace)
  yield sql`update authorizations set ${writeEnding(trace.at)} where ${those}`
}

/**
 * After a factor went, since the logins were proved by it. An approval of before, for the command line, is
 * then void.
 *
 * @param used the login in use, which stays as it is, unless its owner has a role
 */
export function* resetConfirmations(
  ownerId: OwnerId,
  used: SessionId | null,
  trace: Trace,
): Step<void> {
  const row = yield* findOne(sql`select roles from owners where id = ${ownerId}`)
  const isOperator = row !== null && findConsoleRole({ roles: permissions(row.roles) }) !== null
  yield sql`update sessions set confirmed_at = 0
    where owner_id = ${ownerId} and id <> ${isOperator ? '' : (used ?? '')}`
  yield* endCommandLine(ownerId, trace)
}

/** The proof of a login, without its factor, which is used up by then. */
const getProof = (login: Login): Proof | null => {
  if ('passkey' in login) return null
  if ('upstream' in login) {
    return login.isStrong || login.factor !== undefined ? null : { upstream: 'alone' }
  }
  const { passwordHash, factor } = login
  return factor === undefined ? { passwordHash } : { passwordHash, factor: 'shown' }
}

/** Further logins of the same hour are not noted. */
const lastLoginSeconds = 3600

const startSession: Steps['startSession'] = function* (session, login, replaces, trace, browser) {
  const { ownerId, network, userAgent } = session
  if (!(yield* holdOwner(ownerId, getProof(login), trace))) return 'refused'
  const factor = 'passkey' in login ? login.passkey : login.factor
  // Only an accepted login is an act of its owner, whatever session the browser had before.
  const byOwner: Trace = { ...trace, actor: { type: 'owner', ownerId, network } }
  // What an upstream answered counts once. A second factor has a ceremony of its own.
  if (factor !== undefined) {
    const outcome = yield* applyFactor(ownerId, factor, byOwner, trace)
    if (outcome !== 'accepted') return outcome
  } else if ('upstream' in login && !(yield* finishCeremony(login.ceremony))) return 'finished'
  if ('upstream' in login && !(yield* useLink(ownerId, login.upstream, trace))) return 'refused'
  const methods = session.methods.join(' ')
  const started = sql`${sessions.insertIf(session)}
    from owners o where ${matchProven(ownerId, getProof(login), trace)} returning id`
  if (!(yield* touches(started))) return 'refused'
  yield sql`update owners set last_login_at = ${trace.at}
    where id = ${ownerId} and coalesce(last_login_at, 0) < ${trace.at - lastLoginSeconds}`
  if (replaces !== null) {
    // The earlier session of this browser. Clients are told only if it was of another owner.
    const replaced = yield* removeSession(replaces, trace)
    if (replaced?.owner_id === ownerId) yield* moveClientLogins(replaces, session)
    else yield* endClientLogins(replaces, trace)
  }
  const upstream = 'upstream' in login ? { upstream: login.upstream.upstream } : {}
  const told = browser === 'new' ? { ...upstream, browser } : upstream
  const agent = tellAgent(userAgent)
  const details = { network, methods, context: deriveContext(session), ...agent, ...told }
  yield* tell('login.succeeded', { ownerId }, details, byOwner)
  return 'accepted'
}

/** The session stands for whatever else was shown at the login. */
const confirmSession: Steps['confirmSession'] = function* ({ ownerId, session }, login, trace) {
  const proof = 'passwordHash' in login ? { ...login, session } : { session }
  if (!(yield* holdOwner(ownerId, proof, trace))) return 'refused'
  if ('passkey' in login) {
    const outcome = yield* applyFactor(ownerId, login.passkey, trace, trace)
    if (outcome !== 'accepted') return outcome
  } else {
    const row = yield* findOne(sql`select passkey_only, roles from owners where id = ${ownerId}`)
    if (row === null) return 'refused'
    const passkeyOnly = flag(row.passkey_only)
    if (needsStrongProof({ roles: permissions(row.roles) }, { passkeyOnly })) return 'refused'
  }
  if ('upstream' in login) {
    if (!(yield* finishCeremony(login.ceremony))) return 'finished'
    if (!(yield* useLink(ownerId, login.upstream, trace))) return 'refused'
  }
  yield sql`update sessions set confirmed_at = ${trace.at} where id = ${session}`
  return 'accepted'
}

/** One of many concurrent requests writes; the others find the row changed. */
const noteSession: Steps['noteSession'] = function* (id, at) {
  yield sql`update sessions set seen_at = ${at}
    where id = ${id} and seen_at <= ${at - recordLimits.seenSeconds}`
}

const endSession: Steps['endSession'] = function* (id, trace) {
  const row = yield* removeSession(id, trace)
  yield* endClientLogins(id, trace)
  if (row === null || integer(row.expires_at) <= trace.at) return false
  yield* tell('session.ended', { ownerId: text(row.owner_id) as OwnerId }, {}, trace)
  return true
}

const endSessionOf: Steps['endSessionOf'] = function* (ownerId, handle, trace) {
  const row = yield* findOne(
    sql`select id from sessions where owner_id = ${ownerId} and handle = ${handle}`,
  )
  return row === null ? false : yield* endSession(text(row.id) as SessionId, trace)
}

const endOtherSessions: Steps['endOtherSessions'] = function* (ownerId, keep, trace, checked) {
  if (!(yield* holdRoles(ownerId, checked))) return 0
  const ended = yield* endSessionsOf(ownerId, keep, trace)
  const sessions = ended.filter((row) => integer(row.expires_at) > trace.at).length
  if (sessions > 0) yield* tell('session.ended', { ownerId }, { sessions }, trace)
  return sessions
}

export const sessionRecord: StoreRecord<SessionSteps> = {
  tables: [sessions],
  reads: { findSession, listSessions },
  steps: { startSession, confirmSession, noteSession, endSession, endSessionOf, endOtherSessions },
  invalidates: 'nothing',
  endPurges: [purgeAtEnd('sessions', 'id', 'expires_at')],
}
