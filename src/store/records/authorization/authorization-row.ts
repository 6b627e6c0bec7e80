/** The row of an authorization, and the SQL conditions of a live one. */

import type { AllowedBy, Authorization, Duration, Pause } from '../../../model/authorization.ts'
import type { Detail } from '../../../model/detail.ts'
import type { AuthorizationId, ClientId, OwnerId, SessionId } from '../../../model/ids.ts'
import type { ApprovedFor } from '../../../model/requester.ts'
import { storeLimits } from '../../limits.ts'
import { type RestoreRule, replaceValues } from '../../schema/table.ts'
import { defineTable } from '../../sql/columns.ts'
import { pauseMark } from '../../sql/filter.ts'
import { blank, integer, integerOrNull, json, permissions, text } from '../../sql/row.ts'
import { type Piece, type Row, raw, sql, statement, type Value } from '../../sql/statement.ts'
import { clientFor } from '../group/client-for.ts'

/**
 * Approvals stay after a restore, and so do ended ones. Approvals for a visit end, since sessions are not
 * restored.
 */
const stripSessions: RestoreRule = (rows, columns, newSalt) => {
  const session = columns.indexOf('session_id')
  return rows
    .filter((row) => noVisits.includes(text(row[session])))
    .map((row) => replaceValues(columns, row, { salt: newSalt() }))
}

interface AuthorizationRow extends Omit<Authorization, 'duration' | 'sessionId'> {
  readonly duration: string
  readonly sessionId: string
}

const noDetails: readonly Detail[] = []

const decodeParent = (value: Value | undefined): AuthorizationId | null =>
  value === '' ? null : (text(value) as AuthorizationId)

const decodeDetails = (value: Value | undefined): readonly Detail[] =>
  value === '' ? noDetails : (json(value) as readonly Detail[])

const encodeDetails = (details: readonly Detail[]): string =>
  details.length === 0 ? '' : JSON.stringify(details)

/** The unique key leads to the authorizations of an owner, and makes approving twice one approval. */
export const authorizationTable = defineTable<AuthorizationRow>(
  'authorizations',
  {
    id: 'text',
    clientId: 'text references clients (id) on delete cascade',
    ownerId: 'text references owners (id) on delete cascade',
    permissions: 'words',
    duration: 'text',
    sessionId: 'text',
    expiresAt: 'integer?',
    createdAt: 'integer',
    lastUsedAt: 'beside integer?',
    salt: 'text',
    // The requester of the approval; empty for an unknown one.
    approvedFor: "blank default ''",
    revision: { sql: 'integer not null', from: () => 0 },
    // Only the steps of pauses change it.
    paused: "blank default ''",
    // The latest end of a pause.
    resumedAt: 'beside integer?',
    details: { sql: "text not null default ''", decode: decodeDetails, encode: encodeDetails },
    parentId: {
      sql: "text not null default ''",
      decode: decodeParent,
      encode: (member) => member ?? '',
    },
    // The event that last took something from it. A delegation gets nothing back by an earlier login.
    takenBy: "beside text default ''",
    // Empty where the owner approved.
    allowedBy: "blank default ''",
  },
  {
    key: 'id',
    unique: 'owner_id, client_id, duration, session_id',
    restored: stripSessions,
    indexes: [
      'authorizations_by_client (client_id, id)',
      `authorizations_paused (${pauseMark}, id) where paused > ''`,
    ],
  },
)

/**
 * The salt for codes and tokens of an authorization: its own, and behind it the one of its client
 * `c`. A new salt of the client ends everything of its owners at once.
 */
const sealedWith = 'a.salt || c.family_salt'

/** That an authorization `a` of a client `c` is still sealed with a salt. */
export const isSealedWith = `${sealedWith} = ?`

const listColumns = (
  a: string,
  salt = `${a}salt || (select c.family_salt from clients c where c.id = ${a}client_id)`,
): string => `${a}id as authorization_id, ${a}client_id, ${a}owner_id,
  ${a}permissions, ${a}duration, ${a}session_id, ${a}expires_at as authorization_expires_at,
  ${a}created_at as authorization_created_at, ${salt} as authorization_salt,
  ${a}approved_for, ${a}paused, ${a}revision, ${a}details as authorization_details, ${a}parent_id,
  ${a}allowed_by`

