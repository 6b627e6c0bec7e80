/**
 * Pushes sets to receivers (RFC 8935), by one node at a time. A receiver that fails or is slow is tried again, and
 * holds up nobody else.
 */
import { findClient } from '../../clients/find.ts'
import { createJob } from '../../housekeeping.ts'
import { makeServiceTrace } from '../../store/trace.ts'
import type { RevocationFeed } from '../../tokens/revocation-feed.ts'
import type { SignalStream } from './contract.ts'
import { findSignalLags } from './lag.ts'
import { signalLimits } from './limits.ts'
import { getNow, type PostNeeds, postSets } from './post.ts'
import { findApi, findWaiting, noteProgress, type SignalApi } from './select.ts'

type PushNeeds = Omit<PostNeeds, 'isClosed'> & { readonly revocationFeed: RevocationFeed }

/** Names an API once when it falls behind, and once when it has caught up. */
const openNaming = ({ store, clock, tell }: PushNeeds) => {
  let deaf: readonly string[] = []
  return async (): Promise<void> => {
    const lags = (await findSignalLags(store, clock())).filter(({ isDeaf }) => isDeaf)
    const named = [...new Set(lags.map(({ resource }) => resource))]
    for (const resource of named.filter((name) => !deaf.includes(name))) {
      tell({ level: 'warn', message: 'an API has not taken a revocation', resource })
    }
    for (const resource of deaf.filter((name) => !named.includes(name))) {
      tell({ level: 'info', message: 'an API takes revocations again', resource })
    }
    deaf = named
  }
}

/** Also a stream that is polled: its place in the feed must not stay behind. */
const serve = async (stream: SignalStream, api: SignalApi, needs: PostNeeds): Promise<void> => {
  const { store } = needs
  const client = await findClient(stream.clientId, needs, 'disabled')
  if (client === null) {
    await store.deleteSignalStream(stream, makeServiceTrace(getNow(needs), needs))
    return
  }
  const { status, dueAt, endpointUrl } = stream
  // An API that is one no more hears nothing more.
  if (api.own.length === 0 || status === 'disabled' || dueAt > getNow(needs)) return
  const waiting = await findWaiting(stream, api, signalLimits.inTurn, store)
  const now = await noteProgress(stream, waiting, store)
  if (endpointUrl === '' || status !== 'enabled' || client.disabled) return
  await postSets({ stream: now, api, signals: waiting.signals }, needs)
}

export const openPush = (needs: PushNeeds) => {
  const { store, tell, revocationFeed } = needs
  const name = openNaming(needs)
  const underWay = new Map<string, Promise<void>>()
  let isClosed = false
  const parts: PostNeeds = { ...needs, isClosed: () => isClosed }
  const noteFault = (fault: unknown): void =>
    tell({ level: 'error', message: 'signals were not sent', fault: String(fault) })

  const begin = (stream: SignalStream, api: SignalApi): void => {
    const served = serve(stream, api, parts)
      .catch(noteFault)
      .finally(() => underWay.delete(stream.id))
    underWay.set(stream.id, served)
  }

  const turn = async (): Promise<void> => {
    const streams = await store.listSignalStreams(null)
    if (streams.length === 0) return
    const [{ epoch, position } = { epoch: '', position: 0 }] = streams
    // Gives places to what any node has just revoked.
    await revocationFeed.read(`${epoch}.${position}`)
    const resources = await store.listResources()
    for (const stream of streams) {
      if (!underWay.has(stream.id)) begin(stream, findApi(stream, resources))
    }
    await name().catch(noteFault)
  }

  const job = createJob(turn, needs)
  return {
    /** No turn waits for the streams of the one before. */
    async deliver(): Promise<void> {
      await job.deliver()
      await Promise.all(underWay.values())
    },
    async close(): Promise<void> {
      isClosed = true
      await job.close()
      await Promise.all(underWay.values())
    },
  }
}
