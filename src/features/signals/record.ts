/** Streams of signals, and how far each is. A restored stream goes on at the beginning of the new feed. */
import type { Detail } from '../../model/detail.ts'
import type { Event, EventType } from '../../model/event.ts'
import type { ClientId, OwnerId } from '../../model/ids.ts'
import type { Trace } from '../../store/contract/trace.ts'
import { decodeEvent, tell } from '../../store/records/event/events.ts'
import { defineTable } from '../../store/sql/columns.ts'
import type { Reads, Steps, StoreRecord } from '../../store/sql/record.ts'
import { findFirst, json, permissions, text } from '../../store/sql/row.ts'
import { ask, findOne, listOf, type Step, sql, touches } from '../../store/sql/statement.ts'
import type { SignalSteps, SignalStream } from './contract.ts'

const streams = defineTable<SignalStream>(
  'signal_streams',
  {
    id: 'text',
    clientId: 'text',
    createdAt: 'integer',
    description: 'text',
    endpointUrl: 'text',
    credential: 'text?',
    requested: 'json?',
    status: 'text',
    reason: 'text',
    epoch: 'text',
    position: 'integer',
    taken: 'json',
    verification: 'json?',
    verifiedAt: 'integer',
    tookMilliseconds: 'integer?',
    takenAt: 'integer?',
    tries: 'small',
    dueAt: 'integer',
    revision: 'integer',
  },
  {
    key: 'id',
    restored: 'all',
    indexes: ['signal_streams_by_client (client_id, id)'],
  },
)

/** The id of a revocation is that of its event, and of its authorization behind a colon. */
const splitId = (id: string): readonly [event: string, about: string] => {
  const colon = id.indexOf(':')
  return [id.slice(0, colon), id.slice(colon + 1)]
}

const findSignalStream: Reads['findSignalStream'] = async (read, id) => {
  const row = findFirst(await read('select * from signal_streams where id = ?', [id]))
  return row && streams.decode(row)
}

const listSignalStreams: Reads['listSignalStreams'] = async (read, clientId) => {
  const which = clientId === null ? sql`1 = 1` : sql`client_id = ${clientId}`
  const rows = await ask(read, sql`select * from signal_streams where ${which} order by id`)
  return rows.map(streams.decode)
}

const listSignalFacts: Reads['listSignalFacts'] = async (read, ids) => {
  if (ids.length === 0) return []
  const parts = ids.map(splitId)
  const eventIds = listOf([...new Set(parts.map(([event]) => event))])
  const events = await ask(read, sql`select * from events where id in ${eventIds}`)
  const about = listOf([...new Set(parts.map(([, id]) => id))])
  const authorizations = await ask(
    read,
    sql`select id, client_id, owner_id, permissions, details, parent_id
      from authorizations where id in ${about}`,
  )
  const byId = new Map(events.map((row) => [text(row.id), decodeEvent(row)]))
  const known = new Map(authorizations.map((row) => [text(row.id), row]))
  return ids.map((id, place) => {
    const [eventId = '', aboutId = ''] = parts[place] ?? []
    const row = known.get(aboutId)
    const event = byId.get(eventId) ?? null
    if (row === undefined) {
      const { clientId = null, ownerId = null } = event ?? {}
      return { id, event, clientId, ownerId, allowed: null, isDelegation: false }
    }
    const details = row.details === '' ? [] : (json(row.details) as readonly Detail[])
    return {
      id,
      event,
      clientId: row.client_id as ClientId,
      ownerId: row.owner_id as OwnerId,
      allowed: { permissions: permissions(row.permissions), details },
      isDelegation: row.parent_id !== '',
    }
  })
}

/** With the host of the endpoint alone: a path may hold a secret. */
const tellStream = (
  type: EventType,
  { id: stream, clientId, endpointUrl }: SignalStream,
  details: Event['details'],
  trace: Trace,
): Step<void> => {
  const host = endpointUrl === '' ? {} : { host: new URL(endpointUrl).host }
  return tell(type, { clientId }, { stream, ...host, ...details }, trace)
}

/** The row of the client lets its streams be created one after the other, so the count holds. */
const createSignalStream: Steps['createSignalStream'] = function* (stream, most, trace) {
  const { clientId } = stream
  yield sql`update clients set revision = revision where id = ${clientId}`
  const isCreated = yield* touches(sql`${streams.insertIf(stream)} where (select count(*)
    from signal_streams where client_id = ${clientId}) < ${most} returning id`)
  if (isCreated) yield* tellStream('stream.created', stream, {}, trace)
  return isCreated
}

const changeSignalStream: Steps['changeSignalStream'] = function* (of, change, revision, trace) {
  const row = yield* findOne(sql`update signal_streams
    set ${streams.set(change)}, revision = revision + 1
    where id = ${of.id} and client_id = ${of.clientId}
      and revision = coalesce(${revision}, revision) returning *`)
  if (row === null) return null
  const stream = streams.decode(row)
  const { status } = change
  yield* tellStream('stream.changed', stream, status === undefined ? {} : { status }, trace)
  return stream
}

const moveSignalStream: Steps['moveSignalStream'] = (id, revision, progress) =>
  touches(sql`update signal_streams set ${streams.set(progress)}, revision = revision + 1
    where id = ${id} and revision = ${revision} returning id`)

const deleteSignalStream: Steps['deleteSignalStream'] = function* (of, trace) {
  const row = yield* findOne(sql`delete from signal_streams
    where id = ${of.id} and client_id = ${of.clientId} returning *`)
  if (row !== null) yield* tellStream('stream.deleted', streams.decode(row), {}, trace)
  return row !== null
}

const rewrapSignalCredentials: Steps['rewrapSignalCredentials'] = function* (changes) {
  let changed = 0
  for (const { id, from, secret } of changes) {
    changed += (yield sql`update signal_streams set credential = ${secret}, revision = revision + 1
      where id = ${id} and credential = ${from} returning id`).length
  }
  return changed
}

export const signalRecord: StoreRecord<SignalSteps> = {
  tables: [streams],
  reads: { findSignalStream, listSignalStreams, listSignalFacts },
  steps: {
    createSignalStream,
    changeSignalStream,
    moveSignalStream,
    deleteSignalStream,
    rewrapSignalCredentials,
  },
  invalidates: 'nothing',
}
