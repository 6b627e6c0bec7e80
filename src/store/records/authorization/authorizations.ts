/**
 * Authorizations: found, narrowed, paused and ended. An ended one keeps its row for a while. No query for
 * a live one finds it, so its tokens are dead.
 */

import type { Authorization, Pause } from '../../../model/authorization.ts'
import { listDetailNames, makeDetailKey } from '../../../model/detail.ts'
import type { Event, EventType } from '../../../model/event.ts'
import {
  type AuthorizationId,
  type ClientId,
  type EventId,
  idBefore,
  type OwnerId,
} from '../../../model/ids.ts'
import type { ScopeName } from '../../../model/resource.ts'
import { isOnlyOffline } from '../../../model/scope-word.ts'
import { computeDay } from '../../../model/use.ts'
import type { ClientOfOwner } from '../../contract/authorization.ts'
import type { Trace } from '../../contract/trace.ts'
import { pageOf } from '../../sql/page.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { findFirst, flag, integer, integerOrNull, permissionsText, text } from '../../sql/row.ts'
import {
  all,
  ask,
  findOne,
  type Piece,
  type Row,
  type Rows,
  raw,
  type Step,
  sql,
  statement,
} from '../../sql/statement.ts'
import { tell } from '../event/events.ts'
import { holdOwner, matchProven } from '../factor/proof.ts'
import { noteAuthorization } from '../revocation.ts'
import {
  actors,
  approved,
  authorizationColumns,
  authorizationTable,
  decodeAuthorization,
  encodeChosen,
  existing,
  grantable,
  joinedColumns,
  matchUnexpired,
  returnedColumns,
  running,
  unexpired,
  writeEnding,
} from './authorization-row.ts'

const livingById = `select ${joinedColumns} from ${actors} where a.id = ? and ${unexpired}`

/** The same inside a step. */
export function* findLiving(id: AuthorizationId, trace: Trace): Step<Authorization | null> {
  const row = findFirst(yield statement(livingById, id, trace.at, trace.at))
  return row && decodeAuthorization(row)
}

/** Whether nothing is allowed any more. */
const isEmpty = ({ permissions, details }: Pick<Authorization, 'permissions' | 'details'>) =>
  permissions.length === 0 && details.length === 0

/** How events name details: by what they allow, without their values. */
export const tellDetails = (details: Authorization['details']): Event['details'] =>
  details.length === 0 ? {} : { details: listDetailNames(details).join(' ') }

/**
 * Removes permissions that are not kept, and the taken details. An authorization without anything left
 * ends.
 *
 * @param taken keys of details
 * @returns null where somebody else changed it meanwhile
 */
export function* reduce(
  row: Row,
  isKept: (name: ScopeName) => boolean,
  taken: readonly string[],
  trace: Trace,
): Step<Authorization | null> {
  const authorization = decodeAuthorization(row)
  const left = authorization.permissions.filter(isKept)
  const details =
    taken.length === 0
      ? authorization.details
      : authorization.details.filter((detail) => !taken.includes(makeDetailKey(detail)))
  const permissions = isOnlyOffline(left) && details.length === 0 ? [] : left
  const found = sql`id = ${authorization.id} and revision = ${integer(row.revision)}`
  yield* noteAuthorization(authorization.id, false, trace)
  const change = authorizationTable.set({ permissions, ...(taken.length === 0 ? {} : { details }) })
  const set = isEmpty({ permissions, details })
    ? writeEnding(trace.at)
    : sql`${change}, revision = revision + 1`
  const changed =
    yield sql`update authorizations set ${set}, taken_by = ${trace.eventId} where ${found} returning id`
  return changed.length === 0 ? null : { ...authorization, permissions, details }
}

/** @param details of the event, beside the remaining permissions */
export function* tellOfReduced(
  authorization: Authorization,
  details: Event['details'],
  trace: Trace,
): Step<void> {
  const { permissions, details: left } = authorization
  const type = isEmpty(authorization) ? 'authorization.ended' : 'authorization.narrowed'
  const told = { permissions: permissionsText(permissions), ...tellDetails(left), ...details }
  yield* tell(type, getAbout(authorization), told, trace)
}

