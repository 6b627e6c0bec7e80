/** Clients that strangers registered, and the unused ones among them (RFC 7591 section 5). */

import { limits } from '../../../config/limits.ts'
import { isOnItsOwn } from '../../../model/client.ts'
import type { ClientId } from '../../../model/ids.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { text, textOrNull } from '../../sql/row.ts'
import { findOne, type Step, sql, touches, wholeStatement } from '../../sql/statement.ts'
import type { RegisterOutcome, Trace } from '../../store.ts'
import { tell } from '../event/events.ts'
import { keepPlace } from '../event/places.ts'
import { removeClient } from '../removal/record.ts'
import { createClient, decodeClient } from './clients.ts'
import {
  endRegistration,
  giveBackPlace,
  giveBackPlaceInNetwork,
  giveBackShare,
  leaveShare,
  takePlace,
  takePlaceInNetwork,
  takeShare,
} from './registration-places.ts'

export const registerClient: Steps['registerClient'] = function* (
  client,
  { perWindow, share, mostInTotal },
  trace,
) {
  const taken: string[] = []
  function* refuse(registered: RegisterOutcome): Step<RegisterOutcome> {
    for (const network of taken) yield* giveBackPlaceInNetwork(network)
    return registered
  }
  // In this order in every step, so that two seldom wait for one another.
  for (const bound of perWindow) {
    const until = yield* takePlaceInNetwork(bound, trace.at)
    if (until !== null) {
      return yield* refuse({ outcome: 'too_many_of_network', most: bound.most, until })
    }
    taken.push(bound.network)
  }
  if (share !== null && !(yield* takeShare(share))) {
    return yield* refuse({ outcome: 'too_many_held', most: share.most })
  }
  const network = share?.network ?? null
  if (!(yield* takePlace(mostInTotal))) {
    if (network !== null) yield* giveBackShare(network)
    return yield* refuse({ outcome: 'too_many' })
  }
  const outcome = yield* createClient(client, trace)
  if (outcome !== 'created') {
    yield* giveBackPlace(network)
    return yield* refuse({ outcome })
  }
  const unusedAt = trace.at + limits.neverUsedSeconds
  yield sql`insert into registrations (client_id, expires_at, due_at, network)
    values (${client.id}, ${unusedAt}, ${unusedAt}, ${network})`
  return { outcome }
}

/** Nothing happens for a client that the operator invited or registered. */
export const noteClientUse: Steps['noteClientUse'] = function* (id, at) {
  // Later uses of the same day are not noted.
  const unusedUntil = at + limits.unusedSeconds + limits.clientUseSeconds
  yield wholeStatement(
    `update registrations set expires_at = ? where client_id = ? and expires_at < ?
     returning client_id`,
    unusedUntil,
    id,
    unusedUntil,
  )
}

export const postponeRegistration: Steps['postponeRegistration'] = function* (id, until) {
  yield sql`update registrations set due_at = ${until} where client_id = ${id}`
}

export const listDueRegistrations: Reads['listDueRegistrations'] = async (read, now, limit) => {
  const query = 'select client_id from registrations where due_at <= ? order by due_at limit ?'
  return (await read(query, [now, limit])).map((row) => text(row.client_id) as ClientId)
}

/** Events about a client without any owner interest nobody after its deletion. */
function* forgetOrTell(id: ClientId, name: string | null, trace: Trace): Step<void> {
  if (
    !(yield* touches(sql`select 1 as found from events
    where client_id = ${id} and owner_id is not null limit 1`))
  ) {
    yield* keepPlace(['client_id = ?', id])
    const most = limits.purgeRows
    while (
      (yield sql`delete from events
      where id in (select id from events where client_id = ${id} order by id limit ${most})
        returning id`).length === most
    );
  } else if (name !== null) {
    yield* tell('client.deleted', { clientId: id }, { name, unused: true }, trace)
  }
}

/** An ended authorization keeps its row for `useDays`: the client goes 90 days after its last one ended. */
const sinceLastRow = limits.unusedSeconds - limits.useDays * 86_400

function* keepForNow(id: ClientId, until: number, { at }: Trace): Step<void> {
  yield sql`update registrations set due_at = ${at + limits.neverUsedSeconds}, expires_at = case
      when expires_at < ${until} then ${until} else expires_at end
    where client_id = ${id}`
}

export const removeIdleClient: Steps['removeIdleClient'] = function* (id, trace) {
  // An approval either comes before this and is seen below, or waits and finds no client.
  const row = yield* findOne(sql`select * from clients
    where id = ${id} and deleted_at is null for update`)
  if (row !== null && !isOnItsOwn(decodeClient(row))) {
    yield* endRegistration(id)
    return 'kept'
  }
  if (yield* touches(sql`select 1 as found from authorizations where client_id = ${id} limit 1`)) {
    yield* leaveShare(id)
    yield* keepForNow(id, trace.at + sinceLastRow, trace)
    return 'kept'
  }
  const gone = yield* findOne(sql`delete from registrations
      where client_id = ${id} and expires_at <= ${trace.at} returning network`)
  if (gone === null) {
    yield* keepForNow(id, 0, trace)
    return 'kept'
  }
  yield* giveBackPlace(textOrNull(gone.network))
  const unapproved = 'not exists (select 1 from authorizations a where a.client_id = clients.id)'
  yield* forgetOrTell(id, yield* removeClient(id, trace, [unapproved]), trace)
  return 'removed'
}
