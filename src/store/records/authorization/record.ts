/** The record of authorizations, and their lists: of an owner, of a client, or of all. */

import type { Authorization } from '../../../model/authorization.ts'
import { getLikeness } from '../../../model/requester.ts'
import { findLogoUri } from '../../../protocol/web-uri.ts'
import { getAuthorizationKey, getOwnerKey } from '../../cache/things.ts'
import type { AuthorizationSteps, ListedAuthorization } from '../../contract/authorization.ts'
import {
  type Direction,
  limited,
  orderOf,
  pauseMark,
  rangeOf,
  type Stretch,
  stretchOf,
} from '../../sql/filter.ts'
import { pageOf } from '../../sql/page.ts'
import { type Reads, type StoreRecord, walk } from '../../sql/record.ts'
import { flag, integer, integerOrNull, text, textOrNull } from '../../sql/row.ts'
import { all, ask, type Piece, type Row, raw, sql } from '../../sql/statement.ts'
import type { Store } from '../../store.ts'
import { decodeDetails } from '../client/clients.ts'
import { approve } from './approve.ts'
import {
  approved,
  authorizationTable,
  decodeAuthorization,
  endedVisit,
  existing,
  getForgetTime,
  joinedColumns,
  matchRemembered,
  matchUnexpired,
  writeEnding,
} from './authorization-row.ts'
import { authorizationReads, authorizationSteps } from './authorizations.ts'

const decodeListed = (row: Row): ListedAuthorization => {
  const details = decodeDetails(row.client_details)
  const { registeredBy, display } = details
  return {
    ...decodeAuthorization(row),
    clientName: text(row.client_name),
    clientRegisteredBy: registeredBy,
    parentClientName: textOrNull(row.parent_client_name),
    clientUri: display.client_uri ?? null,
    clientDisabled: flag(row.client_disabled),
    clientLikeness: getLikeness({ ...details, name: text(row.client_name) }),
    clientLogo: row.logo_uri === findLogoUri(details) ? textOrNull(row.logo_version) : null,
    username: text(row.username),
    lastUsedAt: integerOrNull(row.last_used_at),
  }
}

/** The authorizations of a page with all that a list shows. The rows are so few that sorting is nothing. */
const selectDescribed = (page: Piece, limit: number, by: string): Piece =>
  sql`select ${raw(joinedColumns)}, c.name as client_name, c.details as client_details,
     c.disabled as client_disabled, pc.name as parent_client_name, l.uri as logo_uri, l.version as logo_version, o.username,
     coalesce(u.last_at, a.last_used_at) as last_used_at
   from (select * from authorizations a where ${page} limit ${limit}) a
     join clients c on c.id = a.client_id join owners o on o.id = a.owner_id
     left join authorizations p on p.id = a.parent_id left join clients pc on pc.id = p.client_id
     left join client_logos l on l.client_id = a.client_id
     left join access_log u on u.authorization_id = a.id and u.day = a.last_used_at / 86400
   order by ${raw(by)}`

/** What has no end comes as if it ended after all others. */
const latestEnd = Number.MAX_SAFE_INTEGER
const endOf = `coalesce(a.expires_at, ${latestEnd})`

/** The direction of the ids, where they alone make the order. */
const orders = {
  'oldest first': { direction: 'asc', by: 'a.id' },
  'newest first': { direction: 'desc', by: 'a.id desc' },
  'latest end first': { direction: null, by: `${endOf} desc, a.id desc` },
} as const

type ListOrder = keyof typeof orders

/** What comes after the key of a page. */
const matchBeyond = (order: ListOrder, key: string): Piece => {
  if (order === 'oldest first') return sql`a.id > ${key}`
  if (order === 'newest first') return sql`a.id < ${key}`
  const hyphen = key.indexOf('-')
  const end = Number(key.slice(0, hyphen))
  return sql`(${raw(endOf)}, a.id) < (cast(${end} as bigint), ${key.slice(hyphen + 1)})`
}

/** The authorizations above a delegation: in a chain of four clients (`mostActors`). */
const mostAbove = 4

/**
 * No delegation where anything above has ended. Its own row ends with a purge after that. PostgreSQL would read the
 * whole table for an `exists` beside an `or`, and looks up one value by its key.
 */
const matchParent = (now: number, below = 'a', left = mostAbove): Piece => {
  if (left === 0) return raw('1 = 1')
  const above = `${below}p`
  const [child, p] = [raw(below), raw(above)]
  return sql`(${child}.parent_id = '' or coalesce((select 1 from authorizations ${p}
    where ${p}.id = ${child}.parent_id and ${p}.session_id <> ${endedVisit}
      and (${p}.expires_at is null or ${p}.expires_at > ${now}) and ${matchParent(now, above, left - 1)}), 0) = 1)`
}

type Asked = Parameters<Store['listAuthorizations']>[0]

