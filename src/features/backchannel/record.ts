/** Backchannel requests: begun by a client, decided on by an owner elsewhere, redeemed once (OpenID CIBA). */
import type { ClientId, OwnerId } from '../../model/ids.ts'
import { getAuthorizationKey, getFamilyKey, getOwnerKey } from '../../store/cache/things.ts'
import {
  approved,
  authorizationTable,
  encodeChosen,
  matchUnexpired,
  running,
} from '../../store/records/authorization/authorization-row.ts'
import { tellDetails } from '../../store/records/authorization/authorizations.ts'
import { tell } from '../../store/records/event/events.ts'
import { holdOwner, matchProven } from '../../store/records/factor/proof.ts'
import { clientFor, matchClientFor } from '../../store/records/group/client-for.ts'
import { polledColumns, redeemPolled, tellAsked } from '../../store/records/polled.ts'
import { defineTable } from '../../store/sql/columns.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../../store/sql/record.ts'
import { findFirst, integer, permissionsText, text } from '../../store/sql/row.ts'
import { all, findOne, listOf, type Piece, raw, sql, touches } from '../../store/sql/statement.ts'
import type { BackchannelApproval, BackchannelRequest, BackchannelSteps } from './contract.ts'
import { backchannelLimits } from './limits.ts'

const requests = defineTable<BackchannelRequest>(
  'backchannel_requests',
  {
    ...polledColumns,
    ownerId: 'text?',
    hint: 'text',
    message: 'text?',
    ping: 'text?',
    ofStranger: 'flag default 0',
    keptUntil: 'integer?',
    // When the ping is due. Null: there is no decision yet, or the client knows of it.
    pingAt: 'beside integer?',
    tries: 'beside small default 0',
  },
  {
    key: 'id',
    restored: 'none',
    indexes: [
      'backchannel_requests_by_hint (client_id, hint, expires_at)',
      'backchannel_requests_by_owner (owner_id, expires_at)',
      'backchannel_requests_by_network (network, expires_at)',
      'backchannel_requests_by_end (expires_at)',
      'backchannel_requests_by_ping (ping_at) where ping_at is not null',
    ],
  },
)

/** How many there are, counted no further than the limit. */
const countUpTo = (most: number, which: Piece): Piece =>
  sql`(select count(*) from (select 1 as one from backchannel_requests
    where ${which} limit ${most}) counted)`

/** @param most null: as many as there are */
const areFewer = (most: number | null, which: Piece): Piece =>
  most === null ? raw('1 = 1') : sql`${countUpTo(most, which)} < ${most}`

const startBackchannel: Steps['startBackchannel'] = function* (request, bounds) {
  const { clientId, ownerId, hint, network, createdAt: at } = request
  // Requests of one client come one after the other, so that none exceeds a bound.
  yield sql`update clients set disabled = disabled where id = ${clientId}`
  const living = sql`state = 'pending' and expires_at > ${at}`
  const ofOwner = sql`owner_id = ${ownerId}`
  const ofBoth = sql`${ofOwner} and client_id = ${clientId}`
  const denied = sql`${ofBoth} and state = 'denied' and expires_at > ${bounds.since}`
  const ofHint = sql`client_id = ${clientId} and hint = ${hint}`
  const fewOfHint = areFewer(bounds.ofHint, sql`${ofHint} and ${living}`)
  const late = sql`expires_at > ${at - backchannelLimits.countedSeconds}`
  const strange = sql`${late} and of_stranger = 1`
  const fewInAll = all([
    areFewer(bounds.ofNetwork, sql`network = ${network} and ${strange}`),
    areFewer(bounds.inAll, strange),
  ])
  const few = sql`${fewOfHint} and ${fewInAll}`
  const isHeard = all([
    areFewer(bounds.ofOwner, sql`${ofBoth} and ${living}`),
    areFewer(bounds.ofOwnerInAll, sql`${ofOwner} and ${living}`),
    areFewer(bounds.denials, denied),
  ])
  const lately = yield* findOne(sql`select ${countUpTo(1, sql`${ofHint} and ${late}`)} as by_hint,
    ${countUpTo(1, sql`${ofBoth} and ${late}`)} as of_owner`)
  const isFirst = integer(lately?.by_hint) === 0
  const isFirstOfOwner = integer(lately?.of_owner) === 0
  const asked = sql`${requests.insertIf(request)} where ${few} and ${isHeard} returning id`
  if (ownerId !== null && (yield* touches(asked))) {
    return { outcome: 'started', isHeard: true, isFirst, isFirstOfOwner }
  }
  const unheard = sql`${requests.insertIf({ ...request, ownerId: null })}
    where ${few} returning id`
  if (yield* touches(unheard))
    return { outcome: 'started', isHeard: false, isFirst, isFirstOfOwner }
  const isFull = yield* touches(sql`select 1 as few where ${fewOfHint}`)
  return { outcome: isFull ? 'too_many' : 'too_many_of_hint' }
}

