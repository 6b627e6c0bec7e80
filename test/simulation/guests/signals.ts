/** An API polls its stream of signals (RFC 8936) while tokens end. Acknowledgements get lost. */
import { basic } from '../../support/start.ts'
import type { Stage } from '../actors.ts'
import type { Actor, Claim } from '../front.ts'
import { listener } from '../people.ts'
import { requestsOf } from '../requests.ts'
import { type Known, Visitor } from '../visitor.ts'
import type { Guest } from './guest.ts'

interface Named {
  readonly id: string
}

/** The subject of a set (RFC 9493). */
interface Subject {
  readonly session?: Named
  readonly sub?: string
  readonly jti?: string
}

const readSubject = (set: string): string => {
  const payload = Buffer.from(set.split('.')[1] ?? '', 'base64url').toString()
  const { sub_id: of } = JSON.parse(payload) as { readonly sub_id: Subject }
  return of.session?.id ?? of.sub ?? of.jti ?? ''
}

interface Polled {
  readonly sets: Readonly<Record<string, string>>
  readonly moreAvailable: boolean
}

const headers = { authorization: basic([listener.id, listener.secret ?? '']) }

/** A stream, as its receiver follows it. */
class Stream {
  readonly #stage: Stage
  readonly #actor: Actor
  #id: string | null = null
  #received: readonly string[] = []

  constructor(stage: Stage, actor: Actor) {
    this.#stage = stage
    this.#actor = actor
  }

  async open(): Promise<void> {
    const claim: Claim = {
      deed: { kind: 'follow' },
      judge: ({ status }) => ({ result: status === 201 ? 'yes' : 'no' }),
    }
    const init = { method: 'POST', json: {}, headers }
    const { front } = this.#stage
    const { answer } = await front.ask(this.#actor, '/ssf/streams', init, [claim])
    if (answer?.status === 201) this.#id = answer.body.stream_id
  }

  /** Acknowledges what came last, and asks for the next. False where there may be more. */
  async poll(most: number): Promise<boolean> {
    if (this.#id === null) return true
    const claim: Claim = {
      deed: { kind: 'hear' },
      judge: ({ status, body }) => {
        if (status !== 200) return null
        const { sets, moreAvailable } = body as Polled
        const told = Object.values(sets).map(readSubject)
        return { result: 'yes', told, brought: moreAvailable || told.length > 0 ? 1 : 0 }
      },
    }
    const json = { returnImmediately: true, maxEvents: most, ack: this.#received }
    const init = { method: 'POST', json, headers }
    const { front } = this.#stage
    const { answer } = await front.ask(this.#actor, `/ssf/poll/${this.#id}`, init, [claim])
    if (answer?.status !== 200) return false
    const { sets } = answer.body as Polled
    this.#received = Object.keys(sets)
    return this.#received.length === 0
  }
}

/** Polls until nothing more waits, or as often as this. */
const mostPolls = 60

const streams = new WeakMap<Stage, Stream>()

const listenerActor = async (stage: Stage, actor: Actor, owner: Known): Promise<void> => {
  const { front, holdings, clients } = stage
  const { chance } = actor
  const stream = new Stream(stage, actor)
  streams.set(stage, stream)
  await stream.open()
  const [client] = clients
  const visitor = new Visitor(front, actor, owner)
  const requests = requestsOf(front, actor)
  for (let rounds = 1 + chance.below(3); rounds > 0 && client !== undefined; rounds--) {
    await front.scheduler.sleep(stage.think(actor))
    const holding = await visitor.obtain(client)
    if (holding !== null) {
      holdings.push(holding)
      await requests.redeem(holding)
      const token = holding.access[0]
      if (token !== undefined) await requests.get(holding, token, 'a')
      const newest = holding.refresh.at(-1)
      if (newest !== undefined && chance.flip(0.3)) await requests.revokeRefresh(holding, newest)
    }
    await visitor.changeAccount()
    for (let polls = chance.below(3); polls > 0; polls--) await stream.poll(1 + chance.below(2))
  }
}

export const signalGuest: Guest = {
  name: 'signals',
  invite: (stage, chance) => {
    const owner = chance.pick(stage.people)
    return [['listener', (actor) => listenerActor(stage, actor, owner)]]
  },
  /** All that is left, once the network is whole. */
  inspect: async (stage) => {
    for (let polls = 0; polls < mostPolls; polls++) {
      if ((await streams.get(stage)?.poll(100)) ?? true) return
    }
  },
}
