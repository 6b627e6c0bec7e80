/**
 * Posts sets to receivers (RFC 8935), by one node at a time and in their order. A receiver that fails is tried
 * again, and holds up nobody else.
 */
import { findClient } from '../../clients/find.ts'
import type { Vault } from '../../crypto/wrap.ts'
import { createJob } from '../../housekeeping.ts'
import type { Fetched, Outbound } from '../../http/outbound.ts'
import type { Client } from '../../model/client.ts'
import { isObject, parseJson } from '../../model/json.ts'
import type { Tell } from '../../model/notice.ts'
import type { RevocationFeed } from '../../tokens/revocation-feed.ts'
import type { SignalStream } from './contract.ts'
import { unwrapCredential } from './describe.ts'
import { findSignalLags } from './lag.ts'
import { signalLimits } from './limits.ts'
import { findApi, findWaiting } from './select.ts'
import { type SetNeeds, signSignal, signVerification } from './set.ts'
import { takeSignals } from './take.ts'

export interface PushNeeds extends SetNeeds {
  readonly vault: Vault
  readonly tell: Tell
  readonly revocationFeed: RevocationFeed
  readonly sent: Readonly<Record<Client['registeredBy'], Outbound>>
}

interface Parcel {
  readonly id: string
  readonly set: string
}

/** The answer of a receiver. `refused` is final, since the receiver has read the set (RFC 8935 section 2.3). */
type Outcome = 'taken' | 'refused' | 'failed'

/** Errors of RFC 8935 section 2.4 that somebody can mend: then the same set counts. */
const mendable: readonly unknown[] = [
  'invalid_key',
  'invalid_issuer',
  'authentication_failed',
  'access_denied',
]

const judge = (answer: Fetched): Outcome => {
  if (answer.outcome === 'failed') return 'failed'
  if (answer.status >= 200 && answer.status < 300) return 'taken'
  if (answer.status !== 400) return 'failed'
  const body = parseJson(new TextDecoder().decode(answer.body))
  return isObject(body) && typeof body.err === 'string' && !mendable.includes(body.err)
    ? 'refused'
    : 'failed'
}

const pauseAfter = (tries: number): number =>
  Math.min(signalLimits.longestPauseSeconds, signalLimits.firstPauseSeconds * 3 ** (tries - 1))

const getNow = ({ clock }: PushNeeds): number => Math.floor(clock() / 1000)

const post = (
  stream: SignalStream,
  set: string,
  credential: string | null,
  outbound: Outbound,
): Promise<Fetched> =>
  outbound.fetch({
    url: stream.endpointUrl,
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

/** The next sets of a stream, the verification first. */
const makeParcels = async (
  stream: SignalStream,
  client: Client,
  needs: PushNeeds,
): Promise<readonly Parcel[]> => {
  const { store } = needs
  const api = findApi(stream, await store.listResources())
  const { signals } = await findWaiting(stream, api, signalLimits.inTurn, store)
  const parcels: Parcel[] = []
  const { verification } = stream
  if (verification !== null) {
    const set = await signVerification(verification, stream.id, client, needs)
    parcels.push({ id: verification.id, set })
  }
  for (const signal of signals) {
    parcels.push({ id: signal.id, set: await signSignal(signal, client, api, needs) })
  }
  return parcels
}

/** Puts the stream off after a failure. */
const postpone = async (stream: SignalStream, reason: string, needs: PushNeeds): Promise<void> => {
  const { store, tell } = needs
  const now = await store.findSignalStream(stream.id)
  if (now === null) return
  const tries = now.tries + 1
  const dueAt = getNow(needs) + pauseAfter(tries)
  await store.moveSignalStream(now.id, now.revision, { tries, dueAt })
  const message = 'an API does not take its signals'
  if (tries === 1) tell({ level: 'warn', message, stream: now.id, reason })
}

/** A receiver whose credential does not open any more gets nothing without it. */
const rest = (stream: SignalStream, needs: PushNeeds): Promise<unknown> => {
  const reason = 'the authorization_header cannot be read any more: send it again'
  const change = { status: 'paused', reason } as const
  return needs.store.changeSignalStream(stream.id, stream.clientId, change)
}

const serve = async (stream: SignalStream, needs: PushNeeds): Promise<void> => {
  const { store, vault, sent, tell } = needs
  const client = await findClient(stream.clientId, needs, 'disabled')
  if (client === null) {
    await store.deleteSignalStream(stream.id, stream.clientId)
    return
  }
  const { endpointUrl, status, dueAt: waits } = stream
  if (endpointUrl === '' || status !== 'enabled' || waits > getNow(needs)) return
  if (client.disabled) return
  const credential = unwrapCredential(stream, vault)
  if (stream.credential !== null && credential === null) {
    await rest(stream, needs)
    return
  }
  const parcels = await makeParcels(stream, client, needs)
  if (parcels.length === 0) return
  // Another node may have come first.
  const dueAt = getNow(needs) + signalLimits.claimSeconds
  if (!(await store.moveSignalStream(stream.id, stream.revision, { dueAt }))) return
  for (const { id, set } of parcels) {
    const answer = await post(stream, set, credential, sent[client.registeredBy])
    const outcome = judge(answer)
    if (outcome === 'failed') {
      const reason = answer.outcome === 'failed' ? answer.reason : `status_${answer.status}`
      return postpone(stream, reason, needs)
    }
    if (outcome === 'refused') {
      tell({ level: 'warn', message: 'an API refused signals', stream: stream.id, signals: 1 })
    }
    await takeSignals(stream.id, [id], needs)
  }
}

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

export const openPush = (needs: PushNeeds) => {
  const { store, tell, revocationFeed } = needs
  const name = openNaming(needs)
  const turn = async (): Promise<void> => {
    const streams = await store.listSignalStreams(null)
    if (streams.length === 0) return
    const [{ epoch, position } = { epoch: '', position: 0 }] = streams
    // Gives places to what any node has just revoked.
    await revocationFeed.read(`${epoch}.${position}`)
    const noteFault = (fault: unknown): void =>
      tell({ level: 'error', message: 'signals were not sent', fault: String(fault) })
    await Promise.all(
      [name(), ...streams.map((stream) => serve(stream, needs))].map((one) => one.catch(noteFault)),
    )
  }
  return createJob(turn, needs)
}