const findBackchannel: Reads['findBackchannel'] = async (read, id) => {
  const row = findFirst(await read('select * from backchannel_requests where id = ?', [id]))
  return row && requests.decode(row)
}

const listBackchannels: Reads['listBackchannels'] = async (read, ownerId, now, limit) => {
  const query = `select r.* from backchannel_requests r
    join clients c on c.id = r.client_id and c.disabled = 0
    join owners o on o.id = r.owner_id and ${clientFor}
    where r.owner_id = ? and o.id = ? and r.expires_at > ? and r.state = 'pending'
    order by r.id desc limit ?`
  return (await read(query, [ownerId, ownerId, now, limit])).map(requests.decode)
}

const listAuthorizers: Reads['listAuthorizers'] = async (read, clientId, limit) => {
  const query = `select owner_id from authorizations where client_id = ?
    group by owner_id order by max(id) desc limit ?`
  return (await read(query, [clientId, limit])).map((row) => text(row.owner_id) as OwnerId)
}

/** A request that waits for this owner, in a valid login. */
const matchDecidable = (
  id: string,
  { ownerId, session }: Pick<BackchannelApproval, 'ownerId' | 'session'>,
  trace: Parameters<typeof matchProven>[2],
): Piece =>
  sql`id = ${id} and owner_id = ${ownerId} and state = 'pending' and expires_at > ${trace.at}
    and exists (select 1 from owners o
      where ${matchProven(ownerId, { session }, trace)} and o.deletion_at is null)`

const pingDue = (at: number): Piece =>
  sql`ping_at = case when ping is null then null else cast(${at} as bigint) end`

const approveBackchannel: Steps['approveBackchannel'] = function* (id, approval, trace) {
  const { ownerId, session, authorizationId, permissions, details, salt, terms, kept } = approval
  const { keptUntil, sessionId } = kept ?? { keptUntil: null, sessionId: null }
  const { at } = trace
  if (!(yield* holdOwner(ownerId, { session }, trace))) return 'over'
  const possible = sql`${matchDecidable(id, approval, trace)} and exists (select 1 from clients c
    where c.id = backchannel_requests.client_id and c.disabled = 0 and exists (select 1 from owners o
        where o.id = ${ownerId} and ${matchClientFor}))`
  const unpaused = sql`not exists (select 1 from authorizations a where a.owner_id = ${ownerId}
    and a.client_id = backchannel_requests.client_id and ${raw(approved)} and not ${running}
    and ${matchUnexpired(at)})`
  const row = yield* findOne(sql`update backchannel_requests
    set ${requests.set({ state: 'approved', authorizationId, terms, keptUntil })}, ${pingDue(at)},
      salt = cast(${salt} as text) || (select c.family_salt from clients c
        where c.id = backchannel_requests.client_id)
    where ${possible} and ${unpaused} returning client_id, expires_at, network, created_at`)
  if (row === null) {
    const found = sql`select 1 as found from backchannel_requests where ${possible}`
    return (yield* touches(found)) ? 'paused' : 'over'
  }
  const clientId = text(row.client_id) as ClientId
  const expiresAt = integer(row.expires_at)
  const given = { id: authorizationId, clientId, ownerId, permissions, details, salt, expiresAt }
  // An authorization of its own: no other approval finds it, and no other request is answered by it.
  const begun = {
    duration: encodeChosen(authorizationId),
    sessionId: sessionId ?? '',
    createdAt: at,
  }
  const alone = { parentId: null, approvedFor: null, allowedBy: null, paused: null }
  const inserted = sql`${authorizationTable.insertIf({ ...given, ...begun, ...alone })}
    from owners o where o.id = ${ownerId} and o.deleted_at is null and exists
      (select 1 from clients c where c.id = ${clientId} and c.deleted_at is null) returning id`
  if (!(yield* touches(inserted))) return 'over'
  const said = { permissions: permissionsText(permissions), ...tellDetails(details) }
  const told = { ...said, ...tellAsked(row) }
  yield* tell('authorization.approved', { clientId, ownerId, authorizationId }, told, trace)
  return 'approved'
}

