/** Places for clients that strangers registered: so many of a network in an hour and standing, and in total. */
import { limits } from '../../../config/limits.ts'
import type { ClientId } from '../../../model/ids.ts'
import type { NetworkBound } from '../../contract/client.ts'
import { first, integer, textOrNull } from '../../sql/row.ts'
import { type Step, statement } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'

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
  const counted = yield statement(
    `insert into registration_counts (id, clients, ends_at) values (?, 1, ?)
     on conflict (id) do update set
       clients = case when registration_counts.ends_at <= ? then 1
         else registration_counts.clients + 1 end,
       ends_at = case when registration_counts.ends_at <= ? then excluded.ends_at
         else registration_counts.ends_at end
     where registration_counts.ends_at <= ? or registration_counts.clients < ? returning clients`,
    id,
    at + limits.registrationWindowSeconds,
    at,
    at,
    at,
    most,
  )
  if (counted.length > 0) return null
  const row = first(yield statement('select ends_at from registration_counts where id = ?', id))
  return row === null ? at + 1 : integer(row.ends_at)
}

/** @returns false where there are as many as may be */
function* takeStanding(id: string, most: number): Step<boolean> {
  const counted = yield statement(
    `insert into registration_counts (id, clients, ends_at) values (?, 1, null)
     on conflict (id) do update set clients = registration_counts.clients + 1
     where registration_counts.clients < ? returning clients`,
    id,
    most,
  )
  return counted.length > 0
}

export const takePlace = (most: number): Step<boolean> => takeStanding(total, most)

export const takeShare = ({ network, most }: NetworkBound): Step<boolean> =>
  takeStanding(shareOf(network), most)

function* countOneLess(id: string): Step<void> {
  yield statement('update registration_counts set clients = clients - 1 where id = ?', id)
}

/** A share of which nothing is left needs no row. */
export function* giveBackShare(network: string): Step<void> {
  yield* countOneLess(shareOf(network))
  const sql = 'delete from registration_counts where id = ? and clients <= 0'
  yield statement(sql, shareOf(network))
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
  const held = 'select network from registrations where client_id = ? and network is not null'
  const row = first(yield statement(held, id))
  const network = textOrNull(row?.network ?? null)
  if (network === null) return
  const sql = 'update registrations set network = null where client_id = ? and network is not null'
  if ((yield statement(`${sql} returning client_id`, id)).length > 0) yield* giveBackShare(network)
}

/** The client is a stranger's no more. */
export function* endRegistration(id: ClientId): Step<void> {
  const sql = 'delete from registrations where client_id = ? returning network'
  const row = first(yield statement(sql, id))
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
  yield statement(
    `update registrations set expires_at = ?, due_at = ? where client_id = ? and expires_at > ?`,
    soon,
    soon,
    id,
    soon,
  )
}
