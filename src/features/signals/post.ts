/**
 * Posts the sets of one stream, in their order (RFC 8935). A claim keeps other nodes away. Each change of the stream
 * takes the claim away.
 */
import { findClient } from '../../clients/find.ts'
import type { Vault } from '../../crypto/wrap.ts'
import type { Fetched, Outbound } from '../../http/outbound.ts'
import type { Client } from '../../model/client.ts'
import type { Random } from '../../model/ids.ts'
import { isObject, parseJson } from '../../model/json.ts'
import type { Tell } from '../../model/notice.ts'
import { makeServiceTrace } from '../../store/trace.ts'
import type { SignalStream } from './contract.ts'
import { unreadableCredential, unwrapCredential } from './describe.ts'
import { signalLimits } from './limits.ts'
import type { SignalApi, WaitingSignals } from './select.ts'
import { type SetNeeds, signSignal, signUpdate, signVerification } from './set.ts'
import { takeSignals } from './take.ts'

export interface PostNeeds extends SetNeeds {
  readonly random: Random
  readonly vault: Vault
  readonly tell: Tell
  readonly sent: Readonly<Record<Client['registeredBy'], Outbound>>
  readonly isClosed: () => boolean
}

/** A stream with the signals that wait for its API. */
export interface Due extends Pick<WaitingSignals, 'signals'> {
  readonly stream: SignalStream
  readonly api: SignalApi
}

/**
 * The answer of a receiver. `refused` is final, since the receiver has read the set (RFC 8935 section 2.3). `busy` is
 * our own fault.
 */
type Outcome = 'taken' | 'refused' | 'failed' | 'busy'

/** Errors of RFC 8935 section 2.4 that somebody can mend: then the same set counts. */
const mendable: readonly unknown[] = [
  'invalid_key',
  'invalid_issuer',
  'authentication_failed',
  'access_denied',
]

const judge = (answer: Fetched, isClosed: boolean): Outcome => {
  if (answer.outcome === 'failed') {
    // The status says all.
    if (answer.reason === 'too_large' && /^status_2\d\d$/.test(answer.detail)) return 'taken'
    return isClosed || answer.reason === 'too_busy' ? 'busy' : 'failed'
  }
  if (answer.status >= 200 && answer.status < 300) return 'taken'
  if (answer.status !== 400) return 'failed'
  const body = parseJson(new TextDecoder().decode(answer.body))
  return isObject(body) && typeof body.err === 'string' && !mendable.includes(body.err)
    ? 'refused'
    : 'failed'
}

const pauseAfter = (tries: number): number =>
  Math.min(signalLimits.longestPauseSeconds, signalLimits.firstPauseSeconds * 3 ** (tries - 1))

export const getNow = ({ clock }: Pick<PostNeeds, 'clock'>): number => Math.floor(clock() / 1000)

const post = (
  { endpointUrl: url }: SignalStream,
  set: string,
  credential: string | null,
  outbound: Outbound,
): Promise<Fetched> =>
  outbound.fetch({
    url,
    method: 'POST',
    headers: {
      'Content-Type': 'application/secevent+jwt',
      Accept: 'application/json',
      'User-Agent': 'Latchkey',
      ...(credential === null ? {} : { Authorization: credential }),
    },
    body: set,
    mostBytes: signalLimits.answerBytes,
  })

interface Parcel {
  readonly id: string
  /** Signed for the receiver as it is now. */
  readonly sign: (client: Client) => Promise<string>
}

/** The verification first. */
const listParcels = ({ stream, signals, api }: Due, needs: PostNeeds): readonly Parcel[] => {
  const { id, verification } = stream
  const first: readonly Parcel[] =
    verification === null
      ? []
      : [
          {
            id: verification.id,
            sign: (client) => signVerification(verification, id, client, needs),
          },
        ]
  const others = signals.map((signal) => ({
    id: signal.id,
    sign: (client: Client) => signSignal(signal, client, api, needs),
  }))
  return [...first, ...others]
}

