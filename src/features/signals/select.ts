/** The revocations behind the position of a stream that concern its API. */
import type { Resource } from '../../model/resource.ts'
import { isConcerned, listResourceNames, type Revocation } from '../../model/revocation.ts'
import type { Store } from '../../store/store.ts'
import type { SignalStream } from './contract.ts'
import { type KnownRevocation, listSignalEvents, type Signal, signalEvents } from './events.ts'

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

/** Whether the API is among those of an authorization, as far as that is known. */
const isOwn = ({ permissions, allowed }: KnownRevocation, { own }: SignalApi): boolean => {
  const now = allowed?.permissions ?? []
  const types = allowed?.details.map(({ type }) => type) ?? []
  const names = [...listResourceNames(permissions ?? now), ...types]
  return names.some((name) => own.includes(name))
}

/** The sets about a revocation, for one stream. No other stream has a set with the same id. */
const makeSignals = (
  about: KnownRevocation,
  { id: streamId, requested }: SignalStream,
  api: SignalApi,
): readonly Signal[] => {
  const isOurs = isOwn(about, api)
  const all = listSignalEvents(about, isOurs).map((kind, place): Signal => {
    const id = [about.id, streamId, ...(place === 0 ? [] : [place])].join(':')
    return { id, kind, about, isOurs }
  })
  return all.filter(({ kind }) => requested?.includes(signalEvents[kind]) ?? true)
}

/** The signals of some revocations that are for the stream. */
const findSignals = async (
  revocations: readonly Revocation[],
  stream: SignalStream,
  api: SignalApi,
  store: Store,
): Promise<ReadonlyMap<string, readonly Signal[]>> => {
  const concerned = revocations.filter((one) => isConcerned(one, api.own, api.isKnown))
  const facts = await store.listSignalFacts(concerned.map(({ id }) => id))
  const byId = new Map(facts.map((one) => [one.id, one]))
  return new Map(
    concerned.flatMap((one) => {
      const known = byId.get(one.id)
      return known === undefined ? [] : [[one.id, makeSignals({ ...one, ...known }, stream, api)]]
    }),
  )
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
      const its = found.get(one.id) ?? []
      const [gone = [], open = []] = [true, false].map((is) =>
        its.filter(({ id }) => stream.taken.includes(id) === is),
      )
      if (open.length === 0 && signals.length === 0) position = one.position
      else taken.push(...gone.map(({ id }) => id))
      signals.push(...open)
      if (signals.length > most) {
        signals.length = most
        return end(true)
      }
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
