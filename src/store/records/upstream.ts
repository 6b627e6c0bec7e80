/** Links to accounts at upstreams. */
import { usernameKey } from '../../model/owner.ts'
import type { UpstreamLink } from '../../model/upstream.ts'
import { defineTable } from '../sql/columns.ts'
import type { Reads, Steps, StoreRecord } from '../sql/record.ts'
import { first, text } from '../sql/row.ts'
import { findOne, type Step, sql, touches } from '../sql/statement.ts'
import type { UpstreamSteps } from '../store.ts'
import { tell } from './event/events.ts'
import { finishCeremony, holdOwner, otherWay } from './factor/proof.ts'
import { decodeOwner, isConfirmedByOther } from './owner/owners.ts'
import { createOwner } from './owner/record.ts'

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
  },
  {
    key: 'upstream issuer subject',
    restored: 'all',
    indexes: ['unique upstream_links_of_owner (owner_id, upstream)'],
  },
)

const findUpstreamOwner: Reads['findUpstreamOwner'] = async (read, account) => {
  const { upstream, issuer, subject } = account
  const row = first(
    await read(
      `select o.* from upstream_links l join owners o on o.id = l.owner_id
       where l.upstream = ? and l.issuer = ? and l.subject = ? and o.disabled = 0`,
      [upstream, issuer, subject],
    ),
  )
  return row && decodeOwner(row)
}

const listUpstreamLinks: Reads['listUpstreamLinks'] = async (read, ownerId) => {
  const query = 'select * from upstream_links where owner_id = ? order by created_at, upstream'
  return (await read(query, [ownerId])).map(links.decode)
}

/** The primary key and the unique index decide, also between steps at once. */
const insertLink = (link: UpstreamLink): Step<boolean> =>
  touches(sql`${links.insert(link)} on conflict do nothing returning upstream`)

const linkUpstream: Steps['linkUpstream'] = function* (link, ceremony, by, trace) {
  const { ownerId, session } = by
  if (!(yield* holdOwner(ownerId, { session }, trace))) return 'refused'
  if (!(yield* finishCeremony(ceremony))) return 'used'
  if (!(yield* insertLink({ ...link, ownerId }))) {
    const own = yield sql`select 1 as found from upstream_links
      where owner_id = ${ownerId} and upstream = ${link.upstream} and not (issuer = ${link.issuer}
        and subject = ${link.subject})`
    return own.length > 0 ? 'full' : 'taken'
  }
  const { upstream, label } = link
  yield* tell('upstream.linked', { ownerId }, { upstream, label }, trace)
  return 'linked'
}

const unlinkUpstream: Steps['unlinkUpstream'] = function* (upstream, ways, by, trace) {
  const { ownerId, session } = by
  if (!(yield* holdOwner(ownerId, { session }, trace))) return 'refused'
  const row =
    yield* findOne(sql`delete from upstream_links where owner_id = ${ownerId} and upstream = ${upstream}
      and ${otherWay('upstream_links', ways)} returning label`)
  if (row === null) {
    return (yield* touches(sql`select 1 as found from upstream_links
      where owner_id = ${ownerId} and upstream = ${upstream}`))
      ? 'last'
      : 'unknown'
  }
  yield* tell('upstream.unlinked', { ownerId }, { upstream, label: text(row.label) }, trace)
  return 'unlinked'
}

const createLinkedOwner: Steps['createLinkedOwner'] = function* (owner, link, ceremony, trace) {
  const known = yield sql`select 1 as found from upstream_links
    where upstream = ${link.upstream} and issuer = ${link.issuer} and subject = ${link.subject}`
  if (known.length > 0) return 'linked'
  const key = usernameKey(owner.username)
  if (yield* touches(sql`select 1 as found from owners where username_key = ${key}`)) return 'taken'
  if (owner.emailVerified && (yield* isConfirmedByOther(owner.email, owner.id))) {
    return 'address_taken'
  }
  if (!(yield* finishCeremony(ceremony))) return 'used'
  if ((yield* createOwner(owner, trace)) === 'taken') return 'taken'
  if (yield* insertLink({ ...link, ownerId: owner.id })) return 'created'
  // Another node has linked the account in this very moment.
  yield sql`delete from owners where id = ${owner.id}`
  return 'linked'
}

export const upstreamRecord: StoreRecord<UpstreamSteps> = {
  tables: [links],
  reads: { findUpstreamOwner, listUpstreamLinks },
  steps: { linkUpstream, unlinkUpstream, createLinkedOwner },
  invalidates: 'nothing',
}
