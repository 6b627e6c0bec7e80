/** Links to accounts at upstreams. */
import type { OwnerId } from '../../../model/ids.ts'
import { type Owner, usernameKey } from '../../../model/owner.ts'
import type { UpstreamAccount, UpstreamLink } from '../../../model/upstream.ts'
import type { ByOwner, Ceremony } from '../../contract/factor.ts'
import type { UpstreamLinked, UpstreamSteps } from '../../contract/upstream.ts'
import { defineTable } from '../../sql/columns.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { first, text } from '../../sql/row.ts'
import { findOne, type Read, type Step, sql, touches } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { tell } from '../event/events.ts'
import { holdOwner } from '../factor/proof.ts'
import { finishCeremony } from '../factor/use-factor.ts'
import { otherWay } from '../factor/ways-in.ts'
import { createOwner } from '../owner/change-owner.ts'
import { decodeOwner, isConfirmedByOther } from '../owner/owners.ts'

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

const findUpstreamOwner = async (
  read: Read,
  { upstream, issuer, subject }: UpstreamAccount,
): Promise<Owner | null> => {
  const row = first(
    await read(
      `select o.* from upstream_links l join owners o on o.id = l.owner_id
       where l.upstream = ? and l.issuer = ? and l.subject = ? and o.disabled = 0`,
      [upstream, issuer, subject],
    ),
  )
  return row && decodeOwner(row)
}

const listUpstreamLinks = async (
  read: Read,
  ownerId: OwnerId,
): Promise<readonly UpstreamLink[]> => {
  const query = 'select * from upstream_links where owner_id = ? order by created_at, upstream'
  return (await read(query, [ownerId])).map(links.decode)
}

/** The primary key and the unique index decide, also between steps at once. */
const insertLink = (link: UpstreamLink): Step<boolean> =>
  touches(sql`${links.insert(link)} on conflict do nothing returning upstream`)

function* linkUpstream(
  link: UpstreamLink,
  ceremony: Ceremony,
  { ownerId, session }: ByOwner,
  trace: Trace,
): Step<UpstreamLinked> {
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

function* unlinkUpstream(
  upstream: string,
  ways: readonly string[],
  { ownerId, session }: ByOwner,
  trace: Trace,
): Step<Awaited<ReturnType<UpstreamSteps['unlinkUpstream']>>> {
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

function* createLinkedOwner(
  owner: Owner,
  link: UpstreamLink,
  ceremony: Ceremony,
  trace: Trace,
): Step<Awaited<ReturnType<UpstreamSteps['createLinkedOwner']>>> {
  const known = yield sql`select 1 as found from upstream_links
    where upstream = ${link.upstream} and issuer = ${link.issuer} and subject = ${link.subject}`
  if (known.length > 0) return 'linked'
  if (
    yield* touches(
      sql`select 1 as found from owners where username_key = ${usernameKey(owner.username)}`,
    )
  )
    return 'taken'
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
