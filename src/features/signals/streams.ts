/** Streams as their receivers manage them (SSF 1.0 section 8.1): configuration, status and verification. */
import { answerJson, answerNothing } from '../../http/answer.ts'
import { readJsonObject } from '../../http/body.ts'
import { queryOf } from '../../http/request.ts'
import { makeId } from '../../model/ids.ts'
import { Refusal, refuseForNow } from '../../protocol/refusal.ts'
import type { Handler, RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import type { SignalStream, SignalStreamChange } from './contract.ts'
import {
  checkSupplied,
  describeStatus,
  describeStream,
  parseState,
  parseStatus,
  parseStream,
  unreadableCredential,
} from './describe.ts'
import { signalLimits } from './limits.ts'
import { openReceiver, type SignalNeeds, streamRow, unknownStream } from './receiver.ts'

/** An API hears of what comes from now on: its tokens from before were as good as they are now. */
const openBeginning =
  ({ store, revocationFeed: feed }: SignalNeeds) =>
  async (): Promise<Pick<SignalStream, 'epoch' | 'position' | 'taken'>> => {
    // The feed begins with the first who follows it.
    await feed.read(null)
    const head = await store.findFeedHead()
    return { epoch: head?.epoch ?? '', position: head?.position ?? 0, taken: [] }
  }

/** The service itself had paused the stream, until what is sent along can be read again. */
const wake = (found: SignalStream, said: SignalStreamChange) =>
  found.status === 'paused' && found.reason === unreadableCredential && 'credential' in said
    ? ({ status: 'enabled', reason: '' } as const)
    : {}

/** @param only whether absent members stay */
const openChange = (needs: SignalNeeds, only: boolean): Handler => {
  const { store, vault, settings } = needs
  const { findReceiver, findStream } = openReceiver(needs)
  return async (exchange) => {
    const client = await findReceiver(exchange, 'ssf.manage')
    const given = await readJsonObject(exchange.request)
    const trace = traceOf(exchange, needs)
    for (;;) {
      const found = await findStream(given.stream_id, client)
      checkSupplied(given, found, settings.issuer)
      const said = parseStream(given, found, vault, only)
      // Whatever failed before may work now.
      const changed = { ...said, ...wake(found, said), tries: 0, dueAt: 0 }
      const stream =
        Object.keys(said).length === 0
          ? found
          : await store.changeSignalStream(found, changed, found.revision, trace)
      if (stream !== null) return answerJson(describeStream(stream, settings.issuer))
    }
  }
}

const openConfiguration = (needs: SignalNeeds): readonly RouteRow[] => {
  const { store, vault, settings } = needs
  const { findReceiver, findStream } = openReceiver(needs)
  const findBeginning = openBeginning(needs)
  const answer = (stream: SignalStream, status = 200) =>
    answerJson(describeStream(stream, settings.issuer), status)

  const create: Handler = async (exchange) => {
    const client = await findReceiver(exchange, 'ssf.manage')
    const id = makeId<string>(needs)
    const given = await readJsonObject(exchange.request)
    const said = parseStream(given, { id, endpointUrl: '' }, vault, false)
    const stream: SignalStream = {
      ...{ id, clientId: client.id, createdAt: exchange.at },
      ...{ description: '', endpointUrl: '', credential: null, requested: null },
      ...{ status: 'enabled', reason: '', verification: null, verifiedAt: 0 },
      ...{ tookMilliseconds: null, takenAt: null, tries: 0, dueAt: 0, revision: 0 },
      ...(await findBeginning()),
      ...said,
    }
    const trace = traceOf(exchange, needs)
    if (await store.createSignalStream(stream, signalLimits.streams, trace))
      return answer(stream, 201)
    const said409 = `the client has ${signalLimits.streams} streams: delete one first`
    throw new Refusal('conflict', 'too_many_streams', said409)
  }

  const show: Handler = async (exchange) => {
    const client = await findReceiver(exchange, 'ssf.read')
    const id = queryOf(exchange.request).find('stream_id')
    if (id !== null) return answer(await findStream(id, client))
    const streams = await store.listSignalStreams(client.id)
    return answerJson(streams.map((stream) => describeStream(stream, settings.issuer)))
  }

  const remove: Handler = async (exchange) => {
    const client = await findReceiver(exchange, 'ssf.manage')
    const found = await findStream(queryOf(exchange.request).find('stream_id'), client)
    await store.deleteSignalStream(found, traceOf(exchange, needs))
    return answerNothing()
  }

  const path = '/ssf/streams'
  return [
    { ...streamRow, method: 'POST', path, handler: create },
    { ...streamRow, method: 'GET', path, handler: show },
    { ...streamRow, method: 'PATCH', path, handler: openChange(needs, true) },
    { ...streamRow, method: 'PUT', path, handler: openChange(needs, false) },
    { ...streamRow, method: 'DELETE', path, handler: remove },
  ]
}

const openStatus = (needs: SignalNeeds): readonly RouteRow[] => {
  const { store } = needs
  const { findReceiver, findStream } = openReceiver(needs)
  const findBeginning = openBeginning(needs)

  const show: Handler = async (exchange) => {
    const client = await findReceiver(exchange, 'ssf.read')
    const id = queryOf(exchange.request).find('stream_id')
    return answerJson(describeStatus(await findStream(id, client)))
  }

  const change: Handler = async (exchange) => {
    const client = await findReceiver(exchange, 'ssf.manage')
    const given = await readJsonObject(exchange.request)
    const found = await findStream(given.stream_id, client)
    const said = parseStatus(given)
    // A disabled stream has missed what came meanwhile, and a paused one has not.
    const begun = found.status === 'disabled' && said.status !== 'disabled'
    const moved = begun ? await findBeginning() : {}
    const changed = { ...said, ...moved, tries: 0, dueAt: 0 }
    const trace = traceOf(exchange, needs)
    const stream = await store.changeSignalStream(found, changed, null, trace)
    if (stream === null) throw unknownStream()
    return answerJson(describeStatus(stream))
  }

  const path = '/ssf/status'
  return [
    { ...streamRow, method: 'GET', path, handler: show },
    { ...streamRow, method: 'POST', path, handler: change },
  ]
}

const openVerification = (needs: SignalNeeds): readonly RouteRow[] => {
  const { store } = needs
  const { findReceiver, findStream } = openReceiver(needs)

  /** The set goes the way of all others, so the receiver learns whether the stream works. */
  const verify: Handler = async (exchange) => {
    const client = await findReceiver(exchange, 'ssf.manage')
    const given = await readJsonObject(exchange.request)
    const state = parseState(given)
    const { at } = exchange
    const verification = { id: makeId<string>(needs), state }
    for (;;) {
      const { id, verifiedAt, revision } = await findStream(given.stream_id, client)
      const seconds = verifiedAt + signalLimits.verificationSeconds - at
      if (seconds > 0) {
        throw refuseForNow('too_many_verifications', 'the stream was verified just now', seconds)
      }
      const progress = { verification, verifiedAt: at, dueAt: 0 }
      if (await store.moveSignalStream(id, revision, progress)) return answerNothing()
    }
  }

  return [{ ...streamRow, method: 'POST', path: '/ssf/verification', handler: verify }]
}

export const openStreams = (needs: SignalNeeds): readonly RouteRow[] => [
  ...openConfiguration(needs),
  ...openStatus(needs),
  ...openVerification(needs),
]
