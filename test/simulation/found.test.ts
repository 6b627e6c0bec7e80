/** What simulated runs have found wrong, each as the shortest way there. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { administer, done, type Stage } from './actors.ts'
import { audit, explain } from './audit.ts'
import { chanceOf } from './chance.ts'
import type { Actor } from './front.ts'
import { changeAccess, exchangeToken } from './guests/exchange.ts'
import type { HeldAccess, HeldRefresh, Holding } from './holdings.ts'
import { requestsOf } from './requests.ts'
import { onStage, openTheatre } from './run.ts'
import { type Known, Visitor } from './visitor.ts'

const theatre = await openTheatre()
const actor: Actor = { name: 'somebody', chance: chanceOf(1, 'somebody') }

/** A line of the client with the shortest lifetimes: access tokens 15 s, refresh tokens 40 s. */
interface Scene {
  readonly stage: Stage
  readonly owner: Known
  readonly holding: Holding
  readonly access: HeldAccess
  readonly refresh: HeldRefresh
  readonly at: (node: 'north' | 'south') => ReturnType<typeof requestsOf>
}

const need = <One>(one: One | null | undefined): One => {
  assert.ok(one != null)
  return one
}

const chooseFirst = <One>(from: readonly One[]): One => need(from[0])
const chooseLast = <One>(from: readonly One[]): One => need(from.at(-1))

/** Plays a scene in which the clock of `north` is as far ahead as it may be, and audits it. */
const play = (script: (scene: Scene) => Promise<void>): Promise<string> =>
  onStage(
    theatre,
    { chance: chanceOf(1), isolation: 'whole', think: 0, write: undefined },
    async (stage, faults) => {
      const { front, people, clients } = stage
      const [north, south] = front.nodes
      need(north).aheadMilliseconds = 10_000
      await Promise.all(front.nodes.map((node) => node.start()))
      const owner = need(people[0])
      const visitor = new Visitor(front, actor, owner)
      const client = need(clients.find(({ id }) => id === 'kiosk'))
      const holding = need(await visitor.obtain(client))
      await requestsOf(front, actor).redeem(holding)
      const [access, refresh] = [need(holding.access[0]), need(holding.refresh[0])]
      const at = (name: 'north' | 'south') =>
        requestsOf(front, actor, name === 'north' ? need(north) : need(south))
      await script({ stage, owner, holding, access, refresh, at })
      const { lines, operations } = front
      const findings = audit({ lines, operations, faults }, new Map())
      return findings.map(explain).join('\n')
    },
  )

const sleepUntil = ({ front }: Stage, seconds: number): Promise<void> =>
  front.scheduler.sleep(seconds * 1000 - front.scheduler.now)

describe('found by simulation', () => {
  it('a token that has expired for one node is revoked for the others', async () => {
    const findings = await play(async ({ stage, holding, access, refresh, at }) => {
      await sleepUntil(stage, need(access.expiresAt) - 5)
      await at('north').revokeAccess(holding, access)
      await at('south').introspect(holding, access)
      await sleepUntil(stage, refresh.expiresAt - 5)
      await at('north').revokeRefresh(holding, refresh)
      await at('south').refresh(holding, refresh)
    })
    assert.equal(findings, '')
  })

  it('a revoked token stays revoked when another node purges what has expired for it', async () => {
    const findings = await play(async ({ stage, holding, access, at }) => {
      await at('south').revokeAccess(holding, access)
      // The clock ahead has it expired; within ten seconds that node has purged.
      await sleepUntil(stage, need(access.expiresAt) - 0.5)
      await at('south').introspect(holding, access)
    })
    assert.equal(findings, '')
  })

  it('a code stays used up for a request that takes long, whatever is purged meanwhile', async () => {
    const findings = await play(async ({ stage, holding, refresh, at }) => {
      const { front } = stage
      await at('south').revokeRefresh(holding, refresh)
      await sleepUntil(stage, need(holding.codeEnd) - 2)
      const south = need(front.nodes[1])
      south.link.latency = 5000
      const late = at('south').redeem(holding)
      await front.scheduler.sleep(25_000)
      south.link.latency = 1
      await late
    })
    assert.equal(findings, '')
  })

  it('a login by a clock that is ahead lifts nothing that its owner took from a branch later', async () => {
    const findings = await play(async ({ stage, owner }) => {
      const { front, clients } = stage
      const first = { ...actor, chance: { ...actor.chance, pick: chooseFirst } }
      const last = { ...actor, chance: { ...actor.chance, pick: chooseLast } }
      // A node begins no earlier than the latest time in the store.
      await front.scheduler.sleep(15_000)
      const client = need(clients.find(({ id }) => id === 'photo-printer'))
      const holding = need(await new Visitor(front, first, owner).obtain(client))
      await requestsOf(front, actor).redeem(holding)
      const token = need(holding.access[0])
      need(await exchangeToken(stage, first, holding, token))
      const elsewhere = new Visitor(front, last, owner)
      await changeAccess(elsewhere, holding.line, 'end branch', last)
      assert.equal(await exchangeToken(stage, first, holding, token), null)
    })
    assert.equal(findings, '')
  })

  it('what was revoked while its owner was suspended is revoked afterwards', async () => {
    const findings = await play(async ({ stage, owner, holding, access, refresh, at }) => {
      const turn = (kind: 'suspend' | 'resume') => {
        const init = { method: 'PATCH', json: { disabled: kind === 'suspend' } }
        const claim = { deed: { kind, owner: owner.id }, judge: done }
        return administer(stage, actor, `owners/${owner.id}`, init, claim)
      }
      await turn('suspend')
      await at('south').revokeRefresh(holding, refresh)
      await turn('resume')
      await at('south').introspect(holding, access)
    })
    assert.equal(findings, '')
  })
})
