/** Families: begun by a code (RFC 6749 section 4.1.2) or without one, and what ends them or single tokens. */

import type { Family, Standing } from '../../../model/authorization.ts'
import { getDetailTypes } from '../../../model/client.ts'
import type { AuthorizationId, FamilyId } from '../../../model/ids.ts'
import { getBranchesKey, getEndingsKey, getFamilyKey, getOwnerKey } from '../../cache/things.ts'
import type { FamilySteps, Redeemed, Redemption } from '../../contract/family.ts'
import type { Trace } from '../../contract/trace.ts'
import { storeLimits } from '../../limits.ts'
import { defineTable } from '../../sql/columns.ts'
import { type Reads, type Steps, type StoreRecord, walk } from '../../sql/record.ts'
import { findFirst, flag, permissions, text } from '../../sql/row.ts'
import {
  asSendOnly,
  asWhole,
  countOnly,
  findOne,
  type Row,
  raw,
  type Step,
  sql,
  statement,
  touches,
} from '../../sql/statement.ts'
import { approve } from '../authorization/approve.ts'
import {
  actors,
  decodeAuthorization,
  isSealedWith,
  joinedColumns,
  matchUnexpired,
  running,
  unexpired,
} from '../authorization/authorization-row.ts'
import { findLiving } from '../authorization/authorizations.ts'
import { decodeDetails, decodeShortened } from '../client/clients.ts'
import { tell, tellOfAuthorization } from '../event/events.ts'
import { clientFor } from '../group/client-for.ts'
import { noteClientLogin } from '../logout.ts'
import { delegate } from './delegate.ts'
import { decodeFamily, familyColumns, familyTable, rotateRefreshToken } from './rotate.ts'

const standingSql = `select f.id, f.generation, f.rotated_at, f.expires_at, f.has_endings,
    ${joinedColumns}, case when a.details = '' then '' else c.details end as client_details,
    c.scope as client_scope, c.scope_limits, c.shortened_at, c.shortened_to,
    o.username, c.disabled as client_disabled, o.disabled as owner_disabled,
    case when ${clientFor} then 1 else 0 end as is_for
  from families f, authorizations a join clients c on c.id = a.client_id
    join owners o on o.id = a.owner_id
  where f.id = ? and a.id = f.authorization_id and f.ended = 0
    and c.deleted_at is null and o.deleted_at is null
    and (f.expires_at is null or f.expires_at > ?) and ${unexpired}`

const noTypes: readonly string[] = []

/** The members of the client are read only under an authorization with details. */
const decodeDetailTypes = (row: Row): Standing['clientDetailTypes'] => {
  if (row.client_details === '') return noTypes
  const { openid } = decodeDetails(row.client_details)
  const scope = permissions(row.client_scope)
  return getDetailTypes({ openid, scope, scopeLimits: flag(row.scope_limits) })
}

const findStanding: Reads['findStanding'] = async (read, familyId, now, also) => {
  const row = findFirst(await read(standingSql, [familyId, now, now, now], 'f.id'))
  if (row === null) return null
  const isDisabled = flag(row.client_disabled) || flag(row.owner_disabled) || !flag(row.is_for)
  if (isDisabled && also === undefined) return null
  return {
    family: decodeFamily(row),
    authorization: decodeAuthorization(row),
    clientScope: flag(row.scope_limits) ? permissions(row.client_scope) : null,
    clientDetailTypes: decodeDetailTypes(row),
    clientShortened: decodeShortened(row),
    username: text(row.username),
    isDisabled,
  }
}

const isRedeemed: Reads['isRedeemed'] = async (read, familyId) =>
  (await read('select 1 as found from families where id = ?', [familyId])).length > 0

/** The primary key makes it once only; the rest of the statement makes it only while all lives. */
const insertLiving = `insert into families (${familyColumns})
  select ?, a.id, 0, cast(? as bigint), cast(? as bigint), cast(? as bigint), 0, 0
  from ${actors} where a.id = ? and ${isSealedWith} and ${running.sql} and ${unexpired}
  on conflict (id) do nothing ${countOnly}`