/** Authorizations of one owner, or one alone, are so few that any order is found quickly. */
const pageOfFew = (
  { id, ownerId, clientId }: Asked,
  after: string | null,
  order: ListOrder,
  state: Piece,
): Piece => {
  const where = all([
    id !== undefined && sql`a.id = ${id}`,
    ownerId !== undefined && sql`a.owner_id = ${ownerId}`,
    clientId !== undefined && sql`a.client_id = ${clientId}`,
    state,
    after !== null && matchBeyond(order, after),
  ])
  return sql`${where} order by ${raw(orders[order].by)}`
}

/** Authorizations of a client, the paused ones, or all. */
const getStretchOfMany = (
  { clientId, paused }: Asked,
  after: string | null,
  direction: Direction,
): Stretch => {
  if (clientId !== undefined) return stretchOf([['client_id', clientId]], direction, after)
  return stretchOf(paused ? [[pauseMark, '{']] : [], direction, after)
}

/** Authorizations of a disabled client are listed too: its owners must be able to end them. */
const listAuthorizations: Reads['listAuthorizations'] = async (
  read,
  of,
  after,
  limit,
  now,
  order = 'oldest first',
) => {
  const { direction, by } = orders[order]
  const state = all([
    existing,
    of.ended
      ? sql`(not (${matchUnexpired(now)}) and ${matchRemembered(now)})`
      : matchUnexpired(now),
    of.paused === true && raw("a.paused > ''"),
    !of.ended && matchParent(now),
  ])
  const isFew = of.id !== undefined || of.ownerId !== undefined || direction === null
  const stretch = isFew
    ? null
    : await limited(read, 'authorizations', getStretchOfMany(of, after, direction), limit)
  const page =
    stretch === null
      ? pageOfFew(of, after, order, state)
      : sql`${rangeOf(stretch)} and ${state} ${orderOf(stretch)}`
  const rows = await ask(read, selectDescribed(page, limit + 1, by))
  const keyOf = ({ id, expiresAt }: Authorization): string =>
    direction === null ? `${expiresAt ?? latestEnd}-${id}` : id
  return pageOf(rows, limit, decodeListed, keyOf, stretch?.stop ?? null)
}

/** So many rows of a client are added up. */
const summarized = 1000

const findAccessSummary: Reads['findAccessSummary'] = async (read, clientId, now) => {
  const isLive = all([raw(approved), matchUnexpired(now), existing])
  const query = sql`select count(distinct live_owner) as owners, max(last_used_at) as used,
      count(*) as examined
    from (select case when ${isLive} then a.owner_id end as live_owner, a.last_used_at
      from authorizations a where a.client_id = ${clientId}
      order by a.id desc limit ${summarized + 1}) a`
  const [row] = await ask(read, query)
  return {
    owners: integer(row?.owners ?? 0),
    isMore: integer(row?.examined ?? 0) > summarized,
    lastUsedAt: integerOrNull(row?.used ?? null),
  }
}

/**
 * Authorizations that expired, outlived their visit or lost their parent end for good. Ended rows go when
 * nobody looks back at them any more. An ended delegation stays for as long as its parent lives: without its
 * row, the next exchange would begin it anew.
 */
const purgeAuthorizations = walk('authorizations', function* (ids, { now }) {
  const hasParent = sql`exists (select 1 from authorizations p where p.id = authorizations.parent_id
    and p.session_id <> ${endedVisit} and (p.expires_at is null or p.expires_at > ${now}))`
  const ended = yield sql`update authorizations set ${writeEnding(now)}
    where ${ids} and session_id <> ${endedVisit}
      and ((parent_id = '' and expires_at <= ${now}) or (parent_id <> '' and not ${hasParent}) or (session_id <> '' and not exists (select 1 from sessions s
        where s.id = authorizations.session_id and s.expires_at > ${now}))) returning id`
  const gone = yield sql`delete from authorizations
    where ${ids} and expires_at <= ${getForgetTime(now)} and not ${hasParent} returning id`
  return ended.length + gone.length
})

export const authorizationRecord: StoreRecord<AuthorizationSteps> = {
  tables: [authorizationTable],
  reads: { ...authorizationReads, listAuthorizations, findAccessSummary },
  steps: { ...authorizationSteps, approve },
  invalidates: {
    // An approval may change other authorizations of the owner, too.
    approve: ({ ownerId }) => [getOwnerKey(ownerId)],
    narrowAuthorization: (id) => [getAuthorizationKey(id)],
    changeAuthorizationEnd: ({ id }) => [getAuthorizationKey(id)],
    endAuthorization: (id) => [getAuthorizationKey(id)],
    pauseAuthorizations: ({ ownerId }) => [getOwnerKey(ownerId)],
    resumeAuthorizations: ({ ownerId }) => [getOwnerKey(ownerId)],
  },
  purges: { authorizations: purgeAuthorizations },
}
