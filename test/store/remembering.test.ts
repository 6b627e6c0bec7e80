/**
 * A cached answer equals a read at that moment: after any history of steps, during steps in any
 * order, and whatever their outcome.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Authorization, Family } from '../../src/model/authorization.ts'
import type { Digest, FamilyId, Holder, ItemId, SessionId } from '../../src/model/ids.ts'
import type { Permission } from '../../src/model/resource.ts'
import type { Session } from '../../src/model/session.ts'
import type { Store } from '../../src/store/store.ts'
import { sampleUse } from './contract/uses.ts'
import { type Fate, type Guided, openGuided } from './guided.ts'
import { next, start, trace } from './moments.ts'
import {
  newSalt,
  sampleApproval,
  sampleClient,
  sampleOwner,
  sampleRedemption,
  sampleRotation,
  sampleSession,
} from './sample.ts'
import { approveIn, startIn } from './settle.ts'

const registrationDigest = 'digest-of-the-token' as Digest

/** What a history has come by. Ids of clients and owners are used again after a deletion. */
const begin = () => ({
  now: start,
  clients: [sampleClient({ registrationDigest }), sampleClient()],
  owners: [sampleOwner(), sampleOwner()],
  sessions: [] as Session[],
  authorizations: [] as Authorization[],
  families: [] as Family[],
})

type State = ReturnType<typeof begin>

/** Turns numbers into steps on the existing rows. */
interface Chosen {
  readonly client: State['clients'][number]
  readonly owner: State['owners'][number]
  readonly session: SessionId | null
  readonly authorization: Authorization | undefined
  readonly family: Family | undefined
  readonly holder: Holder
  readonly item: ItemId
  readonly number: number
  readonly at: ReturnType<typeof trace>
}

const choose = (state: State, which: number, number: number): Chosen => {
  const one = <Entry>(list: readonly Entry[]): Entry | undefined =>
    list[which % Math.max(1, list.length)]
  const client = one(state.clients) ?? sampleClient({ registrationDigest })
  const owner = one(state.owners) ?? sampleOwner()
  return {
    client,
    owner,
    session: state.sessions.findLast(({ ownerId }) => ownerId === owner.id)?.id ?? null,
    authorization: one(state.authorizations),
    family: one(state.families),
    holder: which % 3 === 0 ? `client:${client.id}` : `owner:${owner.id}`,
    item: `item-${number % 2}` as ItemId,
    number,
    at: trace(state.now),
  }
}

const asked: readonly Permission[] = ['photos:read', 'photos:write']

const approvalOf = ({ client, owner, session, number, at }: Chosen) => {
  const duration = (['forever', 'day', 'session'] as const)[number % 3] ?? 'forever'
  return sampleApproval(
    { client, owner },
    {
      asked,
      permissions: asked.slice(number % 2),
      duration: duration === 'session' && session === null ? 'forever' : duration,
      sessionId: duration === 'session' ? session : null,
      expiresAt: duration === 'day' ? at.at + 40 : null,
      salt: next('salt'),
    },
  )
}

type Act = (store: Store, chosen: Chosen, state: State) => Promise<unknown>

const redeem = async (
  store: Store,
  state: State,
  authorization: Authorization,
  familyId: FamilyId,
  { number, at }: Chosen,
): Promise<void> => {
  const change = { familyId, burn: number === 7, expiresAt: at.at + 40 * number }
  const redeemed = await store.redeemCode(sampleRedemption(authorization, change), at)
  if ('family' in redeemed) state.families.push(redeemed.family)
}

