/** Clients that strangers registered: their places, and the unused ones (RFC 7591 section 5). */

import { isOnItsOwn } from '../../../model/client.ts'
import type { ClientId } from '../../../model/ids.ts'
import type { NetworkBound, RegisterOutcome } from '../../contract/client.ts'
import type { Trace } from '../../contract/trace.ts'
import { storeLimits } from '../../limits.ts'
import { defineTable } from '../../sql/columns.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { integer, text, textOrNull } from '../../sql/row.ts'
import { asWhole, findOne, type Step, sql, touches } from '../../sql/statement.ts'
import { tell } from '../event/events.ts'
import { keepPlace } from '../event/places.ts'
import { isKeeper, removeClient } from '../removal.ts'
import { createClient, decodeClient } from './clients.ts'

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
const makeCounterKey = (network: string): string => `network ${network}`
const shareOf = (network: string): string => `held by ${network}`

/**
 * Counts one more in the window that began with the first, unless there are as many as may be.
 *
 * @returns when the window ends, where there are too many; else null
 */
function* takePlaceInNetwork({ network, most }: NetworkBound, at: number): Step<number | null> {
  const id = makeCounterKey(network)
  const counted = yield sql`insert into registration_counts (id, clients, ends_at)
    values (${id}, 1, ${at + storeLimits.registrationWindowSeconds})
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

function* countOneLess(id: string): Step<void> {
  yield sql`update registration_counts set clients = clients - 1 where id = ${id}`
}

/** A share of which nothing is left needs no row. */
function* giveBackShare(network: string): Step<void> {
  yield* countOneLess(shareOf(network))
  yield sql`delete from registration_counts where id = ${shareOf(network)} and clients <= 0`
}

/** @param network of whose share it was */
function* giveBackPlace(network: string | null): Step<void> {
  if (network !== null) yield* giveBackShare(network)
  yield* countOneLess(total)
}

/** From then on the client counts in total only. */
function* leaveShare(id: ClientId): Step<void> {
  const row = yield* findOne(sql`select network from registrations
    where client_id = ${id} and network is not null`)
  const network = textOrNull(row?.network ?? null)
  if (network === null) return
  const left = sql`update registrations set network = null
    where client_id = ${id} and network is not null returning client_id`
  if (yield* touches(left)) yield* giveBackShare(network)
}

/** The client is a stranger's no more. */
function* endRegistration(id: ClientId): Step<void> {
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
  const soon = at + storeLimits.neverUsedSeconds
  yield sql`update registrations set expires_at = ${soon}, due_at = ${soon}
    where client_id = ${id} and expires_at > ${soon}`
}

export const listDueRegistrations: Reads['listDueRegistrations'] = async (read, now, limit) => {
  const query = 'select client_id from registrations where due_at <= ? order by due_at limit ?'
  return (await read(query, [now, limit])).map((row) => text(row.client_id) as ClientId)
}

/**
 * Events about a client without any owner interest nobody after its deletion. Acts of operators stay. One event
 * covers those that go, also an earlier one of its kind (decision 110).
 */
function* forgetOrTell(id: ClientId, name: string | null, trace: Trace): Step<void> {
  const ofOwners = sql`select 1 as found from events
    where client_id = ${id} and owner_id is not null limit 1`
  if (yield* touches(ofOwners)) {
    if (name === null) return
    return yield* tell('client.deleted', { clientId: id }, { name, unused: true }, trace)
  }
  const doomed = sql`client_id = ${id} and operator || '' = ''`
  yield* keepPlace(doomed)
  const most = storeLimits.purgeRows
  const some = sql`delete from events where id in
    (select id from events where ${doomed} order by id limit ${most}) returning id`
  while ((yield some).length === most);
  yield* tell('client.forgotten', { clientId: id }, {}, trace)
}

/** An ended authorization keeps its row for `useDays`: the client goes 90 days after its last one ended. */
const sinceLastRow = storeLimits.unusedSeconds - storeLimits.useDays * 86_400

function* keepForNow(id: ClientId, until: number, { at }: Trace): Step<void> {
  yield sql`update registrations set due_at = ${at + storeLimits.neverUsedSeconds}, expires_at = case
      when expires_at < ${until} then ${until} else expires_at end
    where client_id = ${id}`
}

export const registrationSteps = {
  *registerClient(client, quota, trace) {
    const { perWindow, share, mostInTotal } = quota
    const taken: string[] = []
    function* refuse(registered: RegisterOutcome): Step<RegisterOutcome> {
      for (const network of taken) yield* countOneLess(makeCounterKey(network))
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
    if (share !== null && !(yield* takeStanding(shareOf(share.network), share.most))) {
      return yield* refuse({ outcome: 'too_many_held', most: share.most })
    }
    const network = share?.network ?? null
    if (!(yield* takeStanding(total, mostInTotal))) {
      if (network !== null) yield* giveBackShare(network)
      return yield* refuse({ outcome: 'too_many' })
    }
    const outcome = yield* createClient(client, trace)
    if (outcome !== 'created') {
      yield* giveBackPlace(network)
      return yield* refuse({ outcome })
    }
    const unusedAt = trace.at + storeLimits.neverUsedSeconds
    yield sql`insert into registrations (client_id, expires_at, due_at, network)
      values (${client.id}, ${unusedAt}, ${unusedAt}, ${network})`
    return { outcome }
  },

  /** Nothing happens for a client that the operator invited or registered. */
  *noteClientUse(id, at) {
    // Later uses of the same day are not noted.
    const unusedUntil = at + storeLimits.unusedSeconds + storeLimits.clientUseSeconds
    yield asWhole(sql`update registrations set expires_at = ${unusedUntil}
      where client_id = ${id} and expires_at < ${unusedUntil} returning client_id`)
  },

  *postponeRegistration(id, until) {
    yield sql`update registrations set due_at = ${until} where client_id = ${id}`
  },

  *removeIdleClient(id, trace) {
    // An approval either comes before this and is seen below, or waits and finds no client.
    const row = yield* findOne(sql`select * from clients
      where id = ${id} and deleted_at is null for update`)
    if (row !== null && !isOnItsOwn(decodeClient(row))) {
      yield* endRegistration(id)
      return 'kept'
    }
    if (
      (yield* touches(
        sql`select 1 as found from authorizations where client_id = ${id} limit 1`,
      )) ||
      (yield* isKeeper(id))
    ) {
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
    const unapproved = sql`not exists (select 1 from authorizations where client_id = ${id})`
    yield* forgetOrTell(id, yield* removeClient(id, trace, unapproved), trace)
    return 'removed'
  },
} satisfies Partial<Steps>
