/** A helper exchanges tokens of an application (RFC 8693), while the owner pauses, narrows and ends what is above. */
import { readAccessToken } from '../../../src/tokens/formats/opaque.ts'
import { accessFormsOn, accessPathsOn } from '../../support/accesses.ts'
import type { Form } from '../../support/start.ts'
import { deedsOf, drawn, oneOf, type Stage } from '../actors.ts'
import type { Actor, Claim } from '../front.ts'
import type { Line } from '../history.ts'
import { type HeldAccess, type Holding, keep } from '../holdings.ts'
import { helper } from '../people.ts'
import { requestsOf } from '../requests.ts'
import { type Known, redirectsTo, Visitor } from '../visitor.ts'
import type { Guest } from './guest.ts'

/** Exchanges a token, for all of its scope or some. */
export const exchangeToken = async (
  { front, holdings }: Stage,
  actor: Actor,
  holding: Holding,
  token: HeldAccess,
): Promise<Holding | null> => {
  const { chance } = actor
  const some = chance.flip(0.7) ? token.scope : token.scope.filter(() => chance.flip(0.5))
  const part = some.length === 0 ? token.scope : some
  const { answer, operations } = await requestsOf(front, actor).exchange(holding, token, part)
  const [operation] = operations
  if (answer?.status !== 200 || operation === undefined) return null
  const of = readAccessToken(answer.body.access_token)?.says.of
  if (of === undefined || !('familyId' in of)) throw new Error('what came is no token of an owner')
  const id = of.familyId
  const under = {
    line: holding.line.id,
    token: token.id,
    rights: operation.told ?? [],
  }
  const line: Line = { ...holding.line, id, begins: 'redeemed', since: operation.id, under }
  front.lines.push(line)
  const held = { access: [], refresh: [] }
  const branch: Holding = { line, client: helper, code: '', codeEnd: null, asked: part, ...held }
  keep(branch, answer.body)
  holdings.push(branch)
  return branch
}

/** The page of the branch below an application on its page. */
const findBranch = (text: string): string | undefined =>
  accessPathsOn({ text: /<ul class="branches">[\s\S]*?<\/ul>/.exec(text)?.[0] ?? '' })[0]

/** A change of the application, or of its branch, on the account page. */
export const changeAccess = (
  visitor: Visitor,
  { authorization, client, owner }: Line,
  act: 'pause' | 'unpause' | 'end' | 'narrow' | 'end branch' | 'narrow branch',
  actor: Actor,
): Promise<void> => {
  const above = `/account/access/${authorization}`
  let claim: Claim = { deed: { kind: 'visit' }, judge: () => ({ result: 'yes' }) }
  return visitor.visit(
    above,
    () => [claim],
    async (page, browser) => {
      const path = act.endsWith('branch') ? findBranch(page.text) : above
      if (path === undefined) return
      const shown = path === above ? page : await browser.go(path)
      const [form] = accessFormsOn(shown)
      if (form === undefined) return
      const ticked = form.fields.permission ?? []
      const kept = act.startsWith('narrow') ? ticked.filter(() => actor.chance.flip(0.5)) : []
      const isEnd = act.startsWith('end') || (act.startsWith('narrow') && kept.length === 0)
      const judge = redirectsTo(isEnd ? '/account' : path)
      const submit = (action: string): Promise<unknown> => {
        const changes: Form = { action, permission: kept, shown: [], 'shown-details': [] }
        return browser.submitForm(shown, form, changes)
      }
      if (act === 'pause' || act === 'unpause') {
        claim = { deed: { kind: act, client, owner }, judge }
        await submit(act === 'pause' ? 'pause' : 'resume')
      } else if (path !== above) {
        claim = { deed: { kind: 'cut branch', authorization, client, owner, kept }, judge }
        await submit(isEnd ? 'end' : 'narrow')
      } else if (isEnd) {
        claim = { deed: { kind: 'end authorization', authorization }, judge }
        await submit('end')
      } else {
        claim = { deed: { kind: 'narrow', authorization, kept }, judge }
        await submit('narrow')
      }
    },
  )
}

const helperActor = async (stage: Stage, actor: Actor, owner: Known): Promise<void> => {
  const { front, holdings, clients } = stage
  const { chance } = actor
  const visitor = new Visitor(front, actor, owner)
  const requests = requestsOf(front, actor)
  const pause = (): Promise<void> => front.scheduler.sleep(stage.think(actor))
  const [lasting, brief = lasting] = clients.filter(({ secret }) => secret !== null)
  const client = chance.flip(0.8) ? lasting : brief
  if (client === undefined) return
  const holding = await visitor.obtain(client)
  if (holding === null) return
  await requests.redeem(holding)
  holdings.push(holding)
  const branches: Holding[] = []
  const exchangeOne = async (): Promise<void> => {
    const token = oneOf(actor, holding.access)
    const branch = token && (await exchangeToken(stage, actor, holding, token))
    if (branch != null) branches.push(branch)
  }
  const useAll = async (): Promise<void> => {
    for (const branch of branches.slice(-2)) {
      const token = branch.access[0]
      if (token !== undefined) await requests.get(branch, token, 'a')
    }
  }
  await exchangeOne()
  for (let deeds = 3 + chance.below(4); deeds > 0; deeds--) {
    await pause()
    const branch = oneOf(actor, branches)
    const changed = async (
      ...acts: readonly Parameters<typeof changeAccess>[2][]
    ): Promise<void> => {
      for (const act of acts) {
        await changeAccess(visitor, holding.line, act, actor)
        await useAll()
      }
    }
    const ways: [number, () => Promise<unknown>][] = [
      [4, exchangeOne],
      [1, () => Promise.all([exchangeOne(), exchangeOne()])],
      [2, useAll],
      [1, () => drawn(actor, deedsOf(stage, actor, branch ?? holding))()],
      [1, () => drawn(actor, deedsOf(stage, actor, holding))()],
      [1, () => Promise.all([changed('end branch'), exchangeOne()])],
      [1, () => changed('end branch').then(exchangeOne)],
      [2, () => changed('narrow branch').then(exchangeOne)],
      [2, () => changed('pause', 'unpause')],
      [1, () => changed('narrow')],
      [1, () => changed('end')],
    ]
    await drawn(actor, ways)()
  }
}

export const exchangeGuest: Guest = {
  name: 'exchange',
  invite: (stage, chance) => {
    const owner = chance.pick(stage.people)
    return [['helper', (actor) => helperActor(stage, actor, owner)]]
  },
}
