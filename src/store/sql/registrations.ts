/** Clients that strangers registered, and those of them that nobody uses (RFC 7591 section 5). */
import { limits } from '../../config/limits.ts'
import type { Client } from '../../model/client.ts'
import type { ClientId } from '../../model/ids.ts'
import type { Registered, RegistrationQuota, Trace } from '../store.ts'
import { createClient } from './clients.ts'
import { tell } from './events.ts'
import { deleteItemsOf } from './items.ts'
import {
  giveBackPlace,
  giveBackPlaceInNetwork,
  takePlace,
  takePlaceInNetwork,
} from './registration-places.ts'
import { first, text } from './row.ts'
import { type Read, type Step, statement, wholeStatement } from './statement.ts'

export function* registerClient(
  client: Client,
  { network, mostOfNetwork, mostInTotal }: RegistrationQuota,
  trace: Trace,
): Step<Registered> {
  // In this order in every step, so that two never wait for one another.
  const until =
    network === null ? null : yield* takePlaceInNetwork(network, mostOfNetwork, trace.at)
  if (until !== null) return { outcome: 'too_many_of_network', until }
  const fits = yield* takePlace(mostInTotal)
  const outcome = fits ? yield* createClient(client, trace) : 'too_many'
  if (outcome !== 'created') {
    if (network !== null) yield* giveBackPlaceInNetwork(network)
    if (fits) yield* giveBackPlace()
    return { outcome }
  }
  const unusedAt = trace.at + limits.neverUsedSeconds
  yield statement(
    'insert into registrations (client_id, expires_at, due_at) values (?, ?, ?)',
    client.id,
    unusedAt,
    unusedAt,
  )
  return { outcome }
}

/** Nothing happens for a client that the operator invited or registered. */
export function* noteClientUse(id: ClientId, at: number): Step<void> {
  yield wholeStatement(
    `update registrations set expires_at = ? where client_id = ? and expires_at < ?
     returning client_id`,
    at + limits.unusedSeconds,
    id,
    at + limits.unusedSeconds,
  )
}

export const listDueRegistrations = async (
  read: Read,
  now: number,
  limit: number,
): Promise<readonly ClientId[]> => {
  const sql = 'select client_id from registrations where due_at <= ? order by due_at limit ?'
  return (await read(sql, [now, limit])).map((row) => text(row.client_id) as ClientId)
}

/** What no owner has ever met is of interest to nobody once it is gone. */
function* forgetOrTell(id: ClientId, name: string | null, trace: Trace): Step<void> {
  const sql = 'select 1 as found from events where client_id = ? and owner_id is not null limit 1'
  if ((yield statement(sql, id)).length === 0) {
    yield statement('delete from events where client_id = ?', id)
  } else if (name !== null) {
    yield* tell('client.deleted', { clientId: id }, { name, unused: true }, trace)
  }
}

/** An ended authorization keeps its row for `useDays`: the client goes 90 days after its last one ended. */
const sinceLastRow = limits.unusedSeconds - limits.useDays * 86_400

function* keepForNow(id: ClientId, until: number, { at }: Trace): Step<void> {
  yield statement(
    `update registrations set due_at = ?,
       expires_at = case when expires_at < ? then ? else expires_at end
     where client_id = ?`,
    at + limits.neverUsedSeconds,
    until,
    until,
    id,
  )
}

export function* removeIdleClient(id: ClientId, trace: Trace): Step<'removed' | 'kept'> {
  // An approval either comes before this and is seen below, or waits and finds no client.
  yield statement('select id from clients where id = ? for update', id)
  const sql = 'select 1 as found from authorizations where client_id = ? limit 1'
  if ((yield statement(sql, id)).length > 0) {
    yield* keepForNow(id, trace.at + sinceLastRow, trace)
    return 'kept'
  }
  const gone = yield statement(
    'delete from registrations where client_id = ? and expires_at <= ? returning client_id',
    id,
    trace.at,
  )
  if (gone.length === 0) {
    yield* keepForNow(id, 0, trace)
    return 'kept'
  }
  yield* giveBackPlace()
  const deleted = first(
    yield statement(
      `delete from clients where id = ? and not exists
         (select 1 from authorizations a where a.client_id = clients.id) returning name`,
      id,
    ),
  )
  if (deleted !== null) yield* deleteItemsOf(`client:${id}`)
  yield* forgetOrTell(id, deleted && text(deleted.name), trace)
  return 'removed'
}