/** With a login, the statement is not all that the step changes. */
export function* insertFamily(start: Omit<Redemption, 'burn'>, trace: Trace): Step<Family | null> {
  const { familyId, authorizationId, salt, codeIssuedAt, expiresAt, login } = start
  const { at } = trace
  const about = [familyId, codeIssuedAt, at, expiresAt, authorizationId, salt] as const
  const insert = statement(insertLiving, ...about, at, at)
  const began = yield login === undefined ? asWhole(insert) : insert
  if (began.length === 0) return null
  if (login !== undefined) yield* noteClientLogin(login, trace)
  const begun = { generation: 0, rotatedAt: at, expiresAt, hasEndings: false }
  return { id: familyId, authorizationId, ...begun }
}

/** Uses a code up for nothing: its family begins as one that has ended. */
function* burn(redemption: Redemption, { at }: Trace): Step<boolean> {
  const { familyId, authorizationId, codeIssuedAt, expiresAt } = redemption
  return yield* touches(sql`insert into families (${raw(familyColumns)})
    values (${familyId}, ${authorizationId}, 0, ${codeIssuedAt}, ${at}, ${expiresAt}, 1, 0)
    on conflict (id) do nothing returning id`)
}

/**
 * A replayed code ends its family; the first replay is an event.
 *
 * @returns null where the code was not used before
 */
function* replayCode(familyId: FamilyId, trace: Trace): Step<Redeemed | null> {
  const ended = yield* findOne(sql`update families set ended = 1
      where id = ${familyId} and ended = 0 returning authorization_id`)
  if (ended !== null) {
    const id = text(ended.authorization_id) as AuthorizationId
    yield* tellOfAuthorization('code.replayed', id, { familyId }, trace)
    return { outcome: 'replayed' }
  }
  const known = yield sql`select 1 as found from families where id = ${familyId}`
  return known.length > 0 ? { outcome: 'replayed' } : null
}

const pausedSql = `select a.paused from ${actors} where a.id = ? and ${isSealedWith} and ${unexpired}`

/** Why a code that was not used before earns nothing; null if it can be redeemed by now. */
export function* findHindrance(
  { authorizationId, salt }: Pick<Redemption, 'authorizationId' | 'salt'>,
  { at }: Trace,
): Step<Extract<Redeemed, { outcome: 'ended' | 'paused' }> | null> {
  const row = findFirst(yield statement(pausedSql, authorizationId, salt, at, at))
  if (row === null) return { outcome: 'ended' }
  return text(row.paused) === '' ? null : { outcome: 'paused' }
}

const redeemCode: Steps['redeemCode'] = function* (redemption, trace) {
  const { familyId, authorizationId } = redemption
  if (redemption.burn) {
    if (!(yield* burn(redemption, trace))) {
      return (yield* replayCode(familyId, trace)) ?? { outcome: 'ended' }
    }
    yield* tellOfAuthorization('code.burned', authorizationId, { familyId }, trace)
    return { outcome: 'burned' }
  }
  for (;;) {
    const family = yield* insertFamily(redemption, trace)
    if (family !== null) return { outcome: 'redeemed', family }
    const refused =
      (yield* replayCode(familyId, trace)) ?? (yield* findHindrance(redemption, trace))
    if (refused !== null) return refused
  }
}

const startFamily: Steps['startFamily'] = function* (start, trace) {
  const { familyId, under, expiresAt } = start
  const isNew = 'asked' in under
  const found = yield* isNew ? approve(under, trace) : findLiving(under.id, trace)
  if (found === null) return null
  if ('outcome' in found && found.outcome !== 'approved') {
    return found.outcome === 'paused' ? 'paused' : null
  }
  const authorization = 'outcome' in found ? found.authorization : found
  if (authorization.paused) return 'paused'
  const { id: authorizationId, salt } = isNew ? authorization : under
  const begun = { familyId, authorizationId, salt, codeIssuedAt: trace.at, expiresAt }
  const family = yield* insertFamily(begun, trace)
  return family && { authorization, family }
}