/** Whether a new end comes before the one until now; null = no end. */
export const isEndSooner = (before: number | null, end: number | null): boolean =>
  end !== null && (before === null || end < before)

/** How events say that tokens from before end sooner than they say. */
export const tellSooner = (isSooner: boolean): Event['details'] =>
  isSooner ? { sooner: true } : {}

export const getAbout = ({ id, clientId, ownerId }: Authorization) => ({
  clientId,
  ownerId,
  authorizationId: id,
})

/**
 * The first second of the day that lies so many days back. An authorization knows only the first of
 * the uses of a day, so it counts as used until the end of that day.
 */
const beginOf = (unusedDays: number, now: number): number => (computeDay(now) - unusedDays) * 86_400

/** An authorization that its client or its owner has touched since. */
const matchTouched = (name: string, since: number): Piece => {
  const a = raw(name)
  return sql`(${a}.created_at >= ${since} or coalesce(${a}.last_used_at, 0) >= ${since}
    or coalesce(${a}.resumed_at, 0) >= ${since})`
}

/** A concurrent approval comes before this step or after it, never in between. */
function* lockOwner(ownerId: OwnerId): Step<void> {
  yield sql`update owners set disabled = disabled where id = ${ownerId}`
}

/** One event for each; the clients and owners of all are the same. */
function* tellEach(
  type: EventType,
  { ownerId, clientId }: ClientOfOwner,
  rows: Rows,
  details: Readonly<Record<string, number>>,
  trace: Trace,
): Step<number> {
  for (const [i, { id }] of rows.entries()) {
    const about = { ownerId, clientId, authorizationId: text(id) as AuthorizationId }
    yield* tell(type, about, details, { ...trace, eventId: idBefore<EventId>(trace.eventId, i) })
  }
  return rows.length
}

export const authorizationReads = {
  async findAuthorization(read, id, now) {
    const row = findFirst(await read(livingById, [id, now, now]))
    return row && decodeAuthorization(row)
  },

  async findAuthorizations(read, ownerId, clientId, now, during) {
    const rows = await read(
      `select ${joinedColumns} from ${actors}
       where a.owner_id = ? and a.client_id = ? and ${approved} and ${unexpired}
         and (cast(? as text) is null or exists
           (select 1 from sessions s where s.id = ? and s.expires_at > ?))
       order by case when a.session_id = '' then 0 else 1 end,
         case when a.expires_at is null then 0 else 1 end, a.expires_at desc, a.id`,
      [ownerId, clientId, now, now, during ?? null, during ?? null, now],
    )
    return rows.map(decodeAuthorization)
  },

  async isApproved(read, clientId) {
    const sql = `select 1 as found from authorizations a where a.client_id = ? and ${approved} limit 1`
    return (await read(sql, [clientId])).length > 0
  },

  async listUnusedAuthorizations(read, unusedDays, after, limit, now) {
    // Rows in use are counted as well: each call looks at few of them, however few are unused.
    const isUnused = sql`${running} and ${raw(approved)} and ${matchUnexpired(now)} and ${existing}
      and not ${matchTouched('a', beginOf(unusedDays, now))}`
    const rows = await ask(
      read,
      sql`select a.id, a.owner_id, a.client_id, case when ${isUnused} then 1 else 0 end as is_unused
        from authorizations a where a.id > ${after ?? ''} order by a.id limit ${limit + 1}`,
    )
    const ofUnused = (row: Row): ClientOfOwner | null =>
      flag(row.is_unused)
        ? { ownerId: text(row.owner_id) as OwnerId, clientId: text(row.client_id) as ClientId }
        : null
    const looked = pageOf(rows, limit, ofUnused, (_, { id }) => text(id))
    return { ...looked, rows: looked.rows.filter((one) => one !== null) }
  },
} satisfies Partial<Reads>

