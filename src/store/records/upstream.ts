/** Links to accounts at upstreams. */

import type { UpstreamAccount, UpstreamLink } from '../../model/factor.ts'
import { usernameKey } from '../../model/owner.ts'
import type { UpstreamSteps } from '../contract/factor.ts'
import { defineTable } from '../sql/columns.ts'
import type { Reads, Steps, StoreRecord } from '../sql/record.ts'
import { findFirst, text } from '../sql/row.ts'
import { ask, findOne, type Piece, type Step, sql, touches } from '../sql/statement.ts'
import { tell } from './event/events.ts'
import { finishCeremony, holdOwner, matchWay } from './factor/proof.ts'
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
const insertLink = (link: UpstreamLink): Step<boolean> =>
  touches(sql`${links.insert(link)} on conflict do nothing returning upstream`)

const linkUpstream: Steps['linkUpstream'] = function* (link, ceremony, by, trace) {
  const { ownerId, session } = by
  if (!(yield* holdOwner(ownerId, { session }, trace))) return 'refused'
  if (!(yield* finishCeremony(ceremony))) return 'used'
  if (!(yield* insertLink({ ...link, ownerId }))) {
    const other = sql`select 1 as found from upstream_links
      where owner_id = ${ownerId} and upstream = ${link.upstream} and not (${matchAccount(link)})`
    return (yield* touches(other)) ? 'full' : 'taken'
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
      and ${matchWay('upstream_links', ways)} returning label`)
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
  const known = sql`select 1 as found from upstream_links where ${matchAccount(link)}`
  if (yield* touches(known)) return 'linked'
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
