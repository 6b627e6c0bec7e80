/** The crowd of a simulation: applications, owners at their account page, an operator, and the weather. */

import { latchkeyAdmin } from '../support/demo-clients.ts'
import { basic, type Init } from '../support/start.ts'
import type { Actor, Claim, Front, Judge } from './front.ts'
import type { Holding } from './holdings.ts'
import type { SimulatedNode } from './node.ts'
import { type SimulatedClient, screen } from './people.ts'
import { requestsOf } from './requests.ts'
import { type Known, Visitor } from './visitor.ts'

export interface Stage {
  readonly front: Front
  readonly people: readonly Known[]
  readonly clients: readonly SimulatedClient[]
  /** All that any client holds. */
  readonly holdings: Holding[]
  /** Milliseconds that somebody thinks before the next deed. */
  think(actor: Actor): number
}

/** The newest most of the time, else any. */
export const oneOf = <One>(actor: Actor, from: readonly One[]): One | undefined =>
  from.length === 0 ? undefined : actor.chance.flip(0.6) ? from.at(-1) : actor.chance.pick(from)

/** Tries again to earn the first tokens. Some tokens have no code. */
const earnAgain = (requests: ReturnType<typeof requestsOf>, holding: Holding) => {
  if (holding.line.begins === 'redeemed') return requests.introspectNewest(holding)
  return holding.client.polls === null ? requests.redeem(holding) : requests.poll(holding)
}

const itemIds = ['a', 'b'] as const

/** The possible next acts of an application with a line, and their weights. */
export const deedsOf = (stage: Stage, actor: Actor, holding: Holding) => {
  const requests = requestsOf(stage.front, actor)
  const { chance } = actor
  const access = oneOf(actor, holding.access)
  const refresh = oneOf(actor, holding.refresh)
  const stranger = stage.clients.find(({ id }) => id !== holding.client.id)
  const twice = (deed: () => Promise<unknown>): Promise<unknown> => Promise.all([deed(), deed()])
  /** Whoever revokes wants to see that it worked. */
  const checked = async (deed: () => Promise<unknown>): Promise<void> => {
    await deed()
    if (access !== undefined) await requests.introspect(holding, access)
  }
  const deeds: [number, () => Promise<unknown>][] = [[1, () => earnAgain(requests, holding)]]
  if (stranger !== undefined) deeds.push([1, () => requests.trespass(holding, stranger)])
  if (refresh !== undefined) {
    deeds.push(
      [5, () => requests.refresh(holding, refresh)],
      [2, () => twice(() => requests.refresh(holding, refresh))],
      [1, () => requests.introspectRefresh(holding, refresh)],
      [1, () => checked(() => requests.revokeRefresh(holding, refresh))],
    )
  }
  if (access !== undefined) {
    const id = chance.pick(itemIds)
    const often = holding.client.secret === null ? 5 : 2
    deeds.push(
      [3, () => requests.introspect(holding, access)],
      [often, () => requests.get(holding, access, id)],
      [often, () => requests.put(holding, access, id, chance.below(1_000_000), chance.flip(0.3))],
      [1, () => checked(() => requests.revokeAccess(holding, access))],
    )
  }
  return deeds
}

export const drawn = <One>(actor: Actor, weighted: readonly (readonly [number, One])[]): One => {
  let rest = actor.chance.next() * weighted.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, one] of weighted) {
    rest -= weight
    if (rest < 0) return one
  }
  throw new RangeError('nothing to draw from')
}

const redeemSomehow = async (stage: Stage, actor: Actor, holding: Holding): Promise<void> => {
  const requests = requestsOf(stage.front, actor)
  const redeem = () => requests.redeem(holding)
  const ways: readonly (readonly [number, () => Promise<unknown>])[] = [
    [6, redeem],
    [3, () => Promise.all([redeem(), redeem()])],
    [1, () => Promise.all([redeem(), requests.burn(holding)])],
  ]
  await drawn(actor, ways)()
}

/** An application in the hands of one owner: obtains lines and does all kinds of things with them. */
export const application = async (
  stage: Stage,
  actor: Actor,
  owner: Known,
  client: SimulatedClient,
): Promise<void> => {
  const { front, holdings } = stage
  const visitor = new Visitor(front, actor, owner)
  const own: Holding[] = []
  const deeds = 3 + actor.chance.below(6)
  for (let i = 0; i < deeds; i++) {
    await front.scheduler.sleep(stage.think(actor))
    if (own.length === 0 || actor.chance.flip(0.12)) {
      const holding = await visitor.obtain(client)
      if (holding === null) continue
      own.push(holding)
      holdings.push(holding)
      await front.scheduler.sleep(stage.think(actor))
      await redeemSomehow(stage, actor, holding)
      continue
    }
    if (actor.chance.flip(0.04)) {
      await visitor.logOut()
      continue
    }
    const holding = oneOf(actor, own)
    if (holding === undefined) continue
    if (client.secret === null && actor.chance.flip(0.2)) {
      await visitor.changeAccount({ onlyDetails: true })
      await requestsOf(front, actor).introspectNewest(holding)
    } else await drawn(actor, deedsOf(stage, actor, holding))()
  }
}