export const authorizationSteps = {
  *narrowAuthorization(id, ownerId, keep, trace, taken = []) {
    for (;;) {
      const row = yield* findOne(sql`select ${authorizationColumns} from authorizations a
          where a.id = ${id} and ${matchUnexpired(trace.at)} and ${existing}`)
      if (row === null || (ownerId !== null && row.owner_id !== ownerId)) return null
      const found = decodeAuthorization(row)
      const isTaken =
        taken.length > 0 && found.details.some((one) => taken.includes(makeDetailKey(one)))
      if (!isTaken && found.permissions.every((one) => keep.includes(one))) return found
      const narrowed = yield* reduce(row, (one) => keep.includes(one), taken, trace)
      if (narrowed === null) continue
      yield* tellOfReduced(narrowed, {}, trace)
      return narrowed
    }
  },

  *changeAuthorizationEnd(change, trace) {
    const { id, ownerId, session, expiresAt } = change
    const before = yield* findOne(sql`select expires_at from authorizations where id = ${id}`)
    const row = yield* findOne(sql`update authorizations as a set session_id = '',
          duration = case when a.parent_id = '' then ${encodeChosen(id)} else a.duration end,
          expires_at = ${expiresAt}, revision = revision + 1
        where a.id = ${id} and a.owner_id = ${ownerId} and ${matchUnexpired(trace.at)} and ${existing}
          and exists (select 1 from owners o where ${matchProven(ownerId, { session }, trace)})
        returning ${returnedColumns}`)
    if (row === null) return null
    const changed = decodeAuthorization(row)
    const isSooner = isEndSooner(integerOrNull(before?.expires_at ?? null), expiresAt)
    const told = { expiresAt, ...tellSooner(isSooner) }
    yield* tell('authorization.end_changed', getAbout(changed), told, trace)
    return changed
  },

  *endAuthorization(id, ownerId, trace, clientId) {
    const where = all([
      sql`a.id = ${id} and ${matchUnexpired(trace.at)} and ${existing}`,
      sql`a.owner_id = coalesce(${ownerId}, a.owner_id)`,
      clientId !== undefined && sql`a.client_id = ${clientId} and ${grantable}`,
    ])
    const row = yield* findOne(sql`update authorizations as a
        set ${writeEnding(trace.at)}, taken_by = ${trace.eventId}
        where ${where} returning ${returnedColumns}`)
    if (row === null) return false
    yield* tell('authorization.ended', getAbout(decodeAuthorization(row)), {}, trace)
    return true
  },

  *pauseAuthorizations(of, trace) {
    const { ownerId, clientId, parentId = null, unusedDays } = of
    yield* lockOwner(ownerId)
    const { at, actor } = trace
    const by = actor.type === 'owner' || actor.type === 'service' ? actor.type : 'operator'
    const pause: Pause = { at, by, unusedDays: unusedDays ?? null }
    const where = all([
      sql`a.owner_id = ${ownerId} and a.client_id = ${clientId} and ${running}`,
      sql`a.parent_id = ${parentId ?? ''}`,
      matchUnexpired(at),
      existing,
      unusedDays !== undefined &&
        sql`not exists (select 1 from authorizations b where b.owner_id = ${ownerId}
          and b.client_id = ${clientId} and b.parent_id = '' and ${matchTouched('b', beginOf(unusedDays, at))})`,
    ])
    const paused = yield sql`update authorizations as a set paused = ${JSON.stringify(pause)},
      revision = revision + 1 where ${where} returning id`
    const details = unusedDays === undefined ? {} : { unusedDays }
    return yield* tellEach('authorization.paused', of, paused, details, trace)
  },

  *resumeAuthorizations(of, trace) {
    const { ownerId, clientId, parentId = null, session } = of
    if (session === null) yield* lockOwner(ownerId)
    else if (!(yield* holdOwner(ownerId, { session }, trace))) return 0
    const resumed = yield sql`update authorizations as a set paused = '', resumed_at = ${trace.at},
        revision = revision + 1
      where a.owner_id = ${ownerId} and a.client_id = ${clientId} and not ${running}
        and a.parent_id = ${parentId ?? ''} and ${matchUnexpired(trace.at)} and ${existing} returning id`
    return yield* tellEach('authorization.resumed', of, resumed, {}, trace)
  },
} satisfies Partial<Steps>