/** Puts the stream off after a failure, unless somebody has changed it meanwhile. */
const postpone = async (
  { id, revision, tries: before }: SignalStream,
  answer: Fetched,
  { store, tell, ...needs }: PostNeeds,
): Promise<void> => {
  const tries = before + 1
  const dueAt = getNow(needs) + pauseAfter(tries)
  await store.moveSignalStream(id, revision, { tries, dueAt })
  const reason = answer.outcome === 'failed' ? answer.reason : `status_${answer.status}`
  const message = 'an API does not take its signals'
  if (tries === 1) tell({ level: 'warn', message, stream: id, reason })
}

/**
 * Without its credential a receiver gets nothing but the word that the stream rests (SSF 1.0 section 8.1.5). A
 * header that was sent just now stays.
 */
const rest = async (stream: SignalStream, needs: PostNeeds): Promise<void> => {
  const change = { status: 'paused', reason: unreadableCredential } as const
  const trace = makeServiceTrace(getNow(needs), needs)
  const paused = await needs.store.changeSignalStream(stream, change, stream.revision, trace)
  const client = await findClient(stream.clientId, needs)
  if (paused === null || client === null) return
  const set = await signUpdate(paused, trace.eventId, client, needs)
  await post(paused, set, null, needs.sent[client.registeredBy])
}

/** Whether a stream is still as it was claimed. */
const isClaimed = (now: SignalStream, mine: SignalStream): boolean =>
  now.dueAt === mine.dueAt &&
  now.status === 'enabled' &&
  now.endpointUrl === mine.endpointUrl &&
  now.credential === mine.credential

/** @returns the stream as it is then; null where the posting ends */
const postParcel = async (
  mine: SignalStream,
  { id, sign }: Parcel,
  credential: string | null,
  needs: PostNeeds,
): Promise<SignalStream | null> => {
  const { store, sent, tell, isClosed } = needs
  const client = await findClient(mine.clientId, needs)
  if (client === null) return null
  const answer = await post(mine, await sign(client), credential, sent[client.registeredBy])
  const outcome = judge(answer, isClosed())
  if (outcome === 'failed') {
    await postpone(mine, answer, needs)
    return null
  }
  if (outcome === 'busy') {
    const dueAt = getNow(needs) + signalLimits.busySeconds
    await store.moveSignalStream(mine.id, mine.revision, { dueAt })
    return null
  }
  if (outcome === 'refused') {
    tell({ level: 'warn', message: 'an API refused signals', stream: mine.id, signals: 1 })
  }
  const [acknowledged, refused] = outcome === 'refused' ? [[], [id]] : [[id], []]
  const now = await takeSignals(mine.id, { acknowledged, refused }, needs)
  return now !== null && isClaimed(now, mine) ? now : null
}

/** Posts what is due, for some seconds: the claim must outlast the last set. */
export const postSets = async (due: Due, needs: PostNeeds): Promise<void> => {
  const { store, vault } = needs
  const { stream } = due
  const credential = unwrapCredential(stream, vault)
  if (stream.credential !== null && credential === null) {
    await rest(stream, needs)
    return
  }
  const parcels = listParcels(due, needs)
  if (parcels.length === 0) return
  const begun = getNow(needs)
  const dueAt = begun + signalLimits.claimSeconds
  // Another node may have come first.
  if (!(await store.moveSignalStream(stream.id, stream.revision, { dueAt }))) return
  let mine: SignalStream = { ...stream, dueAt, revision: stream.revision + 1 }
  for (const parcel of parcels) {
    if (needs.isClosed() || getNow(needs) >= begun + signalLimits.postSeconds) break
    const now = await postParcel(mine, parcel, credential, needs)
    if (now === null) return
    mine = now
  }
  await store.moveSignalStream(mine.id, mine.revision, { dueAt: 0 })
}