const acts: Readonly<Record<string, Act>> = {
  'register a client': (store, { client, at }) => store.createClient(client, at),
  'disable a client, or enable it': (store, { client, number, at }) =>
    store.changeClient(client.id, { newSalt, disabled: number % 2 === 0 }, at),
  'change what a client may ask for': (store, { client, number, at }) =>
    store.changeClient(client.id, { newSalt, scope: asked.slice(number % 3) }, at),
  'delete a client': (store, { client, at }) => store.deleteClient(client.id, at),
  'delete a client by its registration token': (store, { client, at }) =>
    store.deleteOwnClient(client.id, registrationDigest, at),
  'register an owner': (store, { owner, at }) => store.createOwner(owner, at),
  'disable an owner, or enable them': (store, { owner, number, at }) =>
    store.changeOwner(owner.id, { disabled: number % 2 === 0 }, at),
  'change a password': (store, { owner, session, number, at }) => {
    const by = session && number % 2 === 0 ? { session, passwordHash: owner.passwordHash } : null
    return store.changePassword(owner.id, { hash: owner.passwordHash, salt: next('salt') }, by, at)
  },
  'delete an owner': (store, { owner, at }) => store.deleteOwner(owner.id, at),
  'log in': async (store, { owner, session, number, at }, state) => {
    const begun = sampleSession(owner.id, { startedAt: at.at, expiresAt: at.at + 40 })
    const replaces = number % 2 === 0 ? session : null
    const { passwordHash } = owner
    const outcome = await store.startSession(begun, { passwordHash }, replaces, at)
    if (outcome === 'accepted') state.sessions.push(begun)
  },
  'log out': async (store, { session, at }) => session && store.endSession(session, at),
  approve: async (store, chosen, state) => {
    const approved = await approveIn(store, approvalOf(chosen), chosen.at)
    if (approved !== null) state.authorizations.push(approved)
  },
  narrow: async (store, { authorization, number, at }) =>
    authorization &&
    store.narrowAuthorization(authorization.id, null, asked.slice(0, number % 3), at),
  'change the end of an authorization': async (store, chosen) => {
    const { authorization, owner, session, number, at } = chosen
    if (authorization === undefined || session === null) return
    const expiresAt = number === 0 ? null : at.at + 10 * number
    const change = { id: authorization.id, ownerId: owner.id, session, expiresAt }
    return store.changeAuthorizationEnd(change, at)
  },
  'pause an application': (store, { client, owner, at }) =>
    store.pauseAuthorizations({ ownerId: owner.id, clientId: client.id }, at),
  'resume an application': (store, { client, owner, session, number, at }) => {
    const by = number % 2 === 0 ? session : null
    return store.resumeAuthorizations({ ownerId: owner.id, clientId: client.id, session: by }, at)
  },
  'end an authorization': async (store, { authorization, at }) =>
    authorization && store.endAuthorization(authorization.id, null, at),
  'redeem a code': async (store, chosen, state) =>
    chosen.authorization &&
    redeem(store, state, chosen.authorization, next('family') as FamilyId, chosen),
  'redeem a code again': async (store, chosen, state) =>
    chosen.authorization &&
    chosen.family &&
    redeem(store, state, chosen.authorization, chosen.family.id, chosen),
  'begin a family': async (store, chosen, state) => {
    const { authorization, number, at } = chosen
    const under = number % 2 === 0 ? approvalOf(chosen) : authorization
    if (under === undefined) return
    const familyId = next('family') as FamilyId
    const begun = await startIn(store, { familyId, under, expiresAt: at.at + 50 }, at)
    if (begun === null) return
    state.authorizations.push(begun.authorization)
    state.families.push(begun.family)
  },
  refresh: async (store, { family, number, at }, state) => {
    if (family === undefined) return
    const under = state.authorizations.find(({ id }) => id === family.authorizationId)
    const latest = state.families.findLast(({ id }) => id === family.id) ?? family
    const generation = latest.generation - (number % 4 === 0 ? 1 : 0)
    const change = { salt: under?.salt ?? '', expiresAt: at.at + 20 * number }
    const rotated = await store.rotateRefreshToken(
      sampleRotation(family.id, generation, change),
      at,
    )
    if ('family' in rotated) state.families.push(rotated.family)
  },
  'end a family': async (store, { family, at }) => family && store.endFamily(family.id, at),
  async 'revoke an access token'(store, { family, at }) {
    if (family === undefined) return
    const of = { familyId: family.id, authorizationId: family.authorizationId }
    await store.endToken({ of, tokenId: next('token'), expiresAt: null }, at)
  },
  'revoke a token of a client': (store, { client, at }) =>
    store.endToken({ of: { clientId: client.id }, tokenId: next('token'), expiresAt: null }, at),
  'put an item': (store, { holder, item: id }) =>
    store.putItem({
      holder,
      resource: 'photos',
      id,
      fields: { title: next('title') },
      version: next('version'),
      condition: {},
      createOnly: false,
      mostItems: 100,
    }),
  'delete an item': (store, { holder, item }) => store.deleteItem(holder, 'photos', item, {}),
  purge: (store, { at }) => store.purge(at.at, { events: start, accessLog: start }, 100),
}