const endFamily: Steps['endFamily'] = function* (familyId, trace) {
  const { at } = trace
  const row = yield* findOne(sql`update families set ended = 1
    where id = ${familyId} and ended = 0 and (expires_at is null or expires_at > ${at})
      and exists (select 1 from authorizations a
        where a.id = families.authorization_id and ${matchUnexpired(at)})
    returning authorization_id`)
  if (row === null) return false
  const id = text(row.authorization_id) as AuthorizationId
  yield* tellOfAuthorization('family.revoked', id, { familyId }, trace)
  return true
}

const endings = defineTable(
  'endings',
  { id: 'text', expiresAt: 'integer?' },
  { key: 'id', restored: 'none' },
)

const isTokenEnded: Reads['isTokenEnded'] = async (read, tokenId) =>
  (await read('select 1 as found from endings where id = ?', [tokenId], 'id')).length > 0

const insertEnding = `insert into endings (id, expires_at) values (?, ?)
  on conflict (id) do nothing ${countOnly}`

const endToken: Steps['endToken'] = function* ({ of, tokenId, expiresAt }, trace) {
  const ended = yield statement(insertEnding, tokenId, expiresAt)
  if (ended.length === 0) return
  // Where it is marked already nothing has to be written.
  if ('clientId' in of) {
    const mark = sql`update clients set has_endings = 1 where id = ${of.clientId} and has_endings = 0`
    yield asSendOnly(mark)
    return yield* tell('token.revoked', of, { tokenId }, trace)
  }
  const mark = sql`update families set has_endings = 1 where id = ${of.familyId} and has_endings = 0`
  yield asSendOnly(mark)
  yield* tellOfAuthorization('token.revoked', of.authorizationId, { tokenId }, trace)
}

/**
 * Families that expired, ended or lost their authorization. A row stays while its journey or its
 * code could be used again: without the row they would count as fresh.
 */
const purgeFamilies = walk('families', function* (ids, { now }) {
  return (yield sql`delete from families where ${ids}
    and started_at < ${now - storeLimits.journeySeconds - storeLimits.purgeAfterSeconds}
    and (ended = 1 or expires_at <= ${now} or not exists (select 1 from authorizations a
      where a.id = families.authorization_id and ${matchUnexpired(now)})) returning id`).length
})

/**
 * Endings of tokens that have expired on every node. An index by the end would be a second tree to
 * write in each revocation, so the purge walks.
 */
const purgeEndings = walk('endings', function* (ids, { now }) {
  return (yield sql`delete from endings where ${ids}
    and expires_at <= ${now - storeLimits.purgeAfterSeconds} ${raw(countOnly)}`).length
})

export const familyRecord: StoreRecord<FamilySteps> = {
  tables: [familyTable, endings],
  reads: { findStanding, isRedeemed, isTokenEnded },
  steps: { redeemCode, startFamily, delegate, rotateRefreshToken, endFamily, endToken },
  invalidates: {
    redeemCode: ({ familyId }) => [getFamilyKey(familyId)],
    startFamily: ({ familyId: id, under }) =>
      'asked' in under ? [getFamilyKey(id), getOwnerKey(under.ownerId)] : [getFamilyKey(id)],
    // Each exchange would make the owner's other tokens be read anew.
    delegate: ({ familyId, parent }) => [getFamilyKey(familyId), getBranchesKey(parent.id)],
    // Its outcome says whether a token was ended singly, too.
    rotateRefreshToken: ({ familyId }) => [getFamilyKey(familyId), getEndingsKey(familyId)],
    endFamily: (id) => [getFamilyKey(id)],
    endToken: ({ of }) => [getEndingsKey('clientId' in of ? of.clientId : of.familyId)],
  },
  purges: { families: purgeFamilies, endings: purgeEndings },
}
