/** Links to accounts at upstreams. */

import type {
  LinkMaker,
  NewUpstreamLink,
  UpstreamAccount,
  UpstreamLink,
} from '../../model/factor.ts'
import { type EventId, idBefore, type OwnerId } from '../../model/ids.ts'
import { findConsoleRole, usernameKey } from '../../model/owner.ts'
import { getOwnerKey } from '../cache/things.ts'
import type { UpstreamSteps } from '../contract/factor.ts'
import type { Trace } from '../contract/trace.ts'
import { defineTable } from '../sql/columns.ts'
import type { Reads, Steps, StoreRecord } from '../sql/record.ts'
import { findFirst, text } from '../sql/row.ts'
import { ask, findOne, type Piece, type Step, sql, touches } from '../sql/statement.ts'
import { tell } from './event/events.ts'
import { finishCeremony, holdOwner, holdRoles, matchWay } from './factor/proof.ts'
import { setOwnerGroups } from './group/record.ts'
import { createOwner, decodeOwner, isConfirmedByOther } from './owner/owners.ts'
import { giveRolesBy } from './owner/record.ts'
import { resetConfirmations } from './session.ts'

const links = defineTable<UpstreamLink>(
  'upstream_links',
  {
    upstream: 'text',
    issuer: 'text',
    subject: 'text',
    ownerId: 'text references owners (id) on delete cascade',
    label: 'text',
    createdAt: 'integer',
    lastUsedAt: 'integer?',
    madeBy: "text default ''",
  },
  {
    key: 'upstream issuer subject',
    restored: 'all',
    indexes: ['unique upstream_links_of_owner (owner_id, upstream)'],
  },
)

export const matchAccount = ({ upstream, issuer, subject }: UpstreamAccount): Piece =>
  sql`upstream = ${upstream} and issuer = ${issuer} and subject = ${subject}`

const findUpstreamOwner: Reads['findUpstreamOwner'] = async (read, account) => {
  const linked = sql`select owner_id from upstream_links where ${matchAccount(account)}`
  const query = sql`select * from owners where id in (${linked}) and disabled = 0`
  const row = findFirst(await ask(read, query))
  return row && decodeOwner(row)
}

const listUpstreamLinks: Reads['listUpstreamLinks'] = async (read, ownerId) => {
  const query = 'select * from upstream_links where owner_id = ? order by created_at, upstream'
  return (await read(query, [ownerId])).map(links.decode)
}

/** The primary key and the unique index decide, also between steps at once. */
const insertLink = (link: NewUpstreamLink, madeBy: LinkMaker): Step<boolean> =>
  touches(sql`${links.insert({ ...link, madeBy })} on conflict do nothing returning upstream`)

/** After a link of others, two people may share the account. */
function* findMaker(ownerId: OwnerId): Step<LinkMaker> {
  const byOthers = sql`select 1 as found from events where owner_id = ${ownerId}
    and type = 'upstream.linked' and details like '%"by":"%' limit 1`
  return (yield* touches(byOthers)) ? '' : 'owner'
}

const linkUpstream: Steps['linkUpstream'] = function* (link, ceremony, by, trace) {
  const { ownerId, session } = by
  if (!(yield* holdOwner(ownerId, { session }, trace))) return 'refused'
  if (!(yield* finishCeremony(ceremony))) return 'used'
  const madeBy = yield* findMaker(ownerId)
  if (!(yield* insertLink({ ...link, ownerId }, madeBy))) {
    return yield* explainUnlinked(link, ownerId)
  }
  const { upstream, label } = link
  yield* tell('upstream.linked', { ownerId }, { upstream, label }, trace)
  return 'linked'
}

/** Why an account was not linked. */
function* explainUnlinked(link: NewUpstreamLink, ownerId: OwnerId): Step<'full' | 'taken'> {
  const other = sql`select 1 as found from upstream_links
    where owner_id = ${ownerId} and upstream = ${link.upstream} and not (${matchAccount(link)})`
  return (yield* touches(other)) ? 'full' : 'taken'
}

/** Letters beyond ASCII look alike too often to name a person, and some become ASCII in lower case. */
const isPlain = (email: string): boolean => /^[\x21-\x7e]+$/.test(email)

const linkByAddress: Steps['linkByAddress'] = function* (link, email, trace) {
  if (!isPlain(email)) return null
  const key = email.toLowerCase()
  const row = yield* findOne(sql`update owners set roles = roles
    where lower(email) = ${key} and email_verified = 1 and email <> '' and disabled = 0
      and deleted_at is null and deletion_at is null returning *`)
  const owner = row && decodeOwner(row)
  // An owner with more rights links an account by hand.
  if (owner === null || !isPlain(owner.email) || findConsoleRole(owner) !== null) return null
  if (!(yield* insertLink({ ...link, ownerId: owner.id }, 'address'))) return null
  const { upstream, label } = link
  yield* tell('upstream.linked', { ownerId: owner.id }, { upstream, label, by: 'address' }, trace)
  return owner
}

const linkByOperator: Steps['linkByOperator'] = function* (link, checked, trace) {
  const { ownerId, upstream, label } = link
  if (!(yield* holdRoles(ownerId, checked))) return 'refused'
  if (!(yield* insertLink(link, 'operator'))) return yield* explainUnlinked(link, ownerId)
  yield* tell('upstream.linked', { ownerId }, { upstream, label, by: 'operator' }, trace)
  return 'linked'
}

