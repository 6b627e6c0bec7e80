/** The revocations behind the position of a stream that concern its API. */
import type { Resource } from '../../model/resource.ts'
import type { Revocation } from '../../model/revocation.ts'
import type { Store } from '../../store/store.ts'
import type { SignalStream } from './contract.ts'
import { findSignalEvent, type Signal, signalEvents } from './events.ts'

/** Revocations that are read together, and pages of them behind the first signal in one search. */
const page = { rows: 100, most: 50 } as const

/** The resources of a stream, and whether a name is one at all. */
export interface SignalApi {
  readonly own: readonly string[]
  readonly isKnown: (name: string) => boolean
}

export const findApi = (
  { clientId }: Pick<SignalStream, 'clientId'>,
  resources: readonly Pick<Resource, 'name' | 'introspectionClients'>[],
): SignalApi => {
  const names = new Set(resources.map(({ name }) => name))
  const own = resources.filter(({ introspectionClients: ids }) => ids.includes(clientId))
  return { own: own.map(({ name }) => name), isKnown: (name) => names.has(name) }
}

const getName = (permission: string): string => permission.slice(0, permission.lastIndexOf(':'))

/**
 * Unknown permissions concern every API: the ids mean nothing to the others. So does an unknown resource, since
 * another node may just have added it.
 */
export const isAbout = (
  { permissions }: Pick<Revocation, 'permissions'>,
  own: readonly string[],
  { isKnown }: Pick<SignalApi, 'isKnown'>,
): boolean =>
  permissions === null ||
  permissions
    .filter((permission) => permission.includes(':'))
    .map(getName)
    .some((name) => own.includes(name) || !isKnown(name))

export interface WaitingSignals {
  /** The oldest first. */
  readonly signals: readonly Signal[]
  readonly hasMore: boolean
  readonly epoch: string
  /** Nothing up to here waits any more. */
  readonly position: number
  /** Signals behind that position: the receiver has taken them already. */
  readonly taken: readonly string[]
  /** All up to here was looked at, so whatever comes later is news. */
  readonly reached: number
}

const isRequested = (signal: Signal, { requested }: SignalStream): boolean => {
  const kind = findSignalEvent(signal)
  return kind !== null && (requested === null || requested.includes(signalEvents[kind]))
}

/** The signals of some revocations that are for the stream. */
const findSignals = async (
  revocations: readonly Revocation[],
  stream: SignalStream,
  api: SignalApi,
  store: Store,
): Promise<ReadonlyMap<string, Signal>> => {
  const concerned = revocations.filter((one) => isAbout(one, api.own, api))
  const facts = await store.listSignalFacts(concerned.map(({ id }) => id))
  const signals = concerned.map((one, place) => ({
    ...one,
    event: facts[place]?.event ?? null,
    clientId: facts[place]?.clientId ?? null,
    ownerId: facts[place]?.ownerId ?? null,
  }))
  return new Map(signals.filter((one) => isRequested(one, stream)).map((one) => [one.id, one]))
}

/**
 * Goes on until there is a signal or nothing more: an API must not become deaf by revocations at others.
 *
 * @param most signals; the search ends with them
 */
export const findWaiting = async (
  stream: SignalStream,
  api: SignalApi,
  most: number,
  store: Store,
): Promise<WaitingSignals> => {
  const { epoch, position: head } = (await store.findFeedHead()) ?? { epoch: '', position: 0 }
  // Another feed began with a restore.
  let position = stream.epoch === epoch ? stream.position : 0
  let after = position
  const signals: Signal[] = []
  const taken: string[] = []
  const end = (hasMore: boolean): WaitingSignals => {
    const reached = Math.max(head, after)
    return { signals, hasMore, epoch, position, taken, reached }
  }
  for (let pages = 1; ; pages++) {
    const revocations = await store.listRevocations(after, page.rows)
    const found = await findSignals(revocations, stream, api, store)
    for (const one of revocations) {
      const signal = found.get(one.id)
      const isTaken = stream.taken.includes(one.id)
      if (signal !== undefined && !isTaken) {
        if (signals.length === most) return end(true)
        signals.push(signal)
      } else if (signals.length === 0) position = one.position
      else if (isTaken) taken.push(one.id)
      after = one.position
    }
    if (revocations.length < page.rows) return end(false)
    if (pages >= page.most && signals.length > 0) return end(true)
  }
}

/**
 * Notes how far a search has come without a signal, now and then: the next search begins there. Another change
 * of the stream comes first.
 */
export const noteProgress = async (
  stream: SignalStream,
  { epoch, position, taken }: WaitingSignals,
  store: Store,
): Promise<SignalStream> => {
  const isNear = stream.epoch === epoch && position < stream.position + page.rows
  if (isNear) return stream
  const progress = { epoch, position, taken }
  return (await store.moveSignalStream(stream.id, stream.revision, progress))
    ? { ...stream, ...progress, revision: stream.revision + 1 }
    : stream
}