/** The columns of an authorization `a`, under names that no other table has. */
export const authorizationColumns = raw(listColumns('a.'))

/** The same where its client `c` is read as well. */
export const joinedColumns = listColumns('a.', sealedWith)

/** The same in a `returning` clause: there SQLite knows no `a`. */
export const returnedColumns = raw(listColumns(''))

/** One whose end is its own stands alone: with its id in the unique key, no approval finds it. */
const chosenPrefix = 'chosen:'

export const encodeChosen = (id: AuthorizationId): string => chosenPrefix + id

/** A delegation lives with its parent. With the parent in the unique key, each client has one there. */
export const encodeUnder = (parent: AuthorizationId): string => `under:${parent}`

/** Stands for the visit of one that has ended. No session has this id, so it lives by no clock. */
export const endedVisit = 'ended'

/** A visit is stored as text, empty where there is none, so that it can be part of a unique key. */
const noVisits = ['', endedVisit]

export const decodeAuthorization = (row: Row): Authorization => {
  const sessionId = noVisits.includes(text(row.session_id)) ? null : (row.session_id as SessionId)
  // One that stands alone may still be for a visit, such as a grant.
  const alone = sessionId === null ? 'chosen' : 'session'
  return {
    id: text(row.authorization_id) as AuthorizationId,
    clientId: text(row.client_id) as ClientId,
    ownerId: text(row.owner_id) as OwnerId,
    parentId: row.parent_id === '' ? null : (row.parent_id as AuthorizationId),
    permissions: permissions(row.permissions),
    details:
      row.authorization_details === '' ? noDetails : decodeDetails(row.authorization_details),
    duration: text(row.duration).includes(':') ? alone : (row.duration as Duration),
    sessionId,
    expiresAt: integerOrNull(row.authorization_expires_at),
    createdAt: integer(row.authorization_created_at),
    salt: text(row.authorization_salt),
    approvedFor: blank(row.approved_for) as ApprovedFor | null,
    allowedBy: blank(row.allowed_by) as AllowedBy | null,
    paused: blank(row.paused) as Pause | null,
  }
}

/** An authorization `a` that has neither expired nor outlived its visit; asks for "now" twice. */
export const unexpired = `(a.expires_at is null or a.expires_at > ?)
  and (a.session_id = '' or exists
    (select 1 from sessions s where s.id = a.session_id and s.expires_at > ?))`

/** The same where neither its client nor its owner was deleted; lists and steps see no others. */
export const existing = sql`exists (select 1 from clients c
    where c.id = a.client_id and c.deleted_at is null)
  and exists (select 1 from owners o where o.id = a.owner_id and o.deleted_at is null)`

/** An authorization `a` that is not paused. */
export const running = sql`a.paused = ''`

/** An authorization `a` that its owner approved, and no delegation. */
export const approved = "a.parent_id = ''"

/** One that its client may manage as a grant: its owner approved, and no issuer. */
export const grantable = raw(`${approved} and a.allowed_by = ''`)

/**
 * The end of an authorization. Its row stays for a while, so that its owner can read its access log.
 * Its new duration leaves its place to a later approval.
 */
export const writeEnding = (now: number): Piece =>
  sql`duration = ${raw(`'${chosenPrefix}'`)} || id, session_id = ${raw(`'${endedVisit}'`)},
    revision = revision + 1,
    expires_at = case when expires_at < ${now} then expires_at else cast(${now} as bigint) end`

export const matchUnexpired = (now: number): Piece => statement(unexpired, now, now)

/** What ended by then is forgotten. */
export const getForgetTime = (now: number): number => now - storeLimits.useDays * 86_400

/** Any that an owner may still look back at. */
export const matchRemembered = (now: number): Piece =>
  sql`(a.expires_at is null or a.expires_at > ${getForgetTime(now)})`

/** The authorization `a` with its client `c` and owner `o`: both are able to act, and the client is for the owner. */
export const actors = `authorizations a
  join clients c on c.id = a.client_id and c.disabled = 0
  join owners o on o.id = a.owner_id and o.disabled = 0 and ${clientFor}`
