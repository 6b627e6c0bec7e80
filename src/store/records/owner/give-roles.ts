/**
 * A role in the console for an owner. A program that could change the owner before could have set a way
 * to log in. It would get into the console with the owner.
 */

import { operatorKey } from '../../../model/actor.ts'
import { type EventId, idBefore, type OwnerId } from '../../../model/ids.ts'
import { isRaised } from '../../../model/role.ts'
import type { WayIn } from '../../../model/way-in.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { integer, text } from '../../sql/row.ts'
import { findOne, type Row, type Step, sql, statement } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { tell } from '../event/events.ts'
import { dropNeedless } from '../factor/record.ts'
import { endSessionsOf } from '../session/record.ts'
import { changeOwner } from './change-owner.ts'
import { decodeOwner, takesAddress } from './owners.ts'

/**
 * Ways of others: set since another program of an operator first took a hand in the account, or under
 * the former password. Mails with links go to the address, so that is a way as well. Commands of the
 * machine are trusted.
 */
const ways = `with o as (select id, email, password_hash, created_at, password_changed_at as changed,
    former_password_at as former from owners where id = ?),
  touched as (select min(e.at) as at from events e join o on e.owner_id = o.id
    where e.operator like 'client:%' and e.operator <> ? and (
      e.type in ('owner.created', 'owner.password_changed', 'factor.removed')
      or (e.type = 'owner.changed' and e.details like '%email%')
      or (e.type = 'link.issued' and e.details not like '%"by":"mail"%'))),
  addressed as (select max(e.id) as id, max(e.at) as at from events e join o on e.owner_id = o.id
    where (e.type = 'owner.changed' and e.details like '%email%')
      or (e.type = 'owner.email_verified' and e.details like '%"changed":true%'))
  select 'passkey' as kind, p.id as id, p.name as name, p.created_at as at
    from passkeys p join o on p.owner_id = o.id cross join touched t
    where p.created_at >= t.at
      or (o.changed > 0 and p.created_at >= o.former and p.created_at <= o.changed)
  union all select 'upstream', l.upstream, l.upstream, l.created_at
    from upstream_links l join o on l.owner_id = o.id cross join touched t
    where l.created_at >= t.at
      or (o.changed > 0 and l.created_at >= o.former and l.created_at <= o.changed)
  union all select 'password', '', '', case when o.changed = 0 then o.created_at else o.changed end
    from o cross join touched t where o.password_hash <> ''
      and case when o.changed = 0 then o.created_at else o.changed end >= t.at
  union all select 'email', coalesce(a.id, 'first'), o.email, coalesce(a.at, o.created_at)
    from o cross join touched t cross join addressed a
    where o.email <> '' and coalesce(a.at, o.created_at) >= t.at
  order by 4, 1, 2`

const decodeWay = (row: Row): WayIn => {
  const [kind, at] = [text(row.kind) as WayIn['kind'], integer(row.at)]
  const id = `${kind}:${kind === 'password' ? at : text(row.id)}`
  return { id, kind, name: text(row.name), at }
}

export const listWaysOfOthers: Reads['listWaysOfOthers'] = async (read, id, operator) =>
  (await read(ways, [id, operator])).map(decodeWay)

function* removeWay(ownerId: OwnerId, { id, kind, name }: WayIn, trace: Trace): Step<void> {
  const own = id.slice(kind.length + 1)
  if (kind === 'passkey') {
    yield sql`delete from passkeys where id = ${own} and owner_id = ${ownerId}`
    yield* dropNeedless(ownerId)
    yield* tell('factor.removed', { ownerId }, { factor: 'passkey', name, by: 'operator' }, trace)
  } else if (kind === 'upstream') {
    const query = 'delete from upstream_links where upstream = ? and owner_id = ?'
    yield statement(query, own, ownerId)
    yield* tell('upstream.unlinked', { ownerId }, { upstream: name }, trace)
  } else if (kind === 'email') {
    const query = "update owners set email = '', email_verified = 0, updated_at = ? where id = ?"
    yield statement(query, trace.at, ownerId)
    yield* tell('owner.changed', { ownerId }, { changed: 'email' }, trace)
  } else {
    yield sql`update owners set password_hash = '', password_kind = '' where id = ${ownerId}`
    yield* tell('owner.password_changed', { ownerId }, { removed: true }, trace)
  }
}

export const giveRoles: Steps['giveRoles'] = function* (id, change, keep, trace) {
  const held = yield* findOne(sql`update owners set roles = roles
    where id = ${id} and deleted_at is null returning *`)
  if (held === null) return { outcome: 'gone' }
  if (yield* takesAddress(decodeOwner(held), change)) return { outcome: 'address_taken' }
  if (isRaised(decodeOwner(held), change)) {
    const found = (yield statement(ways, id, operatorKey(trace.actor))).map(decodeWay)
    if (found.length > 0 && keep === null) return { outcome: 'asks', ways: found }
    const unwanted = found.filter((way) => keep?.includes(way.id) !== true)
    for (const [i, way] of unwanted.entries()) {
      yield* removeWay(id, way, { ...trace, eventId: idBefore<EventId>(trace.eventId, i + 1) })
    }
    yield* endSessionsOf(id, null, trace)
    yield sql`delete from mails where owner_id = ${id}`
  }
  const owner = yield* changeOwner(id, change, trace)
  if (owner === 'address_taken') return { outcome: owner }
  return owner === null ? { outcome: 'gone' } : { outcome: 'given', owner }
}