const fate = fc.constantFrom<Fate>('answered', 'answered', 'answered', 'lost', 'undone')

const history = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constantFrom(...Object.keys(acts)),
        which: fc.nat(5),
        number: fc.nat(7),
        fate,
        goOn: fc.array(fc.nat(4), { maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ use: fc.nat(5), fate }) },
    { weight: 1, arbitrary: fc.record({ wait: fc.constantFrom(1, 20, 20, 100) }) },
    { weight: 2, arbitrary: fc.constantFrom('settle' as const, 'answer reads' as const) },
  ),
  { minLength: 5, maxLength: 40 },
)

/** Everything that can be asked, of the one store and the other at the same moment. */
const compare = ({ plain, remembering }: Guided, state: State, faults: unknown[]): void => {
  const same = (ask: (store: Store) => Promise<unknown>): void => {
    const [remembered, read] = [ask(remembering), ask(plain)]
    const check = async (): Promise<void> => assert.deepEqual(await remembered, await read)
    check().catch((fault: unknown) => faults.push(fault))
  }
  const { now } = state
  for (const { id } of state.clients) {
    same((store) => store.findClient(id))
    same((store) => store.findClient(id, 'disabled'))
  }
  for (const id of new Set(state.families.slice(-5).map((family) => family.id))) {
    same((store) => store.findStanding(id, now))
    same((store) => store.findStanding(id, now - 10, 'disabled'))
  }
  for (const id of new Set(state.authorizations.slice(-5).map((one) => one.id))) {
    same((store) => store.findAuthorization(id, now))
  }
  const holders: readonly Holder[] = [
    ...state.owners.map(({ id }) => `owner:${id}` as const),
    ...state.clients.map(({ id }) => `client:${id}` as const),
  ]
  for (const holder of holders) {
    same((store) => store.findItem(holder, 'photos', 'item-0' as ItemId))
    same((store) => store.listItems(holder, 'photos', null, 1))
    same((store) => store.listItems(holder, 'photos', 'item-0', 5))
  }
}

/** A noted use is visible at once without other steps, and soon beside them. */
const noteUse = async (
  guided: Guided,
  state: State,
  { use, fate }: { readonly use: number; readonly fate: Fate },
): Promise<void> => {
  const { authorization } = choose(state, use, 0)
  if (authorization === undefined) return
  await guided.settle()
  guided.setFate(fate)
  const uses = [sampleUse(authorization.id, { lastAt: state.now, allowed: use % 3 > 0 })]
  const noted = guided.remembering.recordUses({ collector: next('collector'), turn: 1, uses })
  guided.setFate('answered')
  await Promise.allSettled([noted, guided.settle()])
}

type Command = typeof history extends fc.Arbitrary<(infer Command)[]> ? Command : never

const play = async (commands: readonly Command[]): Promise<void> => {
  const guided = openGuided()
  const state = begin()
  const faults: unknown[] = []
  const act = async (name: string, which: number, number: number): Promise<unknown> =>
    acts[name]?.(guided.remembering, choose(state, which, number), state)
  const beginning = ['register a client', 'register an owner', 'log in', 'approve', 'redeem a code']
  for (const name of [...beginning, 'put an item'])
    for (const which of [0, 1]) await act(name, which, 6)
  guided.hold()
  for (const command of commands) {
    if (command === 'settle') await guided.settle()
    else if (command === 'answer reads') await guided.answerReads()
    else if ('use' in command) await noteUse(guided, state, command)
    else if ('wait' in command) state.now += command.wait
    else {
      guided.setFate(command.fate)
      // Some are meant to fail.
      act(command.act, command.which, command.number).catch(() => {})
      guided.setFate('answered')
      for (const which of command.goOn) {
        compare(guided, state, faults)
        await guided.goOn(which)
      }
    }
    compare(guided, state, faults)
  }
  await guided.settle()
  compare(guided, state, faults)
  await guided.settle()
  if (faults.length > 0) throw faults[0]
}

test('I3 whatever happens, and whatever is under way, what is remembered is what is true', async () => {
  await fc.assert(fc.asyncProperty(history, play), { numRuns: 150 })
})
