/** Traces of store steps: the actor, the time, and the request. */
import type { Exchange } from '../http/exchange.ts'
import type { Event } from '../model/event.ts'
import { type EventId, type Given, makeId, type OwnerId } from '../model/ids.ts'
import type { Trace } from './contract/trace.ts'

type Traced = Pick<Exchange, 'at' | 'requestId' | 'caller'>

/** The trace of the only step of a request that tells of anything: the event has the id of its request. */
export const makeOnlyTrace = ({ at, requestId, caller }: Traced): Trace => {
  const { network, proven, user } = caller
  const actor = user === undefined ? { ...proven, network } : ({ type: 'cli', user } as const)
  return { eventId: requestId as EventId, at, requestId, actor }
}

/** The trace of one store step within a request, done by whoever has proved to be behind it by now. */
export const traceOf = (traced: Traced, parts: Given): Trace => ({
  ...makeOnlyTrace(traced),
  eventId: makeId<EventId>(parts),
})

/** The trace of a step that the service takes by itself. @param at unix seconds */
export const makeServiceTrace = (at: number, parts: Given): Trace => ({
  eventId: makeId<EventId>(parts),
  at,
  requestId: null,
  actor: { type: 'service' },
})

/** An event that is about an owner and nothing else. Its id is that of the trace. */
export const makeOwnerEvent = (
  type: Event['type'],
  ownerId: OwnerId | null,
  details: Event['details'],
  { eventId: id, ...traced }: Trace,
): Event => ({ ...traced, id, type, clientId: null, ownerId, authorizationId: null, details })