/** A device polls while its owner types the code, and then uses its tokens. */
export const television = async (stage: Stage, actor: Actor, owner: Known): Promise<void> => {
  const { front, holdings } = stage
  const { chance } = actor
  const visitor = new Visitor(front, actor, owner)
  const asked = await visitor.askDevice(screen)
  if (asked === null) return
  const { holding, userCode } = asked
  const requests = requestsOf(front, actor)
  const poll = async (): Promise<void> => {
    await front.scheduler.sleep(stage.think(actor))
    const polls = chance.flip(0.5) ? 2 : 1
    await Promise.all(Array.from({ length: polls }, () => requests.poll(holding)))
  }
  await Promise.all([visitor.connect(holding, userCode), poll()])
  for (let polls = 1 + chance.below(2); polls > 0; polls--) await poll()
  holdings.push(holding)
  for (let deeds = chance.below(3); deeds > 0; deeds--) {
    await front.scheduler.sleep(stage.think(actor))
    await drawn(actor, deedsOf(stage, actor, holding))()
  }
}

/** An owner at the account page who takes some of an approval back. */
export const accountHolder = async (stage: Stage, actor: Actor, owner: Known): Promise<void> => {
  const visitor = new Visitor(stage.front, actor, owner)
  for (let visits = 1 + actor.chance.below(3); visits > 0; visits--) {
    await stage.front.scheduler.sleep(stage.think(actor) * 3)
    await visitor.changeAccount()
  }
}

/** Asks until there is an answer, as whoever must not leave it half done. */
const mostTries = 8

export const administer = async (
  { front }: Stage,
  actor: Actor,
  path: string,
  init: Init,
  claim: Claim,
): Promise<boolean> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const form = { grant_type: 'client_credentials' }
    const headers = { authorization: basic(latchkeyAdmin) }
    const { answer } = await front.ask(actor, '/token', { form, headers })
    if (answer?.status === 200) {
      const authorization = `Bearer ${answer.body.access_token}`
      const sent = { ...init, headers: { authorization } }
      const { operations } = await front.ask(actor, `/admin/api/${path}`, sent, [claim])
      if (operations[0]?.answered !== null && operations[0]?.result !== 'unknown') return true
    }
    await front.scheduler.sleep(500)
  }
  return false
}

export const done: Judge = ({ status }) => ({
  result: status === 200 || status === 204 ? 'yes' : 'no',
})

/** An operator who suspends, lets go on, ends, and sets passwords. */
export const operator = async (stage: Stage, actor: Actor): Promise<void> => {
  const { chance } = actor
  const { front, people, clients, holdings } = stage
  const suspend = async (path: string, who: { client: string } | { owner: string }) => {
    for (const kind of ['suspend', 'resume'] as const) {
      const init = { method: 'PATCH', json: { disabled: kind === 'suspend' } }
      await administer(stage, actor, path, init, { deed: { kind, ...who }, judge: done })
      await front.scheduler.sleep(stage.think(actor))
    }
  }
  for (let deeds = 1 + chance.below(3); deeds > 0; deeds--) {
    await front.scheduler.sleep(stage.think(actor) * 2)
    const { id } = chance.pick(clients)
    const owner = chance.pick(people)
    const line = holdings.at(-1)?.line
    const way = chance.below(4)
    if (way === 0) await suspend(`clients/${id}`, { client: id })
    else if (way === 1) await suspend(`owners/${owner.id}`, { owner: owner.id })
    else if (way === 2) {
      const password = `password-${chance.below(1_000_000)}`
      const deed = { kind: 'set password', owner: owner.id, password } as const
      owner.passwords.push(password)
      const init = { method: 'POST', json: { password } }
      const path = `owners/${owner.id}/set-password`
      if (await administer(stage, actor, path, init, { deed, judge: done })) {
        owner.passwords.unshift(password)
      }
    } else if (line !== undefined && line.authorization !== '') {
      const { authorization } = line
      const deed = { kind: 'end authorization', authorization } as const
      const init = { method: 'DELETE' }
      await administer(stage, actor, `authorizations/${authorization}`, init, { deed, judge: done })
    }
  }
}

/** Crashes, cuts, clocks that jump, a slow store, until `isOver`. */
export const weather = async (
  { front }: Stage,
  { chance }: Actor,
  isOver: () => boolean,
): Promise<void> => {
  const { scheduler, nodes } = front
  const storms: readonly ((node: SimulatedNode) => Promise<void>)[] = [
    async (node) => {
      node.crash()
      await scheduler.sleep(chance.next() * 3000)
      await node.start()
    },
    async ({ link }) => {
      link.connected = false
      await scheduler.sleep(chance.next() * 4000)
      link.connected = true
    },
    async ({ link }) => {
      const { latency } = link
      link.latency = latency * 100
      await scheduler.sleep(chance.next() * 6000)
      link.latency = latency
    },
    async (node) => {
      node.aheadMilliseconds = chance.below(10_000)
    },
  ]
  while (!isOver()) {
    await scheduler.sleep(chance.next() * chance.next() * 12_000)
    if (!isOver()) await chance.pick(storms)(chance.pick(nodes))
  }
}

/** Looks at all there is once the weather is fine again, at every node. */
export const inspector = async ({ front, holdings }: Stage, actor: Actor): Promise<void> => {
  const look = async (holding: Holding): Promise<void> => {
    for (const node of front.nodes) {
      const requests = requestsOf(front, actor, node)
      for (const token of holding.access.slice(-2)) await requests.introspect(holding, token)
    }
  }
  const requests = requestsOf(front, actor)
  for (const holding of holdings) {
    await look(holding)
    const newest = holding.refresh.at(-1)
    if (newest !== undefined) await requests.refresh(holding, newest)
    await earnAgain(requests, holding)
    await look(holding)
  }
}
