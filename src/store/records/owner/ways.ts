/** Ways into an account that others may have set, and their removal. */
import type { WayIn } from '../../../model/factor.ts'
import type { OwnerId } from '../../../model/ids.ts'
import type { Trace } from '../../contract/trace.ts'
import type { Reads } from '../../sql/record.ts'
import { integer, text } from '../../sql/row.ts'
import {
  ask,
  findOne,
  type Row,
  type Statement,
  type Step,
  sql,
  statement,
} from '../../sql/statement.ts'
import { tell } from '../event/events.ts'
import { dropNeedless } from '../factor/record.ts'
import { decodeOwner, keepOwnerWords } from './owners.ts'

/**
 * Ways of others: set since another program of an operator first took a hand in the account, or under the
 * former password. All ways of an owner who came with a secret from another server. Mails with links go to the address, so that is a way as well. Commands of the
 * machine are trusted.
 */
const ways = `with o as (select id, email, password_hash, created_at, password_changed_at as changed,
    former_password_at as former from owners where id = ?),
  touched as (select min(case when e.details like '%"secret":"given"%' then 0 else e.at end) as at
    from events e where e.owner_id = ? and ((e.type = 'owner.created' and e.details like '%"secret":"given"%')
      or (e.operator like 'client:%' and e.operator <> ? and (
      e.type in ('owner.created', 'owner.password_changed', 'factor.removed')
      or (e.type = 'owner.changed' and e.details like '%email%')
      or (e.type = 'upstream.linked' and e.details like '%"by":"operator"%')
      or (e.type = 'link.issued' and e.details not like '%"by":"mail"%'))))),
  addressed as (select max(e.id) as id, max(e.at) as at from events e
    where e.owner_id = ? and ((e.type = 'owner.changed' and e.details like '%email%')
      or (e.type = 'owner.email_verified' and e.details like '%"changed":true%')))
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

const askWays = (id: OwnerId, operator: string): Statement => statement(ways, id, id, operator, id)

const decodeWay = (row: Row): WayIn => {
  const [kind, at] = [text(row.kind) as WayIn['kind'], integer(row.at)]
  const id = `${kind}:${kind === 'password' ? at : text(row.id)}`
  return { id, kind, name: text(row.name), at }
}

export const listWaysOfOthers: Reads['listWaysOfOthers'] = async (read, id, operator) =>
  (await ask(read, askWays(id, operator))).map(decodeWay)

export function* findWaysOfOthers(id: OwnerId, operator: string): Step<readonly WayIn[]> {
  return (yield askWays(id, operator)).map(decodeWay)
}

export function* removeWay(ownerId: OwnerId, { id, kind, name }: WayIn, trace: Trace): Step<void> {
  const own = id.slice(kind.length + 1)
  if (kind === 'passkey') {
    yield sql`delete from passkeys where id = ${own} and owner_id = ${ownerId}`
    yield* dropNeedless(ownerId)
    yield* tell('factor.removed', { ownerId }, { factor: 'passkey', name, by: 'operator' }, trace)
  } else if (kind === 'upstream') {
    yield sql`delete from upstream_links where upstream = ${own} and owner_id = ${ownerId}`
    yield sql`update groups set revision = revision + 1, changed_at = ${trace.at} where id in (
      select group_id from group_members where source = ${own} and owner_id = ${ownerId})`
    yield sql`delete from group_members where source = ${own} and owner_id = ${ownerId}`
    yield sql`delete from upstream_roles where upstream = ${own} and owner_id = ${ownerId}`
    yield* tell('upstream.unlinked', { ownerId }, { upstream: name }, trace)
  } else if (kind === 'email') {
    const row = yield* findOne(sql`update owners set email = '', email_verified = 0,
        updated_at = ${trace.at} where id = ${ownerId} returning *`)
    if (row !== null) yield* keepOwnerWords(decodeOwner(row))
    yield* tell('owner.changed', { ownerId }, { changed: 'email' }, trace)
  } else {
    yield sql`update owners set password_hash = '', password_kind = '' where id = ${ownerId}`
    yield* tell('owner.password_changed', { ownerId }, { removed: true }, trace)
  }
}

/** Roles that an owner has by one upstream alone: they leave with its link. */
export function* listRolesOf(id: OwnerId, upstream: string): Step<readonly string[]> {
  const rows = yield sql`select role from upstream_roles
    where owner_id = ${id} and upstream = ${upstream} and role not in (
      select role from upstream_roles where owner_id = ${id} and upstream <> ${upstream})`
  return rows.map(({ role }) => text(role))
}
