/** Places for clients that strangers registered: so many in a network and hour, and so many in total. */
import { limits } from '../../config/limits.ts'
import type { ClientId } from '../../model/ids.ts'
import type { Trace } from '../store.ts'
import { first, integer } from './row.ts'
import { type Step, statement } from './statement.ts'

const total = 'total'
const counterOf = (network: string): string => `network ${network}`

/**
 * Counts one more in the window that began with the first, unless there are as many as may be.
 *
 * @returns when the window ends, where there are too many; else null
 */
export function* takePlaceInNetwork(
  network: string,
  most: number,
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
export function* takePlace(most: number): Step<boolean> {
  const counted = yield statement(
    `insert into registration_counts (id, clients, ends_at) values (?, 1, null)
     on conflict (id) do update set clients = registration_counts.clients + 1
     where registration_counts.clients < ? returning clients`,
    total,
    most,
  )
  return counted.length > 0
}

function* countOneLess(id: string): Step<void> {
  yield statement('update registration_counts set clients = clients - 1 where id = ?', id)
}

export const giveBackPlaceInNetwork = (network: string): Step<void> =>
  countOneLess(counterOf(network))

export const giveBackPlace = (): Step<void> => countOneLess(total)

/**
 * Frees the place of a client that was deleted: at once where it was for the operator, else after a
 * day. So nobody registers without end by deleting what they registered.
 */
export function* freePlace(id: ClientId, { actor, at }: Trace): Step<void> {
  if (actor.type === 'operator' || actor.type === 'cli') {
    const sql = 'delete from registrations where client_id = ? returning client_id'
    if ((yield statement(sql, id)).length > 0) yield* giveBackPlace()
    return
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