const denyBackchannel: Steps['denyBackchannel'] = function* (id, by, trace) {
  const row = yield* findOne(sql`update backchannel_requests
    set ${requests.set({ state: 'denied' })}, ${pingDue(trace.at)}
    where ${matchDecidable(id, by, trace)} returning client_id, network, created_at`)
  if (row === null) return false
  const about = { clientId: text(row.client_id) as ClientId, ownerId: by.ownerId }
  yield* tell('authorization.denied', about, tellAsked(row), trace)
  return true
}

const redeemBackchannel: Steps['redeemBackchannel'] = ({ endsAt, ...redemption }, trace) =>
  redeemPolled('backchannel_requests', redemption, trace, (row) =>
    // Unless its owner has set another end meanwhile.
    touches(sql`update authorizations set expires_at = ${endsAt}, revision = revision + 1
      where id = ${redemption.authorizationId} and expires_at = ${integer(row.expires_at)}
      returning id`),
  )

const claimBackchannelPings: Steps['claimBackchannelPings'] = function* (claim, now) {
  const { busy, busyOwners, ofStranger, most, until } = claim
  const due = all([
    sql`ping_at <= ${now} and of_stranger = ${Number(ofStranger)}`,
    busy.length > 0 && sql`client_id not in ${listOf(busy)}`,
    busyOwners.length > 0 && sql`owner_id not in ${listOf(busyOwners)}`,
  ])
  const ofClients = sql`select min(id) from backchannel_requests where ${due} group by client_id`
  const firsts = sql`select min(id) from backchannel_requests where id in (${ofClients})
    group by owner_id order by min(ping_at) limit ${most}`
  // The outer condition is compared again with the row that another node has just claimed.
  const rows = yield sql`update backchannel_requests set tries = tries + 1, ping_at = ${until}
    where ping_at <= ${now} and id in (${firsts}) returning *`
  return rows.map((row) => {
    const { id, clientId, ownerId, expiresAt } = requests.decode(row)
    const about = { id, clientId, ownerId, expiresAt, ofStranger }
    return { ...about, ping: text(row.ping), tries: integer(row.tries) }
  })
}

const postponeBackchannelPing: Steps['postponeBackchannelPing'] = ({ id, tries }, dueAt) =>
  touches(sql`update backchannel_requests set ping_at = ${dueAt},
      ping = ${dueAt === null ? null : raw('ping')}
    where id = ${id} and tries = ${tries} and ping_at is not null returning id`)

export const backchannelRecord: StoreRecord<BackchannelSteps> = {
  tables: [requests],
  reads: { findBackchannel, listBackchannels, listAuthorizers },
  steps: {
    startBackchannel,
    approveBackchannel,
    denyBackchannel,
    redeemBackchannel,
    claimBackchannelPings,
    postponeBackchannelPing,
  },
  invalidates: {
    startBackchannel: 'nothing',
    approveBackchannel: (_id, { ownerId }) => [getOwnerKey(ownerId)],
    denyBackchannel: 'nothing',
    redeemBackchannel: ({ familyId, authorizationId }) => [
      getFamilyKey(familyId),
      getAuthorizationKey(authorizationId),
    ],
    claimBackchannelPings: 'nothing',
    postponeBackchannelPing: 'nothing',
  },
  endPurges: [
    purgeAtEnd('backchannel_requests', 'id', 'expires_at', backchannelLimits.rememberedSeconds),
  ],
}