const unlinkUpstream: Steps['unlinkUpstream'] = function* (upstream, ways, by, trace) {
  const { ownerId, session } = by
  if (!(yield* holdOwner(ownerId, { session }, trace))) return 'refused'
  const row =
    yield* findOne(sql`delete from upstream_links where owner_id = ${ownerId} and upstream = ${upstream}
      and ${matchWay('upstream_links', ways)} returning label`)
  if (row === null) {
    return (yield* touches(sql`select 1 as found from upstream_links
      where owner_id = ${ownerId} and upstream = ${upstream}`))
      ? 'last'
      : 'unknown'
  }
  yield* resetConfirmations(ownerId, session, trace)
  yield* tell('upstream.unlinked', { ownerId }, { upstream, label: text(row.label) }, trace)
  // Nothing would take them away later.
  const beside = (i: number): Trace => ({ ...trace, eventId: idBefore<EventId>(trace.eventId, i) })
  yield* setOwnerGroups(ownerId, { upstream, names: [], ids: [] }, beside(1))
  yield* setUpstreamRoles(ownerId, upstream, [], null, beside(2))
  return 'unlinked'
}

const createLinkedOwner: Steps['createLinkedOwner'] = function* (owner, link, ceremony, trace) {
  const known = sql`select 1 as found from upstream_links where ${matchAccount(link)}`
  if (yield* touches(known)) return 'linked'
  const key = usernameKey(owner.username)
  if (yield* touches(sql`select 1 as found from owners where username_key = ${key}`)) return 'taken'
  if (yield* isConfirmedByOther(key, owner.id)) return 'taken'
  if (owner.emailVerified && (yield* isConfirmedByOther(owner.email, owner.id))) {
    return 'address_taken'
  }
  if (!(yield* finishCeremony(ceremony))) return 'used'
  if ((yield* createOwner(owner, trace)) === 'taken') return 'taken'
  if (yield* insertLink({ ...link, ownerId: owner.id }, 'account')) return 'created'
  // Another node has linked the account in this very moment.
  yield sql`delete from owners where id = ${owner.id}`
  return 'linked'
}

/** Roles by upstreams. A role that an operator gave before has no row. */
const upstreamRoles = defineTable<{ ownerId: OwnerId; upstream: string; role: string }>(
  'upstream_roles',
  {
    ownerId: 'text references owners (id) on delete cascade',
    upstream: 'text',
    role: 'text',
  },
  { key: 'owner_id upstream role', restored: 'all' },
)

/** Filters roles by the maker of the link. */
function* filterGivable(
  ownerId: OwnerId,
  upstream: string,
  roles: readonly string[],
): Step<readonly string[]> {
  const link = yield* findOne(sql`select made_by from upstream_links
    where owner_id = ${ownerId} and upstream = ${upstream}`)
  if (link === null) return []
  const isOwn = ['owner', 'account'].includes(text(link.made_by))
  return roles.filter((role) => isOwn || findConsoleRole({ roles: [role] }) === null)
}

const setUpstreamRoles: Steps['setUpstreamRoles'] = function* (
  ownerId,
  upstream,
  said,
  keep,
  trace,
) {
  const row = yield* findOne(sql`update owners set roles = roles
    where id = ${ownerId} and deleted_at is null returning *`)
  if (row === null) return false
  const roles = yield* filterGivable(ownerId, upstream, said)
  const held = decodeOwner(row).roles
  const rows = yield sql`select upstream, role from upstream_roles where owner_id = ${ownerId}`
  const given = rows.map((one) => ({ by: text(one.upstream), role: text(one.role) }))
  const own = given.flatMap(({ by, role }) => (by === upstream ? role : []))
  const others = given.flatMap(({ by, role }) => (by === upstream ? [] : role))
  const lost = own.filter((role) => !roles.includes(role))
  const isHandGiven = (role: string): boolean =>
    held.includes(role) && ![...own, ...others].includes(role)
  for (const role of lost) {
    yield sql`delete from upstream_roles
      where owner_id = ${ownerId} and upstream = ${upstream} and role = ${role}`
  }
  for (const role of roles) {
    if (own.includes(role) || isHandGiven(role)) continue
    yield sql`${upstreamRoles.insert({ ownerId, upstream, role })} on conflict do nothing`
  }
  const kept = held.filter((role) => !lost.includes(role) || others.includes(role))
  const after = [...new Set([...kept, ...roles])].sort()
  if (after.join(' ') !== held.join(' ')) {
    const way = `upstream:${upstream}`
    yield* giveRolesBy(ownerId, { roles: after }, [way], trace, { upstream }, keep)
  }
  return true
}

export const upstreamRecord: StoreRecord<UpstreamSteps> = {
  tables: [links, upstreamRoles],
  reads: { findUpstreamOwner, listUpstreamLinks },
  steps: {
    linkUpstream,
    linkByAddress,
    linkByOperator,
    unlinkUpstream,
    createLinkedOwner,
    setUpstreamRoles,
  },
  invalidates: {
    linkUpstream: 'nothing',
    linkByAddress: 'nothing',
    linkByOperator: 'nothing',
    unlinkUpstream: (_upstream, _ways, { ownerId }) => [getOwnerKey(ownerId)],
    createLinkedOwner: 'nothing',
    setUpstreamRoles: (ownerId) => [getOwnerKey(ownerId)],
  },
  alone: ['linkByAddress', 'linkByOperator', 'unlinkUpstream', 'setUpstreamRoles'],
}
