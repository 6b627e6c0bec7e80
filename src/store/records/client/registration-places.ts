/** Places for clients that strangers registered: so many of a network in an hour and standing, and in total. */
import { limits } from '../../../config/limits.ts'
import type { ClientId } from '../../../model/ids.ts'
import type { NetworkBound } from '../../contract/client.ts'
import { defineTable } from '../../sql/columns.ts'
import { integer, textOrNull } from '../../sql/row.ts'
import { findOne, type Step, sql, statement, touches } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'

/**
 * A row for each client of a stranger; it outlives a client that deletes itself. At `expires_at`
 * the client's use is checked. An unused client is deleted.
 */
export const registrationTable = defineTable(
  'registrations',
  {
    clientId: 'text',
    expiresAt: 'integer',
    dueAt: 'integer',
    // The network with this client in its quota; null for none.
    network: 'text?',
  },
  { key: 'client_id', restored: 'all', indexes: ['registrations_by_due (due_at)'] },
)

export const registrationCounts = defineTable(
  'registration_counts',
  { id: 'text', clients: 'integer', endsAt: 'integer?' },
  { key: 'id', restored: 'all', indexes: ['registration_counts_by_end (ends_at)'] },
)

const total = 'total'
const counterOf = (network: string): string => `network ${network}`
const shareOf = (network: string): string => `held by ${network}`

/**
 * Counts one more in the window that began with the first, unless there are as many as may be.
 *
 * @returns when the window ends, where there are too many; else null
 */
export function* takePlaceInNetwork(
  { network, most }: NetworkBound,
  at: number,
): Step<number | null> {
  const id = counterOf(network)
  const counted = yield sql`insert into registration_counts (id, clients, ends_at)
    values (${id}, 1, ${at + limits.registrationWindowSeconds})
    on conflict (id) do update set clients = case when registration_counts.ends_at <= ${at} then 1
      else registration_counts.clients + 1 end, ends_at = case
      when registration_counts.ends_at <= ${at} then excluded.ends_at
      else registration_counts.ends_at end
    where registration_counts.ends_at <= ${at} or registration_counts.clients < ${most}
      returning clients`
  if (counted.length > 0) return null
  const row = yield* findOne(sql`select ends_at from registration_counts where id = ${id}`)
  return row === null ? at + 1 : integer(row.ends_at)
}

/** @returns false where there are as many as may be */
function* takeStanding(id: string, most: number): Step<boolean> {
  return yield* touches(sql`insert into registration_counts (id, clients, ends_at)
    values (${id}, 1, null)
    on conflict (id) do update set clients = registration_counts.clients + 1
    where registration_counts.clients < ${most} returning clients`)
}

export const takePlace = (most: number): Step<boolean> => takeStanding(total, most)

export const takeShare = ({ network, most }: NetworkBound): Step<boolean> =>
  takeStanding(shareOf(network), most)

function* countOneLess(id: string): Step<void> {
  yield sql`update registration_counts set clients = clients - 1 where id = ${id}`
}

/** A share of which nothing is left needs no row. */
export function* giveBackShare(network: string): Step<void> {
  yield* countOneLess(shareOf(network))
  yield sql`delete from registration_counts where id = ${shareOf(network)} and clients <= 0`
}

export const giveBackPlaceInNetwork = (network: string): Step<void> =>
  countOneLess(counterOf(network))

/** @param network of whose share it was */
export function* giveBackPlace(network: string | null): Step<void> {
  if (network !== null) yield* giveBackShare(network)
  yield* countOneLess(total)
}

/** From then on the client counts in total only. */
export function* leaveShare(id: ClientId): Step<void> {
  const row = yield* findOne(sql`select network from registrations
    where client_id = ${id} and network is not null`)
  const network = textOrNull(row?.network ?? null)
  if (network === null) return
  const query =
    'update registrations set network = null where client_id = ? and network is not null'
  if ((yield statement(`${query} returning client_id`, id)).length > 0)
    yield* giveBackShare(network)
}

/** The client is a stranger's no more. */
export function* endRegistration(id: ClientId): Step<void> {
  const row = yield* findOne(
    sql`delete from registrations where client_id = ${id} returning network`,
  )
  if (row !== null) yield* giveBackPlace(textOrNull(row.network))
}

/**
 * Frees the place of a deleted client: at once for the operator, else after a day. Otherwise a
 * stranger could register without end by deleting.
 */
export function* freePlace(id: ClientId, { actor, at }: Trace): Step<void> {
  if (actor.type === 'operator' || actor.type === 'cli') {
    return yield* endRegistration(id)
  }
  const soon = at + limits.neverUsedSeconds
  yield sql`update registrations set expires_at = ${soon}, due_at = ${soon}
    where client_id = ${id} and expires_at > ${soon}`
}
