/** Pausing and resuming an application: all that one owner approved for it. */

import type { Actor } from '../../../model/actor.ts'
import type { Pause } from '../../../model/authorization.ts'
import type { EventType } from '../../../model/event.ts'
import {
  type AuthorizationId,
  type ClientId,
  type EventId,
  idBefore,
  type OwnerId,
} from '../../../model/ids.ts'
import { dayOf } from '../../../model/use.ts'
import type { ClientOfOwner } from '../../contract/authorization.ts'
import { pageOf } from '../../sql/page.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { flag, text } from '../../sql/row.ts'
import { ask, type Piece, type Rows, raw, type Step, sql } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { tell } from '../event/events.ts'
import { holdOwner } from '../factor/proof.ts'
import { existing, running, unexpiredAt } from './authorization-row.ts'

/**
 * The first second of the day that lies so many days back. An authorization knows only the first of
 * the uses of a day, so it counts as used until the end of that day.
 */
const beginOf = (unusedDays: number, now: number): number => (dayOf(now) - unusedDays) * 86_400

/** An authorization that its client or its owner has touched since. */
const touchedSince = (name: string, since: number): Piece => {
  const a = raw(name)
  return sql`(${a}.created_at >= ${since} or coalesce(${a}.last_used_at, 0) >= ${since}
    or coalesce(${a}.resumed_at, 0) >= ${since})`
}

const byOf = (actor: Actor): Pause['by'] =>
  actor.type === 'owner' || actor.type === 'service' ? actor.type : 'operator'

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

export const pauseAuthorizations: Steps['pauseAuthorizations'] = function* (
  { ownerId, clientId, unusedDays },
  trace,
) {
  yield* lockOwner(ownerId)
  const { at, actor } = trace
  const pause: Pause = { at, by: byOf(actor), unusedDays: unusedDays ?? null }
  const pauseAll = sql`update authorizations as a set paused = ${JSON.stringify(pause)},
      revision = revision + 1
    where a.owner_id = ${ownerId} and a.client_id = ${clientId} and ${running}
      and ${unexpiredAt(at)} and ${existing}`
  if (unusedDays === undefined) {
    const paused = yield sql`${pauseAll} returning id`
    return yield* tellEach('authorization.paused', { ownerId, clientId }, paused, {}, trace)
  }
  const paused = yield sql`${pauseAll} and not exists (select 1 from authorizations b
      where b.owner_id = ${ownerId} and b.client_id = ${clientId}
        and ${touchedSince('b', beginOf(unusedDays, at))}) returning id`
  const about = { ownerId, clientId }
  return yield* tellEach('authorization.paused', about, paused, { unusedDays }, trace)
}

export const resumeAuthorizations: Steps['resumeAuthorizations'] = function* (
  { ownerId, clientId, session },
  trace,
) {
  if (session === null) yield* lockOwner(ownerId)
  else if (!(yield* holdOwner(ownerId, { session }, trace))) return 0
  const resumed = yield sql`update authorizations as a set paused = '', resumed_at = ${trace.at},
      revision = revision + 1
    where a.owner_id = ${ownerId} and a.client_id = ${clientId} and not ${running}
      and ${unexpiredAt(trace.at)} and ${existing} returning id`
  return yield* tellEach('authorization.resumed', { ownerId, clientId }, resumed, {}, trace)
}

export const listUnusedAuthorizations: Reads['listUnusedAuthorizations'] = async (
  read,
  unusedDays,
  after,
  limit,
  now,
) => {
  // Rows in use are counted as well: each call looks at few of them, however few are unused.
  const isUnused = sql`${running} and ${unexpiredAt(now)} and ${existing}
    and not ${touchedSince('a', beginOf(unusedDays, now))}`
  const rows = await ask(
    read,
    sql`select a.id, a.owner_id, a.client_id, case when ${isUnused} then 1 else 0 end as is_unused
      from authorizations a where a.id > ${after ?? ''} order by a.id limit ${limit + 1}`,
  )
  const looked = pageOf(
    rows,
    limit,
    (row) => row,
    ({ id }) => text(id),
  )
  return {
    rows: looked.rows
      .filter((row) => flag(row.is_unused))
      .map((row) => ({
        ownerId: text(row.owner_id) as OwnerId,
        clientId: text(row.client_id) as ClientId,
      })),
    next: looked.next,
  }
}
