/** A client changes what it was granted, looks at it and gives it back (Grant Management for OAuth 2.0). */
import { basic } from '../../support/start.ts'
import { deedsOf, drawn, oneOf, type Stage } from '../actors.ts'
import type { Actor, Claim, Judge } from '../front.ts'
import type { Line } from '../history.ts'
import { type Holding, listTicked } from '../holdings.ts'
import { bookkeeper } from '../people.ts'
import { requestsOf } from '../requests.ts'
import { type Known, Visitor } from '../visitor.ts'
import type { Guest } from './guest.ts'

interface Seen {
  readonly scopes: readonly { readonly scope: string }[]
}

const sees: Judge = ({ status, body }) => {
  if (status !== 200) return status === 404 ? { result: 'no' } : null
  const { scopes } = body as Seen
  return { result: 'yes', told: scopes.flatMap(({ scope }) => listTicked(scope)) }
}

const ends: Judge = ({ status }) => {
  if (status === 204) return { result: 'yes' }
  return status === 404 ? { result: 'no' } : null
}

/** A request about a grant, with a token of the client itself. */
const manage = async (
  { front }: Stage,
  actor: Actor,
  { authorization, client, owner }: Line,
  method: 'GET' | 'DELETE',
): Promise<void> => {
  const scope = method === 'GET' ? 'grant_management_query' : 'grant_management_revoke'
  const form = { grant_type: 'client_credentials', scope }
  const own = { authorization: basic([bookkeeper.id, bookkeeper.secret ?? '']) }
  const { answer } = await front.ask(actor, '/token', { form, headers: own })
  if (answer?.status !== 200) return
  const headers = { authorization: `Bearer ${answer.body.access_token}` }
  const claim: Claim =
    method === 'GET'
      ? { deed: { kind: 'see grant', authorization, client, owner }, judge: sees }
      : { deed: { kind: 'end authorization', authorization }, judge: ends }
  await front.ask(actor, `/grants/${authorization}`, { method, headers }, [claim])
}

const bookkeeperActor = async (stage: Stage, actor: Actor, owner: Known): Promise<void> => {
  const { front, holdings } = stage
  const { chance } = actor
  const visitor = new Visitor(front, actor, owner)
  const requests = requestsOf(front, actor)
  const own: Holding[] = []
  const ask = async (grant: Readonly<Record<string, string>>): Promise<void> => {
    const holding = await visitor.obtain(bookkeeper, grant)
    if (holding === null) return
    own.push(holding)
    holdings.push(holding)
    await requests.redeem(holding)
  }
  const create = (): Promise<void> => ask({ grant_management_action: 'create' })
  const useAll = async (): Promise<void> => {
    for (const holding of own.slice(-2)) await requests.introspectNewest(holding)
  }
  await create()
  for (let deeds = 3 + chance.below(4); deeds > 0; deeds--) {
    await front.scheduler.sleep(stage.think(actor))
    const holding = oneOf(actor, own)
    if (holding === undefined) {
      await create()
      continue
    }
    const { line } = holding
    const change = async (): Promise<void> => {
      const action = chance.pick(['update', 'replace'])
      await ask({ grant_management_action: action, grant_id: line.authorization })
      await useAll()
    }
    const see = (): Promise<void> => manage(stage, actor, line, 'GET')
    const giveBack = (): Promise<void> => manage(stage, actor, line, 'DELETE')
    const ways: [number, () => Promise<unknown>][] = [
      [1, create],
      [3, change],
      [2, see],
      [3, () => drawn(actor, deedsOf(stage, actor, holding))()],
      [1, () => giveBack().then(useAll).then(see)],
      [1, () => Promise.all([giveBack(), change()]).then(see)],
      [1, () => visitor.changeAccount().then(see)],
    ]
    await drawn(actor, ways)()
  }
}

export const grantGuest: Guest = {
  name: 'grant-management',
  invite: (stage, chance) => {
    const owner = chance.pick(stage.people)
    return [['bookkeeper', (actor) => bookkeeperActor(stage, actor, owner)]]
  },
}
