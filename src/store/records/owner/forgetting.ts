/** Events outlive the owner they tell of, but not what they tell of the person (decision 0085). */
import { getNetwork } from '../../../http/address.ts'
import { failedTries } from '../../../model/event.ts'
import { getFirstId, type OwnerId } from '../../../model/ids.ts'
import { recordLimits } from '../../limits.ts'
import type { Purged, PurgeStep, Reads } from '../../sql/record.ts'
import { json, text } from '../../sql/row.ts'
import { ask, findOne, listOf, type Piece, type Step, sql } from '../../sql/statement.ts'
import { putFact } from '../note.ts'

/** How soon events lose what they tell of a person. */
export const forgettingLimits = {
  /** So many events lose their details in the step of the deletion; housekeeping goes on. */
  eventsAtOnce: 1000,
} as const

/** Names an owner whose further events housekeeping strips; the value is the last stripped id. */
const strippedFact = 'stripped '

/** The fact with the last failed try whose address is short. */
const shortenedFact = 'shortened addresses'

/**
 * Strips the newest events of an owner before an id. An actor with a network is the owner, or somebody
 * in the place of the owner. Another operator stays named.
 */
function* strip(ownerId: string, before: string | null, most: number): Step<readonly string[]> {
  const rows = yield sql`update events set details = '{}', actor = case
      when operator in ('', ${`owner:${ownerId}`}) and actor like '%"network":%' then ''
      else actor end
    where owner_id = ${ownerId} and id in (select id from events where owner_id = ${ownerId}
      and (cast(${before} as text) is null or id < ${before})
      order by id desc limit ${most}) returning id`
  return rows.map(({ id }) => text(id)).sort()
}

/** Comes after the owner is deleted, and before the event of that. */
export function* stripEventsOf(ownerId: OwnerId): Step<void> {
  const most = forgettingLimits.eventsAtOnce
  const ids = yield* strip(ownerId, null, most)
  yield sql`delete from refusals where owner_id = ${ownerId}`
  if (ids.length < most) return
  yield putFact(strippedFact + ownerId, ids[0] ?? '')
}

/** A purge: the further events of an owner who had many. */
export function* stripFurther({ mostRows }: PurgeStep): Step<Purged> {
  const fact = yield* findOne(sql`select id, value from facts
    where id > ${strippedFact} and id < ${`${strippedFact}\u007f`} order by id limit 1 for update`)
  if (fact === null) return { next: null, went: 0 }
  const id = text(fact.id)
  const ids = yield* strip(id.slice(strippedFact.length), text(fact.value), mostRows)
  yield ids.length < mostRows
    ? sql`delete from facts where id = ${id}`
    : sql`update facts set value = ${ids[0] ?? ''} where id = ${id}`
  return { next: null, went: ids.length }
}

/** A purge: failed tries from before some days keep the network of their address. */
export function* shortenAddresses({ now, mostRows }: PurgeStep): Step<Purged> {
  const fact = yield* findOne(sql`select value from facts where id = ${shortenedFact}`)
  const tries = yield sql`select id, details from events
    where type in ${listOf(failedTries)}
      and id > ${fact === null ? '' : text(fact.value)}
      and id < ${getFirstId((now - recordLimits.addressSeconds) * 1000)}
    order by id limit ${mostRows}`
  for (const { id = null, details } of tries) {
    const told = json(details) as Readonly<Record<string, unknown>>
    const network = getNetwork(String(told.address ?? ''))
    if (network === '') continue
    const short = JSON.stringify({ ...told, address: network })
    yield sql`update events set details = ${short} where id = ${id}`
  }
  const last = tries.at(-1)?.id
  if (last != null) yield putFact(shortenedFact, text(last))
  return { next: null, went: tries.length }
}

/** Events from before this one are about another person with the same subject. */
export const selectLastDeletion = (id: OwnerId): Piece =>
  sql`select max(d.id) from events d where d.type = 'owner.deleted' and d.owner_id = ${id}`

export const isDeletedOwner: Reads['isDeletedOwner'] = async (read, id) =>
  (await ask(read, sql`${selectLastDeletion(id)} having max(d.id) is not null`)).length > 0
