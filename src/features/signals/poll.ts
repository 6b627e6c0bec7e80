/** Polling a stream (RFC 8936): the receiver acknowledges earlier sets, and gets the next. */
import { type Answer, answerJson } from '../../http/answer.ts'
import { readJsonObject } from '../../http/body.ts'
import type { Client } from '../../model/client.ts'
import { isObject } from '../../model/json.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { Handler, RouteRow } from '../../route.ts'
import type { SignalStream } from './contract.ts'
import { signalLimits } from './limits.ts'
import { openReceiver, type SignalNeeds, streamRow, unknownStream } from './receiver.ts'
import { findApi, findWaiting, noteProgress } from './select.ts'
import { signSignal, signVerification } from './set.ts'
import { takeSignals } from './take.ts'

const malformed = (description: string): Refusal =>
  new Refusal('invalid_request', 'malformed_signal_poll', description)

const isIds = (given: unknown): given is readonly string[] =>
  Array.isArray(given) &&
  given.length <= signalLimits.acknowledged &&
  given.every((one) => typeof one === 'string')

/** RFC 8936 section 2.2. A set with an error is not sent again: the receiver has read it. */
const parsePoll = (given: Readonly<Record<string, unknown>>) => {
  const { maxEvents = signalLimits.sets, returnImmediately = false, ack = [], setErrs = {} } = given
  if (!Number.isSafeInteger(maxEvents) || Number(maxEvents) < 0) {
    throw malformed('maxEvents has to be a whole number')
  }
  if (typeof returnImmediately !== 'boolean') {
    throw malformed('returnImmediately has to be true or false')
  }
  if (!isIds(ack)) {
    throw malformed(`ack has to be a list of at most ${signalLimits.acknowledged} values of jti`)
  }
  if (!isObject(setErrs)) throw malformed('setErrs has to be an object with a member for each jti')
  const refused = Object.keys(setErrs)
  const most = Math.min(Number(maxEvents), signalLimits.sets)
  return { most, isPatient: !returnImmediately, acknowledged: ack, refused }
}

/** A stream at rest keeps what waits, or drops it (SSF 1.0 section 8.1.2.1). */
const answerAtRest = (): Answer => answerJson({ sets: {}, moreAvailable: false })

/** The next sets of a stream, at once or as soon as there are any. */
const openNews = (needs: SignalNeeds) => {
  const { store, revocationFeed: feed } = needs
  const { findStream } = openReceiver(needs)

  const findNews = async (stream: SignalStream, most: number) => {
    // Gives places to what other nodes have just revoked.
    await feed.read(`${stream.epoch}.${stream.position}`)
    const api = findApi(stream, await store.listResources())
    const waiting = await findWaiting(stream, api, most, store)
    return { stream: await noteProgress(stream, waiting, store), api, ...waiting }
  }

  type PollNews = Awaited<ReturnType<typeof findNews>>

  const isNews = ({ stream, signals }: PollNews): boolean =>
    signals.length > 0 || stream.verification !== null

  /** A patient poll waits for the first. */
  const waitForNews = async (
    stream: SignalStream,
    most: number,
    client: Client,
  ): Promise<PollNews> => {
    const now = await findNews(stream, most)
    if (isNews(now)) return now
    await feed.wait(`${now.epoch}.${now.reached}`, signalLimits.waitSeconds, client.id)
    return findNews(await findStream(stream.id, client), most)
  }

  /** The answer, with the verification first. */
  const answerNews = async (
    { stream, signals, hasMore, api }: PollNews,
    most: number,
    client: Client,
  ): Promise<Answer> => {
    const { verification } = stream
    const first =
      verification === null
        ? []
        : [[verification.id, await signVerification(verification, stream.id, client, needs)]]
    const room = most - first.length
    const others = await Promise.all(
      signals
        .slice(0, room)
        .map(async (signal) => [signal.id, await signSignal(signal, client, api, needs)]),
    )
    const sets = Object.fromEntries([...first, ...others])
    return answerJson({ sets, moreAvailable: hasMore || signals.length > room })
  }

  return { findNews, isNews, waitForNews, answerNews }
}

export const openPoll = (needs: SignalNeeds): readonly RouteRow[] => {
  const { tell } = needs
  const { findReceiver, findStream } = openReceiver(needs)
  const { findNews, isNews, waitForNews, answerNews } = openNews(needs)

  const poll: Handler = async (exchange) => {
    const client = await findReceiver(exchange, 'ssf.read')
    const found = await findStream(exchange.params.id, client)
    if (found.endpointUrl !== '') throw unknownStream()
    const { most, isPatient, ...taken } = parsePoll(await readJsonObject(exchange.request))
    const refused = taken.refused.length
    if (refused > 0) {
      tell({ level: 'warn', message: 'an API refused signals', stream: found.id, signals: refused })
    }
    const isTaken = taken.acknowledged.length + refused > 0
    const stream = isTaken ? await takeSignals(found.id, taken, needs) : found
    if (stream === null) throw unknownStream()
    if (stream.status !== 'enabled') return answerAtRest()
    // Nothing but acknowledgements (RFC 8936 section 2.4).
    if (most === 0) {
      const news = await findNews(stream, 1)
      return answerJson({ sets: {}, moreAvailable: isNews(news) })
    }
    const news = await (isPatient ? waitForNews(stream, most, client) : findNews(stream, most))
    // The stream may have changed while the poll waited.
    if (news.stream.endpointUrl !== '') throw unknownStream()
    const isAtRest = news.stream.status !== 'enabled' || news.api.own.length === 0
    return isAtRest ? answerAtRest() : answerNews(news, most, client)
  }

  return [{ ...streamRow, method: 'POST', path: '/ssf/poll/:id', handler: poll }]
}
